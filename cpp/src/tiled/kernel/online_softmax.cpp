#include "tiled/kernel/online_softmax.h"

#include "tiled/kernel/exp.h"
#include "tiled/plan.h"

namespace attn::tiled {

using simd::F32x4;

namespace {

/// Gives the sum in four parts. A function of its own, with registers for all coefficients.
[[gnu::noinline]] F32x4 exponentiateInParts(float* s, std::size_t columns, float shift) {
  F32x4 sum = simd::zero();
  for (std::size_t c = 0; c < columns; c += simd::kLanes) {
    const F32x4 p = exp2(simd::sub(simd::load(s + c), simd::splat(shift)));
    simd::store(p, s + c);
    sum = simd::add(sum, p);
  }
  return sum;
}

}  // namespace

F32x4 rowMaxima(const float* s, std::size_t rows, std::size_t columns) {
  F32x4 max[kMicroRows] = {simd::zero(), simd::zero(), simd::zero(), simd::zero()};
  for (std::size_t r = 0; r < rows; ++r, s += kMaxTileKeys) {
    F32x4 largest = simd::load(s);
    for (std::size_t c = simd::kLanes; c < columns; c += simd::kLanes) {
      largest = simd::maxOrSecond(simd::load(s + c), largest);
    }
    max[r] = largest;
  }
  simd::transpose(max[0], max[1], max[2], max[3]);
  return simd::maxOrSecond(simd::maxOrSecond(max[0], max[1]), simd::maxOrSecond(max[2], max[3]));
}

float exponentiateRow(float* s, std::size_t columns, float shift) {
  return simd::sumOfLanes(exponentiateInParts(s, columns, shift));
}

F32x4 exponentiate(float* s, std::size_t rows, std::size_t columns, F32x4 shift) {
  float shifts[kMicroRows];
  simd::store(shift, shifts);
  F32x4 sum[kMicroRows] = {simd::zero(), simd::zero(), simd::zero(), simd::zero()};
  for (std::size_t r = 0; r < rows; ++r) sum[r] = exponentiateInParts(s + r * kMaxTileKeys, columns, shifts[r]);
  simd::transpose(sum[0], sum[1], sum[2], sum[3]);
  return simd::add(simd::add(sum[0], sum[1]), simd::add(sum[2], sum[3]));
}

Decay SoftmaxState::advance(simd::F32x4 here, float slack) {
  simd::store(simd::maxOrSecond(here, simd::load(largest_)), largest_);
  const simd::F32x4 before = simd::load(max_);
  const simd::F32x4 limit = simd::add(before, simd::splat(slack));
  if (!simd::anyLess(limit, here)) return {simd::splat(1.0F), true};
  simd::store(simd::selectLess(limit, here, here, before), max_);
  const simd::F32x4 decay = exp2(simd::sub(before, shift()));
  float factors[kMicroRows];
  simd::store(decay, factors);
  for (std::size_t r = 0; r < kMicroRows; ++r) sum_[r] *= double{factors[r]};
  return {decay, false};
}

}  // namespace attn::tiled
