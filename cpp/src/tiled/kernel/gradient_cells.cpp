#include "tiled/kernel/gradient_cells.h"

#include <algorithm>
#include <limits>

#include "tiled/kernel/exp.h"
#include "tiled/kernel/online_softmax.h"

namespace attn::tiled {

using simd::F32x4;

namespace {

void weigh(float* s, float* g, std::size_t columns, float shift, GradientCells::Sums& sums) {
  F32x4 weights = simd::zero();
  F32x4 products = simd::zero();
  for (std::size_t c = 0; c < columns; c += simd::kLanes) {
    const F32x4 score = simd::load(s + c);
    const F32x4 p = exp2(simd::sub(score, simd::splat(shift)));
    const F32x4 seen = simd::zeroIfLess(score, simd::splat(std::numeric_limits<float>::lowest()), simd::load(g + c));
    simd::store(p, s + c);
    simd::store(seen, g + c);
    weights = simd::add(weights, p);
    products = simd::mulAdd(p, seen, products);
  }
  sums.weights += double{simd::sumOfLanes(weights)};
  sums.products += double{simd::sumOfLanes(products)};
}

void differentiate(float* p, float* g, std::size_t columns, float inverse, float mean) {
  for (std::size_t c = 0; c < columns; c += simd::kLanes) {
    const F32x4 weight = simd::mul(simd::load(p + c), simd::splat(inverse));
    simd::store(weight, p + c);
    simd::store(simd::mul(weight, simd::sub(simd::load(g + c), simd::splat(mean))), g + c);
  }
}

void multiply(const float* slopes, std::size_t columns, float* g) {
  for (std::size_t c = 0; c < columns; c += simd::kLanes) {
    simd::store(simd::mul(simd::load(g + c), simd::load(slopes + c)), g + c);
  }
}

}  // namespace

F32x4 GradientCells::rowMaxima(std::size_t row, std::size_t rows) {
  F32x4 max = simd::splat(-std::numeric_limits<float>::infinity());
  for (std::size_t v = 0; v < visitCount_; ++v) {
    max = simd::maxOrSecond(tiled::rowMaxima(scores(v, row), rows, visits_[v].columns), max);
  }
  return max;
}

GradientCells::Sums GradientCells::weighRow(std::size_t row, float shift) {
  Sums sums;
  for (std::size_t v = 0; v < visitCount_; ++v) {
    weigh(scores(v, row), gradients(v, row), visits_[v].columns, shift, sums);
  }
  return sums;
}

void GradientCells::differentiateRow(std::size_t row, const Sums& sums) {
  const auto inverse = static_cast<float>(1 / sums.weights);
  const auto mean = static_cast<float>(sums.products / sums.weights);
  for (std::size_t v = 0; v < visitCount_; ++v) {
    differentiate(scores(v, row), gradients(v, row), visits_[v].columns, inverse, mean);
    if (hasSlopes()) multiply(slopes(v, row), visits_[v].columns, gradients(v, row));
  }
}

void GradientCells::clearRow(std::size_t row) {
  for (std::size_t v = 0; v < visitCount_; ++v) {
    std::fill_n(scores(v, row), visits_[v].columns, 0.0F);
    std::fill_n(gradients(v, row), visits_[v].columns, 0.0F);
  }
}

}  // namespace attn::tiled
