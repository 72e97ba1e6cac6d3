#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/simd.h"

// The online softmax (Milakov and Gimelshein 2018, algorithm 3) for the four rows of a block, in
// powers of 2. One step takes the scores s of some more keys:
//
//   m' = max(m, maxⱼ sⱼ)     α = 2^(m − m')     pⱼ = 2^(sⱼ − m')     l' = α·l + Σⱼ pⱼ
//
// where m may stay behind the largest score by a slack, so that α is mostly 1: p is then at most 2^slack, and
// numbers with an exponent of their own have as many digits there as below 1.
//
// Scores lie in [rows, columns], rows ≤ 4, columns a multiple of 4, rows kMaxTileKeys apart. Of rows
// that are not there nothing is read: their maximum and sum are 0. A NaN among them, or +∞,
// makes l NaN whatever its place: p is NaN there even if the maximum has overlooked it.

namespace attn::tiled {

/// The largest score of each row. (With NaN in a row: any of the row's numbers, or NaN.)
simd::F32x4 rowMaxima(const float* s, std::size_t rows, std::size_t columns);

/// p = 2^(s − shift) in place of one row's s. Gives their sum.
float exponentiateRow(float* s, std::size_t columns, float shift);

/// p = 2^(s − shift) in place of s. Gives the sum of each row.
simd::F32x4 exponentiate(float* s, std::size_t rows, std::size_t columns, simd::F32x4 shift);

/// α of the four rows.
struct Decay {
  simd::F32x4 factors;
  bool isOne;  ///< in every row
};

/// What is remembered of the four rows: m and l.
class SoftmaxState {
 public:
  void reset() {
    std::ranges::fill(largest_, -std::numeric_limits<float>::infinity());
    std::ranges::fill(max_, -std::numeric_limits<float>::infinity());
    std::ranges::fill(sum_, 0.0);
  }

  /// m' = max(m, here), or m where that is at most `slack` less. Gives α and keeps l up to date with it.
  Decay advance(simd::F32x4 here, float slack);

  /// l' = l + Σ p
  void add(simd::F32x4 sums) {
    float terms[kMicroRows];
    simd::store(sums, terms);
    for (std::size_t r = 0; r < kMicroRows; ++r) sum_[r] += double{terms[r]};
  }

  /// m, but a finite number while nothing is visible: −∞ − (−∞) would be NaN.
  [[nodiscard]] simd::F32x4 shift() const {
    return simd::maxOrSecond(simd::load(max_), simd::splat(std::numeric_limits<float>::lowest()));
  }

  /// l, rounded.
  [[nodiscard]] simd::F32x4 sums() const {
    float rounded[kMicroRows];
    for (std::size_t r = 0; r < kMicroRows; ++r) rounded[r] = static_cast<float>(sum_[r]);
    return simd::load(rounded);
  }

  [[nodiscard]] float max(std::size_t r) const { return max_[r]; }

  /// The largest score so far, which m may be less than.
  [[nodiscard]] float largest(std::size_t r) const { return largest_[r]; }

  /// What `advance` will make of m.
  [[nodiscard]] float maxAfter(std::size_t r, float here, float slack) const {
    return max_[r] + slack < here ? here : max_[r];
  }

  [[nodiscard]] double sum(std::size_t r) const { return sum_[r]; }

 private:
  float largest_[kMicroRows];
  float max_[kMicroRows];
  double sum_[kMicroRows];
};

}  // namespace attn::tiled
