#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xview.hpp>

#include "attn/exact_size.h"
#include "attn/reference.h"
#include "mask/mask_set.h"
#include "scale.h"
#include "validate.h"

namespace attn::reference {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
auto vectorOf(T* data, std::size_t length) {
  return xt::adapt(data, length, xt::no_ownership(), std::array<std::size_t, 1>{length});
}

template <class T>
auto matrixOf(T* data, std::size_t rows, std::size_t columns) {
  return xt::adapt(data, rows * columns, xt::no_ownership(), std::array<std::size_t, 2>{rows, columns});
}

/// One query against its keys and values. `scores` and `weights` [nk] and `visible` [nk] are scratch
/// and, in the end, results; `output` is [dv].
struct Row {
  const double* query;
  const double* keys;
  const double* values;
  double* scores;
  double* weights;
  std::uint8_t* visible;
  double* output;
  double logSumExp;
};

class Formula {
 public:
  Formula(const Shape& shape, const Options& options, const Broadcast<double>& bias)
      : shape_(shape), options_(options), bias_(bias), scale_(scaleOf(shape, options)), masks_(shape, options.mask) {}

  void apply(std::size_t b, std::size_t h, std::size_t i, Row& row) const {
    if (shape_.keys == 0) return empty(b, row);
    const auto q = vectorOf(row.query, shape_.keyDim);
    const auto k = matrixOf(row.keys, shape_.keys, shape_.keyDim);
    auto s = vectorOf(row.scores, shape_.keys);
    auto p = vectorOf(row.weights, shape_.keys);
    auto visible = vectorOf(row.visible, shape_.keys);
    masks_.visible({b, h, i, 1, 0, shape_.keys}, {row.visible, shape_.keys});

    xt::noalias(s) = scale_ * xt::sum(k * q, {1});
    if (options_.softcap) xt::noalias(s) = *options_.softcap * xt::tanh(s / *options_.softcap);
    if (bias_.data != nullptr) addBias(b, h, i, row.scores);
    xt::noalias(s) = xt::where(xt::not_equal(visible, 0), s, -kInfinity);
    // A score of −∞ forbids, wherever it comes from.
    xt::noalias(visible) = xt::greater(s, -kInfinity) || xt::isnan(s);

    if (!xt::any(xt::not_equal(visible, 0))) return empty(b, row);
    if (xt::any(xt::isnan(s)) || xt::any(xt::equal(s, kInfinity))) return broken(row);

    const double max = xt::amax(s)();
    xt::noalias(p) = xt::exp(s - max);
    const double sum = xt::sum(p)();
    xt::noalias(p) = p / sum;
    row.logSumExp = max + std::log(sum);
    mix(row);
  }

 private:
  /// A bias of −∞ forbids whatever the score is, NaN included.
  void addBias(std::size_t b, std::size_t h, std::size_t i, double* scores) const {
    for (std::size_t j = 0; j < shape_.keys; ++j) {
      const double bias = *bias_.at(b, h, i, j);
      scores[j] = bias == -kInfinity ? bias : scores[j] + bias;
    }
  }

  /// output = weights · values, over the visible keys alone: 0 · NaN would be NaN.
  void mix(const Row& row) const {
    if (shape_.keys == 0) {  // xtensor steps beyond the end of an empty axis
      std::fill_n(row.output, shape_.valueDim, 0.0);
      return;
    }
    const auto v = matrixOf(row.values, shape_.keys, shape_.valueDim);
    const auto w = vectorOf(row.weights, shape_.keys);
    const auto visible = vectorOf(row.visible, shape_.keys);
    const auto column = [](const auto& vector) { return xt::view(vector, xt::all(), xt::newaxis()); };
    auto output = vectorOf(row.output, shape_.valueDim);
    xt::noalias(output) = xt::sum(xt::where(xt::not_equal(column(visible), 0), column(w) * v, 0.0), {0});
  }

  void broken(Row& row) const {
    std::fill_n(row.weights, shape_.keys, kNaN);
    std::fill_n(row.output, shape_.valueDim, kNaN);
    row.logSumExp = kNaN;
  }

  void empty(std::size_t b, Row& row) const {
    if (options_.emptyRows == EmptyRows::nan) return broken(row);
    const std::uint32_t* const lengths = options_.mask.keyLengths;
    const std::size_t real = lengths == nullptr ? shape_.keys : std::min<std::size_t>(lengths[b], shape_.keys);
    const bool mean = options_.emptyRows == EmptyRows::uniform;
    for (std::size_t j = 0; j < shape_.keys; ++j) {
      row.visible[j] = static_cast<std::uint8_t>(mean && j < real);
      row.weights[j] = row.visible[j] != 0 ? 1.0 / static_cast<double>(real) : 0.0;
    }
    row.logSumExp = -kInfinity;
    mix(row);
  }

  const Shape& shape_;
  const Options& options_;
  const Broadcast<double>& bias_;
  double scale_;
  MaskSet masks_;
};

}  // namespace

std::uint64_t workingBytes(const Shape& shape) {
  return sumOf({productOf({2, Arena::paddedBytes<double>(shape.keys)}), Arena::paddedBytes<std::uint8_t>(shape.keys)});
}

Status attention(const Shape& shape, const Inputs& inputs, const Options& options, const Outputs& outputs,
                 Arena& arena) {
  const bool needsCells = outputs.weights != nullptr || outputs.scores != nullptr;
  if (const Status status = check(shape, sizeof(double), needsCells); status != Status::ok) return status;
  if (const Status status = check(options); status != Status::ok) return status;
  if (!shape.hasRows()) return Status::ok;

  const Arena::Scope scope(arena);
  const auto& [batch, queryHeads, kvHeads, nq, nk, d, dv] = shape;
  if (!arena.reserve(workingBytes(shape))) return Status::outOfMemory;
  Row row{};
  row.scores = arena.take<double>(nk).data();
  row.weights = arena.take<double>(nk).data();
  row.visible = arena.take<std::uint8_t>(nk).data();

  const Formula formula(shape, options, inputs.bias);
  std::size_t r = 0;
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t h = 0; h < queryHeads; ++h) {
      const std::size_t source = (b * kvHeads + shape.kvHeadOf(h)) * nk;
      row.keys = inputs.key + source * d;
      row.values = inputs.value + source * dv;
      for (std::size_t i = 0; i < nq; ++i, ++r) {
        row.query = inputs.query + r * d;
        row.output = outputs.output + r * dv;
        formula.apply(b, h, i, row);
        if (outputs.scores != nullptr) std::copy_n(row.scores, nk, outputs.scores + r * nk);
        if (outputs.weights != nullptr) std::copy_n(row.weights, nk, outputs.weights + r * nk);
        if (outputs.logSumExp != nullptr) outputs.logSumExp[r] = row.logSumExp;
      }
    }
  }
  return Status::ok;
}

}  // namespace attn::reference
