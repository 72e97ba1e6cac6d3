#pragma once

#include <numbers>

#include "tiled/kernel/simd.h"

// Exponentials of numbers ≤ 0, as softmax needs them; that of 2 also of small positive ones.
//
// Both split the result into 2ⁿ · 2ᶠ with n an integer and |f| ≤ ½, and take 2ᶠ from a polynomial of
// degree 6 (minimax, relative error 1.9e-9 before rounding). They are exactly 1 at 0 and exactly 0
// where the result would be below 2⁻¹²⁶, at −∞ too; NaN gives NaN.

namespace attn::tiled {

using simd::F32x4;

inline namespace ATTN_ROUNDING {

namespace detail {

// Adding this leaves the integer nearest to a small x, plus the exponent bias 127, in the low bits.
inline constexpr float kRoundAndBias = 0x1.8p23F + 127.0F;

// Not Horner's way: six steps that wait for each other are longer than the machine looks ahead.
inline F32x4 polynomialOfExp2(F32x4 f) {
  const F32x4 f2 = simd::mul(f, f);
  const F32x4 c12 = simd::mulAdd(f, simd::splat(0.240226462F), simd::splat(0.693147182F));
  const F32x4 c34 = simd::mulAdd(f, simd::splat(9.61848907e-3F), simd::splat(5.55032864e-2F));
  const F32x4 c56 = simd::mulAdd(f, simd::splat(1.53458124e-4F), simd::splat(1.33999309e-3F));
  const F32x4 c123456 = simd::mulAdd(f2, simd::mulAdd(f2, c56, c34), c12);
  return simd::mulAdd(f, c123456, simd::splat(1.0F));
}

}  // namespace detail

/// 2ˣ for x ≤ 127. Relative error at most 1.5e-7 on [−126, 127].
inline F32x4 exp2(F32x4 x) {
  const F32x4 magic = simd::splat(detail::kRoundAndBias);
  const F32x4 shifted = simd::add(x, magic);
  const F32x4 f = simd::sub(x, simd::sub(shifted, magic));
  // A product rather than a sum of exponents: it keeps a NaN, whatever its payload.
  const F32x4 power = simd::mul(detail::polynomialOfExp2(f), simd::shiftIntoExponent(shifted));
  return simd::zeroIfLess(x, simd::splat(-126.0F), power);
}

/// eˣ for x ≤ 0. Relative error at most 2e-7 on [−87, 0].
inline F32x4 exp(F32x4 x) {
  constexpr float kLog2E = std::numbers::log2e_v<float>;
  // ln 2 in two parts, the first of so few bits that its product with n is exact.
  constexpr float kLn2High = 0.693359375F;
  constexpr float kLn2Low = -2.12194440e-4F;
  const F32x4 magic = simd::splat(detail::kRoundAndBias);
  const F32x4 shifted = simd::mulAdd(x, simd::splat(kLog2E), magic);
  const F32x4 n = simd::sub(shifted, magic);
  const F32x4 rest = simd::mulAdd(n, simd::splat(-kLn2Low), simd::mulAdd(n, simd::splat(-kLn2High), x));
  const F32x4 f = simd::mul(rest, simd::splat(kLog2E));
  const F32x4 power = simd::mul(detail::polynomialOfExp2(f), simd::shiftIntoExponent(shifted));
  return simd::zeroIfLess(x, simd::splat(-126.0F / kLog2E), power);
}

}  // namespace ATTN_ROUNDING

}  // namespace attn::tiled
