#include "attn/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tiled/exp.h"
#include "tiled/simd.h"

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

}  // namespace

void softmax(const float* x, std::size_t rows, std::size_t columns, float* y) {
  if (columns == 0) return;
  for (std::size_t r = 0; r < rows; ++r) softmaxRow(x + r * columns, columns, y + r * columns);
}

}  // namespace attn
