#include "attn/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "attn/half.h"
#include "tiled/kernel/exp.h"
#include "tiled/kernel/simd.h"

namespace attn {

namespace {

using simd::F32x4;
using simd::kLanes;

/// y = exp(x − max) for up to four numbers; gives their sum.
float expOf(const float* x, std::size_t count, float max, float* y) {
  float four[kLanes];
  std::copy_n(x, count, four);
  std::fill(four + count, four + kLanes, -std::numeric_limits<float>::infinity());
  simd::store(tiled::exp(simd::sub(simd::load(four), simd::splat(max))), four);
  std::copy_n(four, count, y);
  return simd::sumOfLanes(simd::load(four));
}

void softmaxRow(const float* x, std::size_t columns, float* y) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float max = -kInfinity;
  bool anyNaN = false;
  for (std::size_t c = 0; c < columns; ++c) {
    max = std::max(max, x[c]);
    anyNaN = anyNaN || std::isnan(x[c]);
  }
  if (anyNaN || max == kInfinity) {
    std::fill_n(y, columns, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  if (max == -kInfinity) {
    std::fill_n(y, columns, 0.0F);
    return;
  }
  double sum = 0;
  for (std::size_t c = 0; c < columns; c += kLanes) {
    sum += double{expOf(x + c, std::min(kLanes, columns - c), max, y + c)};
  }
  for (std::size_t c = 0; c < columns; ++c) y[c] = static_cast<float>(double{y[c]} / sum);
}

/// The number of the precision nearest to x. A sum, difference or quotient of two such numbers may be
/// taken in float64 first: that has more than twice their digits, so rounding twice is rounding once.
template <Precision kPrecision>
float rounded(double x) {
  if constexpr (kPrecision == Precision::f16) return fromHalf(toHalf(x));
  if constexpr (kPrecision == Precision::bf16) return fromBfloat16(toBfloat16(x));
  return static_cast<float>(x);
}

/// Softmax with every result rounded to the precision.
template <Precision kPrecision>
void roundedRow(const float* x, std::size_t columns, bool stable, float* y) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr auto kRounded = rounded<kPrecision>;
  std::transform(x, x + columns, y, kRounded);
  if (stable) {
    const float max = std::accumulate(y, y + columns, -kInfinity, [](float a, float b) { return std::fmax(a, b); });
    if (max == -kInfinity && std::none_of(y, y + columns, [](float s) { return std::isnan(s); })) {
      std::fill_n(y, columns, 0.0F);
      return;
    }
    std::transform(y, y + columns, y, [&](float s) { return kRounded(double{s} - double{max}); });
  }
  float sum = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    y[c] = kRounded(std::exp(double{y[c]}));
    sum = kRounded(double{sum} + double{y[c]});
  }
  std::transform(y, y + columns, y, [&](float p) { return kRounded(double{p} / double{sum}); });
}

}  // namespace

void softmax(const float* x, std::size_t rows, std::size_t columns, float* y, SoftmaxOptions options) {
  if (columns == 0) return;
  const auto& [precision, stable] = options;
  for (std::size_t r = 0; r < rows; ++r, x += columns, y += columns) {
    switch (precision) {
      case Precision::f32:
        if (stable) {
          softmaxRow(x, columns, y);
        } else {
          roundedRow<Precision::f32>(x, columns, false, y);
        }
        break;
      case Precision::f16:
        roundedRow<Precision::f16>(x, columns, stable, y);
        break;
      case Precision::bf16:
        roundedRow<Precision::bf16>(x, columns, stable, y);
        break;
    }
  }
}

}  // namespace attn
