#pragma once

#include <optional>

#include "mask/interval.h"
#include "mask/mask.h"
#include "mask/position.h"

namespace attn {

/// Key j is visible to query i if j ≤ i + queryOffset.
class CausalMask {
 public:
  static std::optional<CausalMask> from(const Shape& shape, const MaskOptions& options) {
    if (!options.causal) return std::nullopt;
    return CausalMask(queryOffsetOf(shape, options));
  }

  [[nodiscard]] Coverage coverage(const Tile& tile) const {
    return coverageOf(tile, keysOf(tile.query), keysOf(tile.query + tile.queries - 1));
  }

  void narrow(const Tile& tile, Cells cells) const {
    for (std::size_t r = 0; r < tile.queries; ++r) narrowTo(keysOf(tile.query + r), tile, cells.row(r));
  }

 private:
  explicit CausalMask(std::int64_t queryOffset) : queryOffset_(queryOffset) {}

  [[nodiscard]] Interval keysOf(std::size_t query) const {
    return {0, static_cast<std::int64_t>(query) + queryOffset_ + 1};
  }

  std::int64_t queryOffset_;
};

}  // namespace attn
