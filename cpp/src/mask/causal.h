#pragma once

#include <optional>

#include "mask/interval.h"
#include "mask/mask.h"
#include "mask/position.h"

namespace attn {

/// Key j is visible to query i if j ≤ P.
class CausalMask {
 public:
  static std::optional<CausalMask> from(const Shape& shape, const MaskOptions& options) {
    if (!options.causal) return std::nullopt;
    return CausalMask(Positions(shape, options));
  }

  [[nodiscard]] Coverage coverage(const Tile& tile) const {
    return coverageOf(tile, keysOf(tile.query), keysOf(tile.query + tile.queries - 1));
  }

  void narrow(const Tile& tile, Cells cells) const {
    for (std::size_t r = 0; r < tile.queries; ++r) narrowTo(keysOf(tile.query + r), tile, cells.row(r));
  }

 private:
  explicit CausalMask(const Positions& positions) : positions_(positions) {}

  [[nodiscard]] Interval keysOf(std::size_t query) const { return {0, positions_(query) + 1}; }

  Positions positions_;
};

}  // namespace attn
