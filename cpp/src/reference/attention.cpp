#include <algorithm>
#include <cmath>
#include <limits>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

#include "attn/exact_size.h"
#include "attn/reference.h"
#include "logarithm.h"
#include "reference/add_scaled.h"
#include "reference/score_rows.h"
#include "reference/vector_of.h"
#include "scoring/given.h"
#include "validate.h"

namespace attn::reference {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// One query against its keys and values. `scores` and `weights` [nk] and `visible` [nk] are scratch
/// and, in the end, results; `output` is [dv].
struct Row {
  const double* query;
  const double* values;
  double* scores;
  double* weights;
  std::uint8_t* visible;
  double* output;
  double logSumExp;
};

class Formula {
 public:
  Formula(const Shape& shape, const Options& options, ScoreRows& scores)
      : shape_(shape), options_(options), scores_(scores) {}

  void apply(std::size_t b, std::size_t h, std::size_t i, Row& row) const {
    if (shape_.keys == 0) return empty(b, row);
    const auto s = vectorOf(row.scores, shape_.keys);
    auto p = vectorOf(row.weights, shape_.keys);
    scores_.row(b, h, i, row.query, row.scores, row.visible);

    const auto isBroken = [](double x) { return std::isnan(x) || x == kInfinity; };
    if (std::none_of(row.visible, row.visible + shape_.keys, [](std::uint8_t seen) { return seen != 0; }))
      return empty(b, row);
    if (std::any_of(row.scores, row.scores + shape_.keys, isBroken)) return broken(row);

    const double max = xt::amax(s)();
    xt::noalias(p) = xt::exp(s - max);
    const double sum = xt::sum(p)();
    xt::noalias(p) = p / sum;
    row.logSumExp = max + logarithm(sum);
    mix(row);
  }

 private:
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
  ScoreRows& scores_;
};

}  // namespace

std::uint64_t workingBytes(const Shape& shape, const Options& options) {
  return sumOf({ScoreRows::workingBytes(shape, options), productOf({2, Arena::paddedBytes<double>(shape.keys)}),
                Arena::paddedBytes<std::uint8_t>(shape.keys)});
}

Status attention(const Shape& whole, const Inputs& inputs, const Options& options, const Outputs& outputs,
                 Arena& arena) {
  const bool needsCells = outputs.weights != nullptr || outputs.scores != nullptr;
  if (const Status status = check(whole, sizeof(double), needsCells); status != Status::ok) return status;
  if (const Status status = check(whole, options); status != Status::ok) return status;
  if (!whole.hasRows()) return Status::ok;
  const Shape shape = scoring::shapeRead(whole, options.scoring);

  const Arena::Scope scope(arena);
  const auto& [batch, queryHeads, kvHeads, nq, nk, dk, dv, queryDim] = shape;
  if (!arena.reserve(workingBytes(whole, options))) return Status::outOfMemory;
  Row row{};
  row.scores = arena.take<double>(nk).data();
  row.weights = arena.take<double>(nk).data();
  row.visible = arena.take<std::uint8_t>(nk).data();

  ScoreRows scores(shape, options, inputs.bias, arena);
  const Formula formula(shape, options, scores);
  std::size_t r = 0;
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t h = 0; h < queryHeads; ++h) {
      const std::size_t source = (b * kvHeads + shape.kvHeadOf(h)) * nk;
      if (nk > 0) scores.setKeys(inputs.key + source * dk);
      row.values = inputs.value + source * dv;
      for (std::size_t i = 0; i < nq; ++i, ++r) {
        row.query = inputs.query + r * shape.queryWidth();
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
