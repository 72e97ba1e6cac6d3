#include "tiled/wide_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tiled/kernel/exp.h"

namespace attn::tiled {

using simd::F32x4;
using simd::F64x2;

namespace {

/// dots [8] of one query [d] with a panel [d, 8]. Even and odd c apart: twice as many sums in flight.
void dotsWithPanel(const float* query, const float* panel, std::size_t dim, double* dots) {
  F64x2 sums[2][4];
  for (auto& half : sums) half[0] = half[1] = half[2] = half[3] = simd::zeroWide();
  const auto add = [&](std::size_t c, F64x2(&sum)[4]) {
    const F64x2 q = simd::splatWide(double{query[c]});
    const F32x4 left = simd::load(panel + c * kMicroColumns);
    const F32x4 right = simd::load(panel + c * kMicroColumns + simd::kLanes);
    sum[0] = simd::mulAdd(q, simd::widenLower(left), sum[0]);
    sum[1] = simd::mulAdd(q, simd::widenUpper(left), sum[1]);
    sum[2] = simd::mulAdd(q, simd::widenLower(right), sum[2]);
    sum[3] = simd::mulAdd(q, simd::widenUpper(right), sum[3]);
  };
  std::size_t c = 0;
  for (; c + 2 <= dim; c += 2) {
    add(c, sums[0]);
    add(c + 1, sums[1]);
  }
  if (c < dim) add(c, sums[0]);
  for (std::size_t pair = 0; pair < 4; ++pair) simd::store(simd::add(sums[0][pair], sums[1][pair]), dots + 2 * pair);
}

}  // namespace

// From 6 on at d = 64 (in units of log 2) a weight of ½ is in need; beyond d = 64 the float32 sums are
// made in parts of 64.
// Scores that are looked up have only one rounding each, but half an ulp of it where the score is largest:
// like products of width 2.
WideScores::WideScores(std::size_t width, const ExactScores& exact, Arena& arena)
    : exact_(exact),
      dim_(width == 0 ? 2 : width),
      large_(std::max(6.0F, 40.0F / std::sqrt(static_cast<float>(dim_)))),
      scores_(arena.take<double>(kMaxTileKeys)) {}

std::array<bool, kMicroRows> WideScores::rowsInNeed(F32x4 here, F32x4 queryNorms, float keyNorm,
                                                    const SoftmaxState& softmax) const {
  std::array<bool, kMicroRows> inNeed{};
  const F32x4 onTheWay = simd::mul(queryNorms, simd::splat(keyNorm / std::sqrt(static_cast<float>(dim_))));
  // A row that sees nothing here, or NaN, needs none and must not hide the others from the maximum.
  const F32x4 size = simd::finiteOrZero(simd::maxOrSecond(onTheWay, simd::abs(here)));
  if (simd::maxOfLanes(size) <= large_) return inNeed;
  // If every weight is at most w, independent errors of the scores add up to √w of one of them. A weight
  // near 1 has no error, but keys to come may make it a half.
  const F32x4 weights = simd::div(exp2(simd::sub(here, softmax.shift())), softmax.sums());
  float sizes[kMicroRows];
  float errors[kMicroRows];
  simd::store(size, sizes);
  simd::store(simd::mul(simd::mul(size, size), weights), errors);
  for (std::size_t r = 0; r < kMicroRows; ++r) {
    inNeed[r] = sizes[r] > large_ && errors[r] > large_ * large_ / 2;
  }
  return inNeed;
}

bool WideScores::isInNeed(float largest, float queryNorm, const float* p, const float* keyNorms, std::size_t columns,
                          double sum) const {
  F32x4 heaviest = simd::zero();
  F32x4 longest = simd::zero();    // |k| of those with a weight
  F32x4 most = simd::zero();       // |k|²·p
  F32x4 allFinite = simd::zero();  // becomes NaN with the first ∞ or NaN
  for (std::size_t c = 0; c < columns; c += simd::kLanes) {
    const F32x4 norms = simd::load(keyNorms + c);
    const F32x4 weights = simd::load(p + c);
    const F32x4 each = simd::mul(simd::mul(norms, norms), weights);
    heaviest = simd::maxOrSecond(weights, heaviest);
    longest = simd::maxOrSecond(simd::selectLess(simd::zero(), weights, norms, simd::zero()), longest);
    most = simd::maxOrSecond(each, most);
    allFinite = simd::mulAdd(each, simd::zero(), allFinite);
  }
  if (simd::sumOfLanes(allFinite) != 0) return true;
  const double dim = static_cast<double>(dim_);
  const double size =
      std::max(double{queryNorm} * simd::maxOfLanes(longest) / std::sqrt(dim), std::fabs(double{largest}));
  if (size <= large_) return false;
  const double onTheWay = double{queryNorm} * queryNorm * simd::maxOfLanes(most) / dim;
  const double ofScore = double{largest} * largest * simd::maxOfLanes(heaviest);
  return std::max(onTheWay, ofScore) > sum * large_ * large_ / 2;
}

double WideScores::compute(const Tile& row, const float* query, const float* panels, std::size_t columns,
                           const std::uint8_t* cells) {
  for (std::size_t first = 0; first < columns; first += kMicroColumns) {
    dotsWithPanel(query, panels + first * dim_, dim_, &scores_[first]);
  }
  return finish(row, columns, cells);
}

double WideScores::compute(const Tile& row, const scoring::RowProducts& products, std::size_t columns,
                           const std::uint8_t* cells) {
  for (std::size_t c = 0; c < row.keys; ++c) {
    if (cells == nullptr || cells[c] != 0) scores_[c] = products.at(row.key + c);
  }
  return finish(row, columns, cells);
}

double WideScores::finish(const Tile& row, std::size_t columns, const std::uint8_t* cells) {
  constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
  double max = kMinusInfinity;
  for (std::size_t c = 0; c < columns; ++c) {
    const bool visible = c < row.keys && (cells == nullptr || cells[c] != 0);
    scores_[c] = visible
                     ? std::numbers::log2e * exact_.fromProduct(row.batch, row.head, row.query, row.key + c, scores_[c])
                     : kMinusInfinity;
    max = std::max(max, scores_[c]);
  }
  return max;
}

void WideScores::relativeTo(float shift, std::size_t columns, float* s) const {
  for (std::size_t c = 0; c < columns; ++c) s[c] = static_cast<float>(scores_[c] - double{shift});
}

}  // namespace attn::tiled
