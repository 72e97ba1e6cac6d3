#include "attn/backward.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/exact_size.h"
#include "reference/add_scaled.h"
#include "reference/single_row.h"
#include "scale.h"
#include "scoring/product.h"
#include "validate.h"

namespace attn::reference {

namespace {

/// One row's part of the gradients: S and P from the formula of attention, then the rules in attn/backward.h.
class RowGradient {
 public:
  static std::uint64_t workingBytes(const Shape& shape) {
    return sumOf({productOf({3, Arena::paddedBytes<double>(shape.keys)}), Arena::paddedBytes<double>(shape.valueDim)});
  }

  /// Takes `workingBytes` from the arena.
  RowGradient(const Shape& shape, Arena& arena)
      : arena_(arena),
        s_(arena.take<double>(shape.keys).data()),
        p_(arena.take<double>(shape.keys).data()),
        dP_(arena.take<double>(shape.keys).data()),
        output_(arena.take<double>(shape.valueDim).data()) {}

  /// `dOutput` [dv] is the row's; of `gradients`, the row's query and the key/value head's keys and values; of
  /// `cells`, the row's. All of them hold zeros before the first row.
  [[nodiscard]] Status add(const SingleRow& row, const double* dOutput, const Gradients& gradients,
                           const CellGradients& cells) {
    const auto& [shape, inputs, options] = row;
    const Status status = attention(shape, inputs, options, {output_, p_, s_, nullptr}, arena_);
    if (status != Status::ok) return status;

    const std::size_t nk = shape.keys;
    const std::size_t d = shape.keyDim;
    const std::size_t dv = shape.valueDim;
    const auto visible = [this](std::size_t j) { return s_[j] != -std::numeric_limits<double>::infinity(); };
    double mean = 0;
    bool empty = true;
    for (std::size_t j = 0; j < nk; ++j) {
      if (!visible(j)) continue;
      empty = false;
      addScaled(p_[j], dOutput, dv, gradients.value + j * dv);
      dP_[j] = scoring::dot(dOutput, inputs.value + j * dv, dv);
      mean += p_[j] * dP_[j];
    }
    if (empty) {
      share(options.emptyRows, nk, dOutput, dv, gradients.value);
      return status;
    }

    const double scale = scaleOf(shape, options);
    for (std::size_t j = 0; j < nk; ++j) {
      if (!visible(j)) continue;
      const double* const k = inputs.key + j * d;
      const double dS = p_[j] * (dP_[j] - mean);
      double slope = 1;
      if (options.softcap) {
        const double cosh = std::cosh(scale * scoring::dot(inputs.query, k, d) / *options.softcap);
        slope = 1 / (cosh * cosh);  // 1 − tanh²
      }
      const double dZ = dS * slope;
      if (cells.weights != nullptr) cells.weights[j] = dP_[j];
      if (cells.scores != nullptr) cells.scores[j] = dS;
      if (dZ == 0) continue;
      addScaled(scale * dZ, k, d, gradients.query);
      addScaled(scale * dZ, inputs.query, d, gradients.key + j * d);
    }
    return status;
  }

 private:
  /// An empty row, which is the mean of all real values or does not depend on anything.
  void share(EmptyRows policy, std::size_t nk, const double* dOutput, std::size_t dv, double* dValue) const {
    if (policy != EmptyRows::uniform) return;
    for (std::size_t j = 0; j < nk; ++j) {
      if (p_[j] != 0) addScaled(p_[j], dOutput, dv, dValue + j * dv);
    }
  }

  Arena& arena_;
  double* s_;   ///< [nk]
  double* p_;   ///< [nk]
  double* dP_;  ///< [nk], of visible keys
  double* output_;
};

}  // namespace

std::uint64_t attentionBackwardWorkingBytes(const Shape& shape, const Options& options) {
  return sumOf({RowGradient::workingBytes(shape), workingBytes(shape, options)});
}

Status attentionBackward(const Shape& shape, const Inputs& inputs, const double* dOutput, const Options& options,
                         const Gradients& gradients, Arena& arena, const CellGradients& cells) {
  if (const Status status = check(shape, sizeof(double), false); status != Status::ok) return status;
  if (const Status status = checkDifferentiable(shape, options); status != Status::ok) return status;
  const auto& [batch, queryHeads, kvHeads, nq, nk, d, dv, queryDim] = shape;
  const Arena::Scope scope(arena);
  if (shape.hasCells() && !arena.reserve(attentionBackwardWorkingBytes(shape, options))) return Status::outOfMemory;
  std::fill_n(gradients.query, batch * queryHeads * nq * d, 0.0);
  std::fill_n(gradients.key, batch * kvHeads * nk * d, 0.0);
  std::fill_n(gradients.value, batch * kvHeads * nk * dv, 0.0);
  if (!shape.hasCells()) return Status::ok;
  if (cells.weights != nullptr) std::fill_n(cells.weights, batch * queryHeads * nq * nk, 0.0);
  if (cells.scores != nullptr) std::fill_n(cells.scores, batch * queryHeads * nq * nk, 0.0);

  RowGradient rows(shape, arena);
  std::size_t r = 0;
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t h = 0; h < queryHeads; ++h) {
      const std::size_t source = (b * kvHeads + shape.kvHeadOf(h)) * nk;
      for (std::size_t i = 0; i < nq; ++i, ++r) {
        const Status status =
            rows.add(SingleRow(shape, inputs, options, b, h, i), dOutput + r * dv,
                     {gradients.query + r * d, gradients.key + source * d, gradients.value + source * dv},
                     {cells.weights == nullptr ? nullptr : cells.weights + r * nk,
                      cells.scores == nullptr ? nullptr : cells.scores + r * nk});
        if (status != Status::ok) return status;
      }
    }
  }
  return Status::ok;
}

}  // namespace attn::reference
