#include "tiled/careful_gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/exact_size.h"
#include "scale.h"
#include "scoring/product.h"

namespace attn::tiled {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

std::uint64_t CarefulGradient::workingBytes(const Shape& shape) {
  return sumOf({productOf({2, Arena::paddedBytes<double>(shape.keys)}), Arena::paddedBytes<double>(shape.keyDim),
                Arena::paddedBytes<std::uint8_t>(shape.keys)});
}

CarefulGradient::CarefulGradient(const Shape& shape, const Options& options, const ExactScores& scores, Arena& arena)
    : shape_(shape),
      options_(options),
      scale_(scaleOf(shape, options)),
      scores_(scores),
      weights_(arena.take<double>(shape.keys)),
      gradient_(arena.take<double>(shape.keys)),
      dQuery_(arena.take<double>(shape.keyDim)),
      visible_(arena.take<std::uint8_t>(shape.keys)) {}

void CarefulGradient::add(std::size_t b, std::size_t h, std::size_t i, const GradientRow& row, GradientSum& dKey,
                          GradientSum& dValue) {
  std::fill_n(row.dQuery, shape_.keyDim, 0.0F);
  const auto product = [&](std::size_t j) {
    return scoring::dot(row.query, row.keys + j * shape_.keyDim, shape_.keyDim);
  };
  scores_.row(b, h, i, product, weights_.data(), visible_.data());

  double max = -kInfinity;
  bool any = false;
  for (std::size_t j = 0; j < shape_.keys; ++j) {
    visible_[j] = static_cast<std::uint8_t>(weights_[j] != -kInfinity);
    any = any || visible_[j] != 0;
    max = std::fmax(max, weights_[j]);
  }
  if (!any) return share(b, row, dValue);

  // A NaN or +∞ among the scores makes the sum NaN, and so every weight.
  double sum = 0;
  for (double& weight : weights_) sum += weight = std::exp(weight - max);
  double mean = 0;
  for (std::size_t j = 0; j < shape_.keys; ++j) {
    if (visible_[j] == 0) continue;
    weights_[j] /= sum;
    gradient_[j] = scoring::dot(row.dOutput, row.values + j * shape_.valueDim, shape_.valueDim);
    mean += weights_[j] * gradient_[j];
  }

  std::ranges::fill(dQuery_, 0.0);
  for (std::size_t j = 0; j < shape_.keys; ++j) {
    if (visible_[j] == 0) continue;
    dValue.addRow(j, weights_[j], row.dOutput);
    const float* const key = row.keys + j * shape_.keyDim;
    const double dz = weights_[j] * (gradient_[j] - mean) * slope(product(j));
    if (dz == 0) continue;
    dKey.addRow(j, dz, row.query);
    for (std::size_t c = 0; c < shape_.keyDim; ++c) dQuery_[c] += dz * double{key[c]};
  }
  for (std::size_t c = 0; c < shape_.keyDim; ++c) row.dQuery[c] = static_cast<float>(scale_ * dQuery_[c]);
}

/// An empty row, which is the mean of all real values or does not depend on anything.
void CarefulGradient::share(std::size_t b, const GradientRow& row, GradientSum& dValue) {
  if (options_.emptyRows != EmptyRows::uniform) return;
  const std::uint32_t* const lengths = options_.mask.keyLengths;
  const std::size_t real = lengths == nullptr ? shape_.keys : std::min<std::size_t>(lengths[b], shape_.keys);
  for (std::size_t j = 0; j < real; ++j) dValue.addRow(j, 1.0 / static_cast<double>(real), row.dOutput);
}

/// The derivative of the softcap, 1 − tanh² = 1/cosh².
double CarefulGradient::slope(double product) const {
  if (!options_.softcap) return 1;
  const double cosh = std::cosh(scale_ * product / *options_.softcap);
  return 1 / (cosh * cosh);
}

}  // namespace attn::tiled
