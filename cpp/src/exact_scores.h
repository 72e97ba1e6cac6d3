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

/// Scores of one query after another in float64: scale, softcap, bias and masks upon products.
class ExactScores {
 public:
  ExactScores(const Shape& shape, const Options& options, const Broadcast<float>& bias)
      : shape_(shape),
        scale_(scaleOf(shape, options)),
        softcap_(options.softcap),
        bias_(bias),
        masks_(shape, options.mask) {}

  /// scores[j] for query i of head h, −∞ where masked; `visible` [nk] is written as well.
  /// `productAt(j)` is the product with key j, in float64.
  template <class ProductAt>
  void row(std::size_t b, std::size_t h, std::size_t i, ProductAt productAt, double* scores,
           std::uint8_t* visible) const {
    if (shape_.keys == 0) return;
    masks_.visible({b, h, i, 1, 0, shape_.keys}, {visible, shape_.keys});
    for (std::size_t j = 0; j < shape_.keys; ++j) {
      scores[j] = visible[j] != 0 ? fromProduct(b, h, i, j, productAt(j)) : kMinusInfinity;
    }
  }

  /// Whether the geometry of the masks alone shows that query i sees no key.
  [[nodiscard]] bool seesNone(std::size_t b, std::size_t h, std::size_t i) const {
    return shape_.keys == 0 || masks_.coverage({b, h, i, 1, 0, shape_.keys}) == Coverage::none;
  }

  /// The score of query i and key j, whose product is `product`, before any mask. A bias of −∞ forbids
  /// whatever the product is, NaN included.
  [[nodiscard]] double fromProduct(std::size_t b, std::size_t h, std::size_t i, std::size_t j, double product) const {
    double s = scale_ * product;
    if (softcap_) s = *softcap_ * std::tanh(s / *softcap_);
    if (bias_.data == nullptr) return s;
    const double bias{*bias_.at(b, h, i, j)};
    return bias == kMinusInfinity ? bias : s + bias;
  }

 private:
  static constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

  Shape shape_;
  double scale_;
  std::optional<double> softcap_;
  Broadcast<float> bias_;
  MaskSet masks_;
};

}  // namespace attn
