#include "reference/score_formula.h"

#include <algorithm>
#include <cmath>

#include "attn/exact_size.h"
#include "scoring/product.h"
#include "vector_length.h"

namespace attn::reference {

namespace {

using namespace scoring;

/// Hidden units of an additive scoring; 0 for the others.
std::size_t unitsOf(const Scoring& scoring) {
  const Additive* const additive = std::get_if<Additive>(&scoring);
  return additive == nullptr ? 0 : additive->width;
}

/// Numbers that a kind makes of the query.
std::size_t hiddenOf(const Shape& shape, const Scoring& scoring) {
  return std::holds_alternative<General>(scoring) ? shape.keyDim : unitsOf(scoring);
}

}  // namespace

/// s of one row, kind by kind.
struct ScoreFormula::OfRow {
  const ScoreFormula& formula;
  std::size_t b;
  std::size_t h;
  std::size_t i;
  const double* query;
  double* s;

  [[nodiscard]] std::size_t nk() const { return formula.shape_.keys; }
  [[nodiscard]] std::size_t d() const { return formula.shape_.queryWidth(); }
  [[nodiscard]] std::size_t dk() const { return formula.shape_.keyDim; }
  [[nodiscard]] const double* key(std::size_t j) const { return formula.keys_ + j * dk(); }

  void operator()(const ScaledDot& /*kind*/) const { (*this)(Dot{}); }

  void operator()(const Dot& /*kind*/) const {
    for (std::size_t j = 0; j < nk(); ++j) s[j] = dot(query, key(j), d());
  }

  void operator()(const General& kind) const {
    double* const qw = formula.hidden_.data();
    for (std::size_t c = 0; c < dk(); ++c) {
      qw[c] = 0;
      for (std::size_t r = 0; r < d(); ++r) qw[c] += query[r] * kind.w[r * dk() + c];
    }
    for (std::size_t j = 0; j < nk(); ++j) s[j] = dot(qw, key(j), dk()) + kind.b;
  }

  void operator()(const Additive& kind) const {
    double* const units = formula.hidden_.data();
    for (std::size_t a = 0; a < kind.width; ++a) units[a] = dot(kind.wq + a * d(), query, d());
    for (std::size_t j = 0; j < nk(); ++j) {
      const double* const ofKey = &formula.hiddenKeys_[j * kind.width];
      s[j] = 0;
      for (std::size_t a = 0; a < kind.width; ++a) s[j] += kind.v[a] * std::tanh(units[a] + ofKey[a]);
    }
  }

  void operator()(const Cosine& /*kind*/) const {
    const auto lengthOrOne = [](double length) { return length == 0 ? 1 : length; };
    const double length = lengthOrOne(lengthOf(query, d()));
    for (std::size_t j = 0; j < nk(); ++j) {
      const double keyLength = lengthOrOne(lengthOf(key(j), dk()));
      s[j] = 0;
      for (std::size_t c = 0; c < d(); ++c) s[j] += (query[c] / length) * (key(j)[c] / keyLength);
    }
  }

  void operator()(const Linear& kind) const {
    const double ofQuery = dot(kind.w, query, d());
    for (std::size_t j = 0; j < nk(); ++j) s[j] = ofQuery + dot(kind.w + d(), key(j), dk()) + kind.b;
  }

  void operator()(const Trilinear& kind) const {
    const double ofQuery = dot(kind.w, query, d());
    for (std::size_t j = 0; j < nk(); ++j) {
      s[j] = ofQuery + dot(kind.w + d(), key(j), d()) + kind.b;
      for (std::size_t c = 0; c < d(); ++c) s[j] += kind.w[2 * d() + c] * query[c] * key(j)[c];
    }
  }

  void operator()(const Given& kind) const {
    const Shape& shape = formula.shape_;
    std::copy_n(kind.scores + ((b * shape.queryHeads + h) * shape.queries + i) * nk(), nk(), s);
  }
};

std::uint64_t ScoreFormula::workingBytes(const Shape& shape, const Scoring& scoring) {
  return sumOf({Arena::paddedBytes<double>(hiddenOf(shape, scoring)),
                Arena::paddedBytes<double>(productOf({shape.keys, unitsOf(scoring)}))});
}

ScoreFormula::ScoreFormula(const Shape& shape, const Scoring& scoring, Arena& arena)
    : shape_(shape),
      scoring_(scoring),
      hidden_(arena.take<double>(hiddenOf(shape, scoring))),
      hiddenKeys_(arena.take<double>(shape.keys * unitsOf(scoring))) {}

void ScoreFormula::setKeys(const double* keys) {
  keys_ = keys;
  const Additive* const additive = std::get_if<Additive>(&scoring_);
  if (additive == nullptr) return;
  double* unit = hiddenKeys_.data();
  for (std::size_t j = 0; j < shape_.keys; ++j, keys += shape_.keyDim) {
    for (std::size_t a = 0; a < additive->width; ++a)
      *unit++ = dot(additive->wk + a * shape_.keyDim, keys, shape_.keyDim);
  }
}

void ScoreFormula::row(std::size_t b, std::size_t h, std::size_t i, const double* query, double* s) {
  std::visit(OfRow{*this, b, h, i, query, s}, scoring_);
}

}  // namespace attn::reference
