#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

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

// The products, compiled once each: every further kind of xtensor expression takes some 2 KB of the
// compressed module.

/// Σ aᵢbᵢ
[[gnu::noinline]] double dot(const double* a, const double* b, std::size_t count) {
  return xt::sum(vectorOf(a, count) * vectorOf(b, count))();
}

/// y += a·x
[[gnu::noinline]] void addScaled(double a, const double* x, std::size_t count, double* y) {
  auto sum = vectorOf(y, count);
  xt::noalias(sum) += a * vectorOf(x, count);
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
    const auto s = vectorOf(row.scores, shape_.keys);
    auto p = vectorOf(row.weights, shape_.keys);
    masks_.visible({b, h, i, 1, 0, shape_.keys}, {row.visible, shape_.keys});

    for (std::size_t j = 0; j < shape_.keys; ++j) {
      row.scores[j] = row.visible[j] != 0 ? score(b, h, i, j, row) : -kInfinity;
      // A score of −∞ forbids, wherever it comes from.
      row.visible[j] = static_cast<std::uint8_t>(row.scores[j] > -kInfinity || std::isnan(row.scores[j]));
    }

    const auto isBroken = [](double x) { return std::isnan(x) || x == kInfinity; };
    if (std::none_of(row.visible, row.visible + shape_.keys, [](std::uint8_t seen) { return seen != 0; }))
      return empty(b, row);
    if (std::any_of(row.scores, row.scores + shape_.keys, isBroken)) return broken(row);

    const double max = xt::amax(s)();
    xt::noalias(p) = xt::exp(s - max);
    const double sum = xt::sum(p)();
    xt::noalias(p) = p / sum;
    row.logSumExp = max + std::log(sum);
    mix(row);
  }

 private:
  /// Scale, softcap and bias. A bias of −∞ forbids whatever the score is, NaN included.
  [[nodiscard]] double score(std::size_t b, std::size_t h, std::size_t i, std::size_t j, const Row& row) const {
    const double scaled = scale_ * dot(row.query, row.keys + j * shape_.keyDim, shape_.keyDim);
    const double capped = options_.softcap ? *options_.softcap * std::tanh(scaled / *options_.softcap) : scaled;
    const double bias = bias_.data == nullptr ? 0 : *bias_.at(b, h, i, j);
    return bias == -kInfinity ? bias : capped + bias;
  }

  /// output = weights · values, over the visible keys alone: 0 · NaN would be NaN.
  void mix(const Row& row) const {
    std::fill_n(row.output, shape_.valueDim, 0.0);
    for (std::size_t j = 0; j < shape_.keys; ++j) {
      if (row.visible[j] != 0) addScaled(row.weights[j], row.values + j * shape_.valueDim, shape_.valueDim, row.output);
    }
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
