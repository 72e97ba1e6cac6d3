#include "mask/mask_set.h"

#include <algorithm>

namespace attn {

Coverage MaskSet::coverage(const Tile& tile) const {
  Coverage whole = Coverage::all;
  const auto ask = [&](const auto& mask) {
    if (!mask || whole == Coverage::none) return;
    const Coverage answer = mask->coverage(tile);
    if (answer != Coverage::all) whole = answer;
  };
  std::apply([&](const auto&... mask) { (ask(mask), ...); }, masks_);
  return whole;
}

void MaskSet::visible(const Tile& tile, Cells cells) const {
  for (std::size_t r = 0; r < tile.queries; ++r) std::fill_n(cells.row(r), tile.keys, std::uint8_t{1});
  const auto narrow = [&](const auto& mask) {
    if (mask) mask->narrow(tile, cells);
  };
  std::apply([&](const auto&... mask) { (narrow(mask), ...); }, masks_);
}

}  // namespace attn
