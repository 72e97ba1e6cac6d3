#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "tiled/kernel/simd.h"

namespace attn::tiled {

// The one kernel under both matrix products:  C[4, 8] = Σ_k A[k, 4] · B[k, 8]  (rank-1 updates).
//
//   scores   A = four queries, k over d;   B = a panel of eight keys
//   output   A = four rows of weights, k over keys;   B = a panel of eight columns of the values
//
// 4×8 keeps eight accumulators, one broadcast and two vectors of B in registers. More rows or
// columns, or unrolling over k, makes V8 spill: 6×8 ran at 0.6 and unrolling by 4 at 0.55 of the
// machine's mul+add limit, this at 0.9. B is read from its first number to its last, which is what memory is best at.
//
// Fewer rows, as in decoding, keep four accumulators: one row takes two steps of k at a time, each with sums of its
// own. Two accumulators would wait for each other; with eight V8 spills, since it loads all of a step first.

inline constexpr std::size_t kMicroRows = 4;
inline constexpr std::size_t kMicroColumns = 8;

/// Steps of k with sums of their own.
template <std::size_t kRows>
inline constexpr std::size_t kStepsAtOnce = kRows == 1 ? 2 : 1;

template <std::size_t kRows>
struct MicroTile {
  simd::F32x4 c[kRows][kMicroColumns / simd::kLanes];
};

template <std::size_t kRows>
inline MicroTile<kRows> plus(const MicroTile<kRows>& a, const MicroTile<kRows>& b) {
  MicroTile<kRows> sum;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t half = 0; half < std::size(sum.c[r]); ++half) {
      sum.c[r][half] = simd::add(a.c[r][half], b.c[r][half]);
    }
  }
  return sum;
}

/// A[k, r] is `a[k·kStepA + r·kRowA]`: both constants, so that they become parts of addresses.
template <std::size_t kStepA, std::size_t kRowA, std::size_t kRows = kMicroRows>
inline MicroTile<kRows> rankOneUpdates(const float* a, const float* b, std::size_t count) {
  constexpr std::size_t kSteps = kStepsAtOnce<kRows>;
  MicroTile<kRows> sums[kSteps];  // NOLINT(cppcoreguidelines-pro-type-member-init): the next lines fill it
  for (auto& sum : sums) {
    for (auto& row : sum.c) std::ranges::fill(row, simd::zero());
  }
  const auto update = [&](std::size_t step) {
    const simd::F32x4 b0 = simd::load(b + step * kMicroColumns);
    const simd::F32x4 b1 = simd::load(b + step * kMicroColumns + simd::kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const simd::F32x4 broadcast = simd::splat(a[step * kStepA + r * kRowA]);
      sums[step].c[r][0] = simd::mulAdd(broadcast, b0, sums[step].c[r][0]);
      sums[step].c[r][1] = simd::mulAdd(broadcast, b1, sums[step].c[r][1]);
    }
  };
  for (; count >= kSteps; count -= kSteps, a += kSteps * kStepA, b += kSteps * kMicroColumns) {
    update(0);
    if constexpr (kSteps == 2) update(1);
  }
  if constexpr (kSteps == 1) return sums[0];
  if (count > 0) update(0);
  return plus(sums[0], sums[kSteps - 1]);
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
