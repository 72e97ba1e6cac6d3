#pragma once

#include <algorithm>
#include <cstddef>

#include "attn/attention.h"
#include "attn/shape.h"
#include "tiled/kernel/micro_kernel.h"

namespace attn::tiled {

constexpr std::size_t divideUp(std::size_t a, std::size_t b) { return a / b + (a % b != 0 ? 1 : 0); }
constexpr std::size_t roundUp(std::size_t a, std::size_t b) { return divideUp(a, b) * b; }

/// Keys of a tile at most: the row length of its scores in memory, a constant of the micro-kernel.
inline constexpr std::size_t kMaxTileKeys = 64;

/// Sums up to this size are safe in float32: what is added to a score cannot take it beyond the largest
/// number, and what a factor has lost by being subnormal, times another of this size, does not matter.
inline constexpr float kLargestSum = 0x1p120F;

/// How one call is cut up. Tiles of 64 × 64 keep the keys, values, queries and outputs at hand within
/// 112 KB at d = 64, and sum at most 64 products before these sums are summed (see kernel/output_block.h).
struct Plan {
  std::size_t queries;      ///< per tile
  std::size_t keys;         ///< per tile
  std::size_t queryTiles;   ///< ⌈nq / queries⌉, per head
  std::size_t keyTiles;     ///< ⌈nk / keys⌉
  std::size_t keyPanels;    ///< per tile, of kMicroColumns keys each
  std::size_t valuePanels;  ///< per value row, of kMicroColumns columns each
  std::size_t rowBlocks;    ///< per tile, of kMicroRows queries each

  Plan(const Shape& shape, TileSize tile)
      : queries(choose(tile.queries, shape.queries, shape.queries)),
        keys(choose(tile.keys, shape.keys, kMaxTileKeys)),
        queryTiles(divideUp(shape.queries, queries)),
        keyTiles(divideUp(shape.keys, keys)),
        keyPanels(divideUp(keys, kMicroColumns)),
        valuePanels(divideUp(shape.valueDim, kMicroColumns)),
        rowBlocks(divideUp(queries, kMicroRows)) {}

 private:
  static std::size_t choose(std::size_t asked, std::size_t length, std::size_t most) {
    constexpr std::size_t kAutomatic = 64;
    return std::max<std::size_t>(1, std::min({asked == 0 ? kAutomatic : asked, length, most}));
  }
};

}  // namespace attn::tiled
