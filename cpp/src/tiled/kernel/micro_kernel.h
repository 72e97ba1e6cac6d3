#pragma once

#include <algorithm>
#include <cstddef>

#include "tiled/kernel/simd.h"

namespace attn::tiled {

// The one kernel under both matrix products:  C[4, 8] = Σ_k A[k, 4] · B[k, 8]  (rank-1 updates).
//
//   scores   A = four queries, k over d;   B = a panel of eight keys
//   output   A = four rows of weights, k over keys;   B = eight columns of the values
//
// 4×8 keeps eight accumulators, one broadcast and two vectors of B in registers. More rows or
// columns, or unrolling over k, makes V8 spill: 6×8 ran at 0.6 and unrolling by 4 at 0.55 of the
// machine's mul+add limit, this at 0.9.

inline constexpr std::size_t kMicroRows = 4;
inline constexpr std::size_t kMicroColumns = 8;

/// Fewer rows, as in decoding, go with more panels of columns at a time, for as many sums in flight: one row
/// by one panel would wait for each sum before the next, at a third of the speed.
template <std::size_t kRows>
inline constexpr std::size_t kPanelsAtOnce = kMicroRows / kRows;

template <std::size_t kRows, std::size_t kPanels>
struct MicroTile {
  simd::F32x4 c[kRows][kPanels * kMicroColumns / simd::kLanes];
};

/// A[k, r] is `a[k·kStepA + r·kRowA]`: both constants, so that they become parts of addresses.
/// B[k] starts at `b + k·stepB`, its panels `panelB` apart. The bits of a sum do not depend on the tile.
template <std::size_t kStepA, std::size_t kRowA, std::size_t kRows = kMicroRows, std::size_t kPanels = 1>
inline MicroTile<kRows, kPanels> rankOneUpdates(const float* a, const float* b, std::size_t stepB, std::size_t panelB,
                                                std::size_t count) {
  MicroTile<kRows, kPanels> tile;  // NOLINT(cppcoreguidelines-pro-type-member-init): the next line fills it
  for (auto& row : tile.c) std::ranges::fill(row, simd::zero());
  for (std::size_t k = 0; k < count; ++k, a += kStepA, b += stepB) {
    for (std::size_t panel = 0; panel < kPanels; ++panel) {
      const simd::F32x4 b0 = simd::load(b + panel * panelB);
      const simd::F32x4 b1 = simd::load(b + panel * panelB + simd::kLanes);
      for (std::size_t r = 0; r < kRows; ++r) {
        const simd::F32x4 broadcast = simd::splat(a[r * kRowA]);
        tile.c[r][2 * panel] = simd::mulAdd(broadcast, b0, tile.c[r][2 * panel]);
        tile.c[r][2 * panel + 1] = simd::mulAdd(broadcast, b1, tile.c[r][2 * panel + 1]);
      }
    }
  }
  return tile;
}

/// Calls `use.template operator()<kRows>()` with the smallest kernel for so many rows. (Without SIMD there
/// is one kernel for all: those for few rows would be 6 KB of a module that is only a fallback.)
template <class Use>
inline void forRows(std::size_t rows, Use use) {
  if constexpr (simd::kHasVectors) {
    if (rows == 1) return use.template operator()<1>();
    if (rows == 2) return use.template operator()<2>();
  }
  use.template operator()<kMicroRows>();
}

}  // namespace attn::tiled
