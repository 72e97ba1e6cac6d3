#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "attn/broadcast.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "mask/mask_set.h"
#include "scale.h"

namespace attn {

/// Scores of one query after another in float64, where products and sums of float32 numbers neither
/// overflow nor lose digits that float32 could show.
class ExactScores {
 public:
  ExactScores(const Shape& shape, const Options& options, const Broadcast<float>& bias)
      : shape_(shape),
        scale_(scaleOf(shape, options)),
        softcap_(options.softcap),
        bias_(bias),
        masks_(shape, options.mask) {}

  /// scores[j] for query i of head h, −∞ where masked; `visible` [nk] is written as well.
  /// `query` is that query's row, `keyAt(j)` key j [d] of its key/value head.
  template <class KeyAt>
  void row(std::size_t b, std::size_t h, std::size_t i, const float* query, KeyAt keyAt, double* scores,
           std::uint8_t* visible) const {
    if (shape_.keys == 0) return;
    masks_.visible({b, h, i, 1, 0, shape_.keys}, {visible, shape_.keys});
    for (std::size_t j = 0; j < shape_.keys; ++j) {
      scores[j] = visible[j] != 0 ? fromDot(b, h, i, j, dot(query, keyAt(j))) : kMinusInfinity;
    }
  }

  /// The score of query i and key j, whose product is `dot`, before any mask. A bias of −∞ forbids
  /// whatever the product is, NaN included.
  [[nodiscard]] double fromDot(std::size_t b, std::size_t h, std::size_t i, std::size_t j, double dot) const {
    double s = scale_ * dot;
    if (softcap_) s = *softcap_ * std::tanh(s / *softcap_);
    if (bias_.data == nullptr) return s;
    const double bias{*bias_.at(b, h, i, j)};
    return bias == kMinusInfinity ? bias : s + bias;
  }

 private:
  static constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

  [[nodiscard]] double dot(const float* query, const float* key) const {
    double sum = 0;
    for (std::size_t c = 0; c < shape_.keyDim; ++c) sum += double{query[c]} * double{key[c]};
    return sum;
  }

  Shape shape_;
  double scale_;
  std::optional<double> softcap_;
  Broadcast<float> bias_;
  MaskSet masks_;
};

}  // namespace attn
