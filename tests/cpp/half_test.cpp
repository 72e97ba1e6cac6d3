#include "attn/half.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace attn;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Half {
  static constexpr int kFractionBits = 10;
  static constexpr int kBias = 15;
  static constexpr std::uint16_t kInfinityBits = 0x7C00;
  static std::uint16_t encode(double x) { return toHalf(x); }
  static float decode(std::uint16_t bits) { return fromHalf(bits); }
};

struct Bfloat16 {
  static constexpr int kFractionBits = 7;
  static constexpr int kBias = 127;
  static constexpr std::uint16_t kInfinityBits = 0x7F80;
  static std::uint16_t encode(double x) { return toBfloat16(x); }
  static float decode(std::uint16_t bits) { return fromBfloat16(bits); }
};

/// What the standard says the bits of a finite number mean, continued past the largest exponent: the
/// bits of ∞ stand for the next number there would be.
template <class Format>
double meaningOf(std::uint16_t bits) {
  const int fraction = bits & ((1 << Format::kFractionBits) - 1);
  const int exponent = (bits & 0x7FFF) >> Format::kFractionBits;
  const double significand = exponent == 0 ? fraction : fraction + (1 << Format::kFractionBits);
  const double magnitude = std::ldexp(significand, std::max(exponent, 1) - Format::kBias - Format::kFractionBits);
  return (bits & 0x8000) == 0 ? magnitude : -magnitude;
}

template <class Format>
void checkAllBits() {
  int wrong = 0;
  for (std::uint32_t pattern = 0; pattern <= 0xFFFF; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    const std::uint16_t magnitude = bits & 0x7FFF;
    const float number = Format::decode(bits);
    if (magnitude > Format::kInfinityBits) {
      const std::uint16_t nan = Format::encode(double{number});
      wrong += !std::isnan(number) || nan != (Format::kInfinityBits | 1 << (Format::kFractionBits - 1));
    } else if (magnitude == Format::kInfinityBits) {
      wrong += double{number} != (bits == magnitude ? kInfinity : -kInfinity) || Format::encode(double{number}) != bits;
    } else {
      wrong += double{number} != meaningOf<Format>(bits) || std::signbit(number) != (bits != magnitude) ||
               Format::encode(double{number}) != bits;
    }
  }
  CHECK(wrong == 0);
}

/// Between each number and the next one up (for the largest: where the next would be) the middle goes
/// to the even one, and what is nearest to the middle on either side goes to its own side.
template <class Format>
void checkAllMiddles() {
  int wrong = 0;
  for (std::uint16_t lower = 0; lower < Format::kInfinityBits; ++lower) {
    const auto upper = static_cast<std::uint16_t>(lower + 1);
    const double middle = (meaningOf<Format>(lower) + meaningOf<Format>(upper)) / 2;
    const std::uint16_t even = (lower & 1) == 0 ? lower : upper;
    for (const int sign : {1, -1}) {
      const auto rounds = [&](double magnitude, std::uint16_t to) {
        return Format::encode(sign * magnitude) == (to | (sign < 0 ? 0x8000 : 0));
      };
      wrong += !rounds(middle, even);
      wrong += !rounds(std::nextafter(middle, 0.0), lower);
      wrong += !rounds(std::nextafter(middle, kInfinity), upper);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every half means what IEEE 754 says and survives the way there and back") { checkAllBits<Half>(); }

TEST_CASE("every bfloat16 means what its bits say and survives the way there and back") { checkAllBits<Bfloat16>(); }

TEST_CASE("a number between two halves goes to the nearer, from the middle to the even one") {
  checkAllMiddles<Half>();
}

TEST_CASE("a number between two bfloat16 goes to the nearer, from the middle to the even one") {
  checkAllMiddles<Bfloat16>();
}

TEST_CASE("numbers outside the range of 16 bits") {
  for (const double huge : {65520.0, 1e10, 1e300, std::numeric_limits<double>::max(), kInfinity}) {
    CHECK(toHalf(huge) == 0x7C00);
    CHECK(toHalf(-huge) == 0xFC00);
  }
  CHECK(fromHalf(toHalf(65519.99)) == 65504);
  CHECK(toBfloat16(1e300) == 0x7F80);
  CHECK(fromBfloat16(toBfloat16(std::numeric_limits<float>::max())) == std::numeric_limits<float>::infinity());
  for (const double tiny : {1e-30, std::numeric_limits<double>::denorm_min()}) {
    CHECK(toHalf(tiny) == 0);
    CHECK(toHalf(-tiny) == 0x8000);
  }
  CHECK(toBfloat16(-std::numeric_limits<double>::denorm_min()) == 0x8000);
}

TEST_CASE("rounding is in one step") {
  // 1 + 2⁻¹¹ is a tie between two halves. Rounded to float32 first, what lies just above would become it.
  const double above = 1 + 0x1p-11 + 0x1p-40;
  CHECK(fromHalf(toHalf(above)) == 1 + 0x1p-10F);
  CHECK(fromHalf(toHalf(double{static_cast<float>(above)})) == 1);
}
