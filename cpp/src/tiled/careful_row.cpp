#include "tiled/careful_row.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/exact_size.h"
#include "logarithm.h"

namespace attn::tiled {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

void fill(const Shape& shape, const RowOutputs& row, float output, float weight, float logSumExp) {
  std::fill_n(row.output, shape.valueDim, output);
  if (row.weights != nullptr) std::fill_n(row.weights, shape.keys, weight);
  if (row.logSumExp != nullptr) *row.logSumExp = logSumExp;
}

}  // namespace

std::uint64_t CarefulRow::workingBytes(const Shape& shape) {
  return sumOf({Arena::paddedBytes<double>(shape.keys), Arena::paddedBytes<double>(shape.valueDim),
                Arena::paddedBytes<std::uint8_t>(shape.keys)});
}

CarefulRow::CarefulRow(const Shape& shape, const Options& options, const ExactScores& scores, Arena& arena)
    : shape_(shape),
      emptyRows_(options.emptyRows),
      keyLengths_(options.mask.keyLengths),
      scores_(scores),
      weights_(arena.take<double>(shape.keys)),
      output_(arena.take<double>(shape.valueDim)),
      visible_(arena.take<std::uint8_t>(shape.keys)) {}

void CarefulRow::setScores(std::size_t b, std::size_t h, std::size_t i, const scoring::RowProducts& products,
                           KeyValueTiles& head) {
  const auto keyAt = [&](std::size_t j) { return head.key(j); };
  scores_.row(b, h, i, [&](std::size_t j) { return products.at(j, keyAt); }, weights_.data(), visible_.data());
}

void CarefulRow::compute(std::size_t b, std::size_t h, std::size_t i, const scoring::RowProducts& products,
                         KeyValueTiles& head, const RowOutputs& row) {
  if (scores_.seesNone(b, h, i)) return empty(b, head, row);
  setScores(b, h, i, products, head);

  double max = -kInfinity;
  for (std::size_t j = 0; j < shape_.keys; ++j) {
    const double score = weights_[j];
    if (std::isnan(score) || score == kInfinity) return fill(shape_, row, kNaN, kNaN, kNaN);
    if (score == -kInfinity) visible_[j] = 0;
    max = std::max(max, score);
  }
  if (max == -kInfinity) return empty(b, head, row);

  double total = 0;
  for (double& weight : weights_) total += weight = std::exp(weight - max);
  mix(head, total, row);
  if (row.logSumExp != nullptr) *row.logSumExp = static_cast<float>(max + logarithm(total));
}

void CarefulRow::trace(std::size_t b, std::size_t h, std::size_t i, const scoring::RowProducts& products,
                       KeyValueTiles& head, std::size_t tileKeys, const RowTrace& to) {
  setScores(b, h, i, products, head);
  double max = -kInfinity;
  double sum = 0;
  std::ranges::fill(output_, 0.0);
  for (std::size_t t = 0; t * tileKeys < shape_.keys; ++t) {
    const std::size_t end = std::min(shape_.keys, (t + 1) * tileKeys);
    double next = max;
    for (std::size_t j = t * tileKeys; j < end; ++j) next = std::fmax(next, weights_[j]);
    const double decay = max == next ? 1 : std::exp(max - next);
    sum *= decay;
    for (double& x : output_) x *= decay;
    max = next;
    for (std::size_t j = t * tileKeys; j < end; ++j) {
      if (weights_[j] == -kInfinity) continue;
      const double weight = std::exp(weights_[j] - max);
      sum += weight;
      const float* const value = head.value(j);
      for (std::size_t c = 0; c < shape_.valueDim; ++c) output_[c] += weight * double{value[c]};
    }
    to.max[t] = max;
    to.sum[t] = sum;
    std::ranges::copy(output_, to.output + t * shape_.valueDim);
  }
}

void CarefulRow::empty(std::size_t b, KeyValueTiles& head, const RowOutputs& row) {
  const std::size_t real = keyLengths_ == nullptr ? shape_.keys : std::min<std::size_t>(keyLengths_[b], shape_.keys);
  if (emptyRows_ == EmptyRows::nan) return fill(shape_, row, kNaN, kNaN, kNaN);
  fill(shape_, row, 0, 0, -std::numeric_limits<float>::infinity());
  if (emptyRows_ == EmptyRows::zero || real == 0) return;

  for (std::size_t j = 0; j < shape_.keys; ++j) {
    visible_[j] = static_cast<std::uint8_t>(j < real);
    weights_[j] = visible_[j];
  }
  mix(head, static_cast<double>(real), row);
}

void CarefulRow::mix(KeyValueTiles& head, double total, const RowOutputs& row) {
  std::ranges::fill(output_, 0.0);
  for (std::size_t j = 0; j < shape_.keys; ++j) {
    if (visible_[j] == 0) continue;
    const float* const value = head.value(j);
    for (std::size_t c = 0; c < shape_.valueDim; ++c) output_[c] += weights_[j] * double{value[c]};
  }
  for (std::size_t c = 0; c < shape_.valueDim; ++c) row.output[c] = static_cast<float>(output_[c] / total);
  if (row.weights == nullptr) return;
  for (std::size_t j = 0; j < shape_.keys; ++j) row.weights[j] = static_cast<float>(weights_[j] / total);
}

}  // namespace attn::tiled
