#pragma once

#include <numbers>

#include "tiled/kernel/exp.h"
#include "tiled/kernel/simd.h"

namespace attn::tiled {

/// tanh x, relative error at most 3e-7; NaN gives NaN, ±∞ give ±1. Near 0 an odd polynomial (Cephes,
/// tanhf), because 1 − e^(−2|x|) would lose the digits of x; from 0.625 on by the exponential.
inline simd::F32x4 tanh(simd::F32x4 x) {
  using simd::F32x4;
  constexpr float kPolynomialBelow = 0.625F;
  const F32x4 size = simd::abs(x);

  const F32x4 square = simd::mul(x, x);
  F32x4 p = simd::splat(-5.70498872745e-3F);
  p = simd::mulAdd(p, square, simd::splat(2.06390887954e-2F));
  p = simd::mulAdd(p, square, simd::splat(-5.37397155531e-2F));
  p = simd::mulAdd(p, square, simd::splat(1.33314422036e-1F));
  p = simd::mulAdd(p, square, simd::splat(-3.33332819422e-1F));
  const F32x4 small = simd::mulAdd(simd::mul(p, square), x, x);

  const F32x4 e = exp2(simd::mul(size, simd::splat(-2.0F * std::numbers::log2e_v<float>)));
  const F32x4 one = simd::splat(1.0F);
  const F32x4 large = simd::withSignOf(simd::div(simd::sub(one, e), simd::add(one, e)), x);

  return simd::selectLess(size, simd::splat(kPolynomialBelow), small, large);
}

/// 1 − tanh² x, its derivative, relative error at most 6e-7 down to 2⁻¹²⁶; NaN gives NaN. As
/// 4e/(1 + e)² with e = e^(−2|x|), because the difference would lose its digits where tanh is near ±1.
inline simd::F32x4 tanhSlope(simd::F32x4 x) {
  using simd::F32x4;
  const F32x4 e = exp2(simd::mul(simd::abs(x), simd::splat(-2.0F * std::numbers::log2e_v<float>)));
  const F32x4 whole = simd::add(simd::splat(1.0F), e);
  return simd::div(simd::mul(simd::splat(4.0F), e), simd::mul(whole, whole));
}

}  // namespace attn::tiled
