#pragma once

#include <bit>
#include <cstdint>

namespace attn {

// Numbers of 16 bits, held as their bit patterns:
//
//                      sign  exponent  fraction   largest     smallest normal   smallest
//   half (binary16)       1         5        10   65504       2⁻¹⁴              2⁻²⁴
//   bfloat16              1         8         7   3.39e38     2⁻¹²⁶             2⁻¹³³
//
// Rounding is to nearest, ties to even, in one step from float64: by way of float32 a number just above
// a tie could become the tie and go the wrong way. Beyond the largest number lies ∞; what is below half
// the smallest becomes a zero of its sign. Every NaN becomes the one NaN of the format, since WebAssembly
// leaves the sign and the payload of a NaN open.

namespace detail {

/// The bit pattern of the nearest number in the format with these field widths.
template <int kExponentBits, int kFractionBits>
[[nodiscard]] constexpr std::uint16_t roundedTo16Bits(double x) {
  constexpr int kDoubleFractionBits = 52;
  constexpr int kSmallestExponent = 2 - (1 << (kExponentBits - 1));  // of the normal numbers
  constexpr std::uint64_t kInfinity = std::uint64_t{(1U << kExponentBits) - 1} << kFractionBits;
  if (x != x) return static_cast<std::uint16_t>(kInfinity | (1U << (kFractionBits - 1)));

  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto sign = static_cast<std::uint16_t>(bits >> 63 << 15);
  const int exponent = static_cast<int>(bits >> kDoubleFractionBits & 0x7FF) - 1023;
  const int steps = exponent > kSmallestExponent ? exponent - kSmallestExponent : 0;  // of the kept exponent
  const int dropped = kDoubleFractionBits - kFractionBits + (kSmallestExponent + steps - exponent);
  if (dropped > kDoubleFractionBits + 1) return sign;  // below half the smallest number

  const std::uint64_t one = std::uint64_t{1} << kDoubleFractionBits;
  const std::uint64_t significand = (bits & (one - 1)) | one;
  const std::uint64_t odd = significand >> dropped & 1;
  const std::uint64_t rounded = (significand + (std::uint64_t{1} << (dropped - 1)) - 1 + odd) >> dropped;
  // The leading bit of a normal significand adds one to the exponent field, and so does a carry out of rounding.
  const std::uint64_t magnitude = (static_cast<std::uint64_t>(steps) << kFractionBits) + rounded;
  return static_cast<std::uint16_t>(sign | (magnitude < kInfinity ? magnitude : kInfinity));
}

}  // namespace detail

/// The half nearest to x. Exact for every half; the relative error is at most 2⁻¹¹ from 2⁻¹⁴ to 65504.
[[nodiscard]] constexpr std::uint16_t toHalf(double x) { return detail::roundedTo16Bits<5, 10>(x); }

/// The number a half stands for, exactly.
[[nodiscard]] constexpr float fromHalf(std::uint16_t half) {
  // With the fields moved to where float32 has them the number is 2⁻¹¹² times too small, subnormals too.
  const std::uint32_t magnitude = std::uint32_t{half & 0x7FFFU} << 13;
  const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
  if (magnitude < 0x0F80'0000U) {
    const float number = std::bit_cast<float>(magnitude) * 0x1p112F;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) | sign);
  }
  return std::bit_cast<float>(magnitude | 0x7F80'0000U | sign);  // ∞ and NaN
}

/// The bfloat16 nearest to x. Exact for every bfloat16; the relative error is at most 2⁻⁸ for normal numbers.
[[nodiscard]] constexpr std::uint16_t toBfloat16(double x) { return detail::roundedTo16Bits<8, 7>(x); }

/// The number a bfloat16 stands for, exactly: the upper half of a float32.
[[nodiscard]] constexpr float fromBfloat16(std::uint16_t bfloat16) {
  return std::bit_cast<float>(std::uint32_t{bfloat16} << 16);
}

}  // namespace attn
