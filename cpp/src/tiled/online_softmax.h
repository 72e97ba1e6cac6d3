#pragma once

#include <cstddef>
#include <limits>

#include "tiled/exp.h"
#include "tiled/micro_kernel.h"
#include "tiled/simd.h"

namespace attn::tiled {

/// What softmax remembers of the four rows of a block, in units of log 2:
/// m, the largest score so far, and l = Σ 2^(s − m) over the keys so far.
struct SoftmaxState {
  float max[kMicroRows];
  double sum[kMicroRows];

  void reset() {
    for (float& m : max) m = -std::numeric_limits<float>::infinity();
    for (double& l : sum) l = 0;
  }
};

/// One step of the online softmax (Milakov and Gimelshein 2018, algorithm 3) over the scores
/// s [4, columns], rows `kRow` apart, columns a multiple of 4:
///
///   m' = max(m, maxⱼ sⱼ)     pⱼ = 2^(sⱼ − m')     α = 2^(m − m')     l' = α·l + Σⱼ pⱼ
///
/// Puts p in the place of s and returns α. A NaN in s, or +∞, makes l NaN whatever its place: p is
/// NaN there even if the maximum has overlooked it.
template <std::size_t kRow>
[[gnu::noinline]] simd::F32x4 softmaxStep(float* s, std::size_t columns, SoftmaxState& state) {
  using simd::F32x4;
  const F32x4 before = simd::load(state.max);

  F32x4 max[kMicroRows];
  for (std::size_t r = 0; r < kMicroRows; ++r) {
    max[r] = simd::load(s + r * kRow);
    for (std::size_t c = simd::kLanes; c < columns; c += simd::kLanes) {
      max[r] = simd::maxOrSecond(simd::load(s + r * kRow + c), max[r]);
    }
  }
  simd::transpose(max[0], max[1], max[2], max[3]);
  const F32x4 here = simd::maxOrSecond(simd::maxOrSecond(max[0], max[1]), simd::maxOrSecond(max[2], max[3]));
  const F32x4 now = simd::maxOrSecond(here, before);
  simd::store(now, state.max);

  // While nothing is visible m' is −∞, and −∞ − (−∞) would be NaN.
  const F32x4 shift = simd::maxOrSecond(now, simd::splat(std::numeric_limits<float>::lowest()));
  float shifts[kMicroRows];
  simd::store(shift, shifts);

  F32x4 sum[kMicroRows];
  for (std::size_t r = 0; r < kMicroRows; ++r) {
    const F32x4 rowShift = simd::splat(shifts[r]);
    sum[r] = simd::zero();
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      float* const place = s + r * kRow + c;
      const F32x4 p = exp2(simd::sub(simd::load(place), rowShift));
      simd::store(p, place);
      sum[r] = simd::add(sum[r], p);
    }
  }
  simd::transpose(sum[0], sum[1], sum[2], sum[3]);
  float sums[kMicroRows];
  simd::store(simd::add(simd::add(sum[0], sum[1]), simd::add(sum[2], sum[3])), sums);

  const F32x4 decay = exp2(simd::sub(before, shift));
  float decays[kMicroRows];
  simd::store(decay, decays);
  for (std::size_t r = 0; r < kMicroRows; ++r) state.sum[r] = double{decays[r]} * state.sum[r] + double{sums[r]};
  return decay;
}

}  // namespace attn::tiled
