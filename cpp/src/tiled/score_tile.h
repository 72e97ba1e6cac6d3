#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/simd.h"
#include "tiled/plan.h"

// The scores of four queries with the keys of a tile, [4, kMaxTileKeys], and which of them are visible.

namespace attn::tiled {

/// Columns begin ≤ c < end of a tile.
struct Span {
  std::size_t begin;
  std::size_t end;
};

/// The columns that hold every visible cell of four rows.
inline Span spanOf(const std::uint8_t* cells, std::size_t columns) {
  const auto anyVisible = [&](std::size_t c) {
    bool any = false;
    for (std::size_t r = 0; r < kMicroRows; ++r) any = any || cells[r * kMaxTileKeys + c] != 0;
    return any;
  };
  Span span{0, columns};
  while (span.begin < span.end && !anyVisible(span.begin)) ++span.begin;
  while (span.begin < span.end && !anyVisible(span.end - 1)) --span.end;
  return span;
}

/// Whole panels around a span: the first column and their number.
struct Panels {
  std::size_t first;
  std::size_t columns;
};

inline Panels panelsOf(Span span) {
  const std::size_t first = span.begin / kMicroColumns * kMicroColumns;
  return {first, roundUp(span.end, kMicroColumns) - first};
}

/// s = −∞ where the cell is masked; `columns` is a multiple of 4.
inline void hideMasked(const std::uint8_t* cells, std::size_t rows, std::size_t columns, float* s) {
  const simd::F32x4 hidden = simd::splat(-std::numeric_limits<float>::infinity());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      float* const place = s + r * kMaxTileKeys + c;
      simd::store(simd::select(cells + r * kMaxTileKeys + c, simd::load(place), hidden), place);
    }
  }
}

}  // namespace attn::tiled
