#pragma once

#include <cstddef>

#include "tiled/simd.h"

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

struct MicroTile {
  simd::F32x4 c[kMicroRows][kMicroColumns / simd::kLanes];
};

/// A[k, r] is `a[k·kStepA + r·kRowA]`: both constants, so that they become parts of addresses.
/// B[k] starts at `b + k·stepB`.
template <std::size_t kStepA, std::size_t kRowA>
inline MicroTile rankOneUpdates(const float* a, const float* b, std::size_t stepB, std::size_t count) {
  MicroTile tile;  // NOLINT(cppcoreguidelines-pro-type-member-init): the next line fills it
  for (auto& row : tile.c) row[0] = row[1] = simd::zero();
  for (std::size_t k = 0; k < count; ++k, a += kStepA, b += stepB) {
    const simd::F32x4 b0 = simd::load(b);
    const simd::F32x4 b1 = simd::load(b + simd::kLanes);
    for (std::size_t r = 0; r < kMicroRows; ++r) {
      const simd::F32x4 broadcast = simd::splat(a[r * kRowA]);
      tile.c[r][0] = simd::mulAdd(broadcast, b0, tile.c[r][0]);
      tile.c[r][1] = simd::mulAdd(broadcast, b1, tile.c[r][1]);
    }
  }
  return tile;
}

}  // namespace attn::tiled
