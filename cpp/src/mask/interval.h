#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "mask/mask.h"

namespace attn {

/// Keys begin ≤ j < end, which may lie outside [0, nk).
struct Interval {
  std::int64_t begin;
  std::int64_t end;
};

/// Coverage by a mask that shows each query an interval of keys, both of whose ends never move
/// back from one query to the next. `first` and `last` are those of the tile's outer queries.
inline Coverage coverageOf(const Tile& tile, Interval first, Interval last) {
  const auto begin = static_cast<std::int64_t>(tile.key);
  const auto end = static_cast<std::int64_t>(tile.key + tile.keys);
  if (end <= first.begin || last.end <= begin) return Coverage::none;
  if (last.begin <= begin && end <= first.end) return Coverage::all;
  return Coverage::some;
}

/// Clears the cells of one row whose keys lie outside the interval.
inline void narrowTo(Interval visible, const Tile& tile, std::uint8_t* row) {
  const auto column = [&](std::int64_t key) {
    const auto offset = key - static_cast<std::int64_t>(tile.key);
    return static_cast<std::size_t>(std::clamp<std::int64_t>(offset, 0, static_cast<std::int64_t>(tile.keys)));
  };
  const std::size_t begin = column(visible.begin);
  const std::size_t end = column(visible.end);
  std::fill_n(row, begin, std::uint8_t{0});
  std::fill_n(row + end, tile.keys - end, std::uint8_t{0});
}

}  // namespace attn
