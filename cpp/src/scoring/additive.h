#pragma once

#include <cmath>
#include <cstddef>

#include "attn/scoring.h"
#include "attn/shape.h"
#include "scoring/product.h"

namespace attn::scoring {

/// v · tanh(q̃ + k̃) with q̃ = Wq q and k̃ = Wk k.
class AdditiveProjection {
 public:
  AdditiveProjection(const Shape& shape, const Additive& additive)
      : additive_(additive), queryDim_(shape.queryWidth()), keyDim_(shape.keyDim) {}

  [[nodiscard]] std::size_t width() const { return additive_.width; }
  [[nodiscard]] const double* v() const { return additive_.v; }

  void query(const float* q, double* projected) const { project(additive_.wq, q, queryDim_, projected); }
  void key(const float* k, double* projected) const { project(additive_.wk, k, keyDim_, projected); }

  [[nodiscard]] double product(const double* q, const double* k) const {
    double sum = 0;
    for (std::size_t c = 0; c < additive_.width; ++c) sum += additive_.v[c] * std::tanh(q[c] + k[c]);
    return sum;
  }

 private:
  void project(const double* w, const float* x, std::size_t dim, double* projected) const {
    for (std::size_t r = 0; r < additive_.width; ++r) projected[r] = dot(w + r * dim, x, dim);
  }

  Additive additive_;
  std::size_t queryDim_;
  std::size_t keyDim_;
};

}  // namespace attn::scoring
