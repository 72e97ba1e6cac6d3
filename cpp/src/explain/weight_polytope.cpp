#include "explain/weight_polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/exact_size.h"
#include "scoring/product.h"

namespace attn::explain {

namespace {

/// A row of conditions, scaled to numbers up to 1, of which less than this is left is a combination of others.
constexpr double kDependent = 1e-9;
/// What is smaller in the tableau is rounding.
constexpr double kZero = 1e-10;
/// Pivots after which the tableau is computed afresh.
constexpr std::size_t kMostPivots = 64;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

std::size_t mostConditions(std::size_t keys, std::size_t valueDim) { return std::min(keys, valueDim + 1); }

/// a −= (a·unit) unit, twice, so that what is left has nothing of it.
void removePart(double* a, const double* unit, std::size_t count) {
  for (int time = 0; time < 2; ++time) {
    const double part = scoring::dot(a, unit, count);
    for (std::size_t j = 0; j < count; ++j) a[j] -= part * unit[j];
  }
}

}  // namespace

std::uint64_t WeightPolytope::workingBytes(std::size_t keys, std::size_t valueDim) {
  const std::uint64_t conditions = mostConditions(keys, valueDim);
  const std::uint64_t table = Arena::paddedBytes<double>(productOf({conditions, sumOf({keys, 1})}));
  return sumOf({Arena::paddedBytes<double>(productOf({sumOf({valueDim, 1}), keys})), productOf({2, table}),
                Arena::paddedBytes<std::size_t>(conditions), Arena::paddedBytes<std::uint8_t>(keys),
                Arena::paddedBytes<double>(conditions), Arena::paddedBytes<double>(keys)});
}

WeightPolytope::WeightPolytope(const double* weights, const double* values, std::size_t keys, std::size_t valueDim,
                               Arena& arena)
    : keys_(keys) {
  const std::size_t most = mostConditions(keys, valueDim);
  const auto rows = arena.take<double>((valueDim + 1) * keys);
  conditionRows_ = arena.take<double>(most * (keys + 1));
  tableau_ = arena.take<double>(most * (keys + 1));
  basis_ = arena.take<std::size_t>(most);
  isBasic_ = arena.take<std::uint8_t>(keys);
  objectiveOfBasis_ = arena.take<double>(most);
  const auto x = arena.take<double>(keys);
  orthonormalise(weights, values, valueDim, rows);
  std::copy_n(weights, keys, x.begin());
  chooseBasis();
  descend(x);
}

/// The conditions Σ x = 1 and xᵀV = wᵀV as orthonormal rows. Each column of V without its mean and scaled, which
/// given the sum changes nothing: columns of any size then count alike.
void WeightPolytope::orthonormalise(const double* weights, const double* values, std::size_t valueDim,
                                    std::span<double> rows) {
  std::fill_n(rows.begin(), keys_, 1.0);
  for (std::size_t c = 0; c < valueDim; ++c) {
    double* const row = &rows[(c + 1) * keys_];
    double mean = 0;
    for (std::size_t j = 0; j < keys_; ++j) mean += values[j * valueDim + c] / static_cast<double>(keys_);
    double largest = 0;
    for (std::size_t j = 0; j < keys_; ++j) {
      row[j] = values[j * valueDim + c] - mean;
      largest = std::max(largest, std::fabs(row[j]));
    }
    for (std::size_t j = 0; j < keys_; ++j) row[j] = largest == 0 ? 0 : row[j] / largest;
  }

  const std::size_t most = mostConditions(keys_, valueDim);
  for (conditions_ = 0; conditions_ < most; ++conditions_) {
    // The row of which most is left; first of all the sum.
    double* best = rows.data();
    double norm = 0;
    for (std::size_t c = 0; c <= (conditions_ == 0 ? 0 : valueDim); ++c) {
      double* const row = &rows[c * keys_];
      const double left = std::sqrt(scoring::dot(row, row, keys_));
      if (left > norm) {
        norm = left;
        best = row;
      }
    }
    if (norm <= kDependent) break;
    double* const unit = &conditionRows_[conditions_ * (keys_ + 1)];
    for (std::size_t j = 0; j < keys_; ++j) unit[j] = best[j] / norm;
    unit[keys_] = scoring::dot(unit, weights, keys_);
    for (std::size_t c = 0; c <= valueDim; ++c) removePart(&rows[c * keys_], unit, keys_);
    std::fill_n(best, keys_, 0.0);
  }
}

/// Some basis: for each condition the key that counts most in it.
void WeightPolytope::chooseBasis() {
  std::ranges::fill(isBasic_, std::uint8_t{0});
  std::copy_n(conditionRows_.begin(), conditions_ * (keys_ + 1), tableau_.begin());
  for (std::size_t row = 0; row < conditions_; ++row) {
    std::size_t best = kNone;
    for (std::size_t j = 0; j < keys_; ++j) {
      if (isBasic_[j] != 0) continue;
      if (best == kNone || std::fabs(cell(row, j)) > std::fabs(cell(row, best))) best = j;
    }
    basis_[row] = best;
    isBasic_[best] = 1;
    pivot(row, best);
  }
}

/// From w to a vertex: every weight outside the basis is lowered until it is 0 or one in the basis is.
void WeightPolytope::descend(std::span<double> x) {
  for (std::size_t key = 0; key < keys_; ++key) {
    if (isBasic_[key] != 0 || x[key] <= 0) continue;
    double step = x[key];
    std::size_t row = kNone;
    for (std::size_t i = 0; i < conditions_; ++i) {
      const double slope = cell(i, key);
      if (slope >= -kZero) continue;
      const double reach = std::max(0.0, x[basis_[i]]) / -slope;
      if (reach < step) {
        step = reach;
        row = i;
      }
    }
    for (std::size_t i = 0; i < conditions_; ++i) x[basis_[i]] += cell(i, key) * step;
    x[key] -= step;
    if (row == kNone) {
      x[key] = 0;
      continue;
    }
    x[basis_[row]] = 0;
    isBasic_[basis_[row]] = 0;
    basis_[row] = key;
    isBasic_[key] = 1;
    pivot(row, key);
  }
  factorise();
}

/// The tableau of the basis at hand, from the conditions (Gauss and Jordan, pivots chosen by size).
void WeightPolytope::factorise() {
  std::copy_n(conditionRows_.begin(), conditions_ * (keys_ + 1), tableau_.begin());
  for (std::size_t done = 0; done < conditions_; ++done) {
    const std::size_t key = basis_[done];
    std::size_t best = done;
    for (std::size_t row = done; row < conditions_; ++row) {
      if (std::fabs(cell(row, key)) > std::fabs(cell(best, key))) best = row;
    }
    std::swap_ranges(&cell(done, 0), &cell(done, 0) + keys_ + 1, &cell(best, 0));
    pivot(done, key);
  }
  for (std::size_t row = 0; row < conditions_; ++row) weight(row) = std::max(0.0, weight(row));
  pivots_ = 0;
}

/// Makes column `key` 1 in this row and 0 in the others.
void WeightPolytope::pivot(std::size_t row, std::size_t key) {
  double* const from = &cell(row, 0);
  const double divisor = from[key];
  for (std::size_t j = 0; j <= keys_; ++j) from[j] /= divisor;
  from[key] = 1;
  for (std::size_t i = 0; i < conditions_; ++i) {
    double* const to = &cell(i, 0);
    const double factor = to[key];
    if (i == row || factor == 0) continue;
    for (std::size_t j = 0; j <= keys_; ++j) to[j] -= factor * from[j];
    to[key] = 0;
  }
  ++pivots_;
}

void WeightPolytope::maximise(std::span<const double> objective) {
  // More steps than any walk here takes: rounding must not make it endless.
  const std::size_t most = 50 * (keys_ + conditions_);
  std::size_t idle = 0;
  for (std::size_t step = 0; step < most; ++step) {
    // Steps of length 0 could go round in circles; the first that may be taken leads out (Bland 1977).
    const bool first = idle > conditions_;
    const std::size_t key = entering(objective, first);
    if (key == kNone) return;
    const std::size_t row = leaving(key, first);
    if (row == kNone) return;
    idle = weight(row) <= kZero * cell(row, key) ? idle + 1 : 0;
    isBasic_[basis_[row]] = 0;
    isBasic_[key] = 1;
    basis_[row] = key;
    pivot(row, key);
    for (std::size_t i = 0; i < conditions_; ++i) weight(i) = std::max(0.0, weight(i));
    if (pivots_ >= kMostPivots) factorise();
  }
}

/// A key whose weight makes the objective larger: the one that does most, or the first.
std::size_t WeightPolytope::entering(std::span<const double> objective, bool first) {
  for (std::size_t i = 0; i < conditions_; ++i) objectiveOfBasis_[i] = objective[basis_[i]];
  std::size_t best = kNone;
  double most = kZero;
  for (std::size_t j = 0; j < keys_; ++j) {
    if (isBasic_[j] != 0) continue;
    double gain = objective[j];
    for (std::size_t i = 0; i < conditions_; ++i) gain -= objectiveOfBasis_[i] * cell(i, j);
    if (gain <= most) continue;
    best = j;
    if (first) break;
    most = gain;
  }
  return best;
}

/// The row whose weight is 0 first as that of `key` grows.
std::size_t WeightPolytope::leaving(std::size_t key, bool first) const {
  std::size_t best = kNone;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < conditions_; ++i) {
    const double slope = cell(i, key);
    if (slope <= kZero) continue;
    const double length = weight(i) / slope;
    if (length > shortest) continue;
    const bool preferred =
        best == kNone || length < shortest || (first ? basis_[i] < basis_[best] : slope > cell(best, key));
    if (preferred) best = i;
    shortest = length;
  }
  return best;
}

void WeightPolytope::write(std::span<double> x) {
  factorise();
  std::ranges::fill(x, 0.0);
  for (std::size_t i = 0; i < conditions_; ++i) x[basis_[i]] = weight(i);
}

}  // namespace attn::explain
