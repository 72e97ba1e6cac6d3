#pragma once

// The only file that knows the SIMD library. Vectors of four float32 or two float64, on every target:
// WebAssembly SIMD, SSE and NEON by their instructions, elsewhere emulated with the same results.

#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>

#ifdef __wasm_relaxed_simd__
#include <wasm_simd128.h>
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

// What is compiled with relaxed SIMD has a name of its own: one module holds both kinds.
#ifdef __wasm_relaxed_simd__
#define ATTN_ROUNDING relaxed_rounding
#else
#define ATTN_ROUNDING fixed_rounding
#endif

namespace attn::simd {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::FixedTag<float, 4>;
using Ints = hn::RebindToSigned<Floats>;
using Bytes = hn::FixedTag<std::uint8_t, 4>;
using Doubles = hn::FixedTag<double, 2>;

using F32x4 = hn::Vec<Floats>;
using F64x2 = hn::Vec<Doubles>;

inline constexpr std::size_t kLanes = 4;

/// Whether the machine has vectors, or loops stand in for them.
inline constexpr bool kHasVectors = HWY_STATIC_TARGET != HWY_EMU128;

inline F32x4 zero() { return hn::Zero(Floats()); }
inline F32x4 splat(float x) { return hn::Set(Floats(), x); }
inline F32x4 vectorOf(float a, float b, float c, float d) { return hn::Dup128VecFromValues(Floats(), a, b, c, d); }
inline F32x4 load(const float* p) { return hn::LoadU(Floats(), p); }
inline void store(F32x4 v, float* p) { hn::StoreU(v, Floats(), p); }

/// The first `count` ≤ 4 lanes.
inline void storeSome(F32x4 v, std::size_t count, float* p) {
  if (count == kLanes) return store(v, p);
  float lanes[kLanes];
  store(v, lanes);
  for (std::size_t lane = 0; lane < count; ++lane) p[lane] = lanes[lane];
}

/// Four halves as the numbers they stand for, as `fromHalf` gives them (see there).
inline F32x4 loadHalves(const std::uint16_t* p) {
  const hn::RebindToUnsigned<Floats> words;
  const auto bits = hn::PromoteTo(words, hn::LoadU(hn::FixedTag<std::uint16_t, 4>(), p));
  const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(words, 0x7FFF)));
  const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(words, 0x8000)));
  const auto finite = hn::Mul(hn::BitCast(Floats(), magnitude), splat(0x1p112F));
  const auto infiniteOrNaN = hn::BitCast(Floats(), hn::Or(magnitude, hn::Set(words, 0x7F80'0000)));
  const auto isFinite = hn::RebindMask(Floats(), hn::Lt(magnitude, hn::Set(words, 0x0F80'0000)));
  return hn::Or(hn::IfThenElse(isFinite, finite, infiniteOrNaN), hn::BitCast(Floats(), sign));
}

inline F32x4 add(F32x4 a, F32x4 b) { return hn::Add(a, b); }
inline F32x4 sub(F32x4 a, F32x4 b) { return hn::Sub(a, b); }
inline F32x4 mul(F32x4 a, F32x4 b) { return hn::Mul(a, b); }
inline F32x4 div(F32x4 a, F32x4 b) { return hn::Div(a, b); }

inline namespace ATTN_ROUNDING {

/// a·b + c, fused or not as the target does best; never fused in the default WebAssembly builds, and as the reader's
/// machine does best in the relaxed one.
inline F32x4 mulAdd(F32x4 a, F32x4 b, F32x4 c) {
#ifdef __wasm_relaxed_simd__
  return F32x4{wasm_f32x4_relaxed_madd(a.raw, b.raw, c.raw)};
#else
  return hn::MulAdd(a, b, c);
#endif
}

}  // namespace ATTN_ROUNDING

/// The larger; if either is NaN, the second argument. One instruction (pmax), where a maximum that
/// treats NaN evenly takes nine.
inline F32x4 maxOrSecond(F32x4 a, F32x4 b) { return hn::IfThenElse(hn::Gt(a, b), a, b); }

inline F32x4 abs(F32x4 v) { return hn::Abs(v); }
inline F32x4 squareRoot(F32x4 v) { return hn::Sqrt(v); }

/// v, but 0 where it is ±∞ or NaN.
inline F32x4 finiteOrZero(F32x4 v) {
  return hn::IfThenElseZero(hn::Le(abs(v), splat(std::numeric_limits<float>::max())), v);
}

/// v, but 0 where x < limit.
inline F32x4 zeroIfLess(F32x4 x, F32x4 limit, F32x4 v) { return hn::IfThenZeroElse(hn::Lt(x, limit), v); }

/// v where x < limit, else `other`.
inline F32x4 selectLess(F32x4 x, F32x4 limit, F32x4 v, F32x4 other) {
  return hn::IfThenElse(hn::Lt(x, limit), v, other);
}

/// Whether x < limit in any lane.
inline bool anyLess(F32x4 x, F32x4 limit) { return !hn::AllFalse(Floats(), hn::Lt(x, limit)); }

/// The magnitude of v with the sign of s.
inline F32x4 withSignOf(F32x4 v, F32x4 s) { return hn::CopySign(v, s); }

/// v where the byte is not 0, else `other`.
inline F32x4 select(const std::uint8_t* bytes, F32x4 v, F32x4 other) {
  const auto wide = hn::PromoteTo(Ints(), hn::LoadU(Bytes(), bytes));
  return hn::IfThenElse(hn::RebindMask(Floats(), hn::Ne(wide, hn::Zero(Ints()))), v, other);
}

/// The low nine bits of each lane's pattern, as sign and exponent of a float.
inline F32x4 shiftIntoExponent(F32x4 v) { return hn::BitCast(Floats(), hn::ShiftLeft<23>(hn::BitCast(Ints(), v))); }

inline float sumOfLanes(F32x4 v) { return hn::ReduceSum(Floats(), v); }
inline float maxOfLanes(F32x4 v) { return hn::ReduceMax(Floats(), v); }

/// Rows to columns: a, b, c, d become the columns they were the rows of.
inline void transpose(F32x4& a, F32x4& b, F32x4& c, F32x4& d) {
  const Floats floats;
  const auto low0 = hn::InterleaveLower(floats, a, c);
  const auto low1 = hn::InterleaveLower(floats, b, d);
  const auto high0 = hn::InterleaveUpper(floats, a, c);
  const auto high1 = hn::InterleaveUpper(floats, b, d);
  a = hn::InterleaveLower(floats, low0, low1);
  b = hn::InterleaveUpper(floats, low0, low1);
  c = hn::InterleaveLower(floats, high0, high1);
  d = hn::InterleaveUpper(floats, high0, high1);
}

inline F64x2 splatWide(double x) { return hn::Set(Doubles(), x); }
inline F64x2 zeroWide() { return hn::Zero(Doubles()); }
inline F64x2 load(const double* p) { return hn::LoadU(Doubles(), p); }
inline F64x2 add(F64x2 a, F64x2 b) { return hn::Add(a, b); }
inline void store(F64x2 v, double* p) { hn::StoreU(v, Doubles(), p); }
inline F64x2 mulAdd(F64x2 a, F64x2 b, F64x2 c) { return hn::MulAdd(a, b, c); }
inline F64x2 widenLower(F32x4 v) { return hn::PromoteLowerTo(Doubles(), v); }
inline F64x2 widenUpper(F32x4 v) { return hn::PromoteUpperTo(Doubles(), v); }

/// The instruction set in the words of its makers, not of the library.
inline const char* targetName() {
  if (HWY_STATIC_TARGET == HWY_WASM) return "simd128";
  if (HWY_STATIC_TARGET == HWY_EMU128) return "scalar";
  return hwy::TargetName(HWY_STATIC_TARGET);
}

}  // namespace attn::simd
