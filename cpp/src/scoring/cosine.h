#pragma once

#include <cstddef>

#include "attn/shape.h"
#include "vector_length.h"

namespace attn::scoring {

/// The cosine as the product of q / |q| and k / |k|; a zero vector stays one.
class CosineProjection {
 public:
  explicit CosineProjection(const Shape& shape) : dim_(shape.keyDim) {}

  [[nodiscard]] std::size_t width() const { return dim_; }
  void query(const float* q, double* projected) const { unit(q, projected); }
  void key(const float* k, double* projected) const { unit(k, projected); }

 private:
  void unit(const float* x, double* projected) const {
    const double length = lengthOf(x, dim_);
    for (std::size_t c = 0; c < dim_; ++c) projected[c] = length == 0 ? 0 : double{x[c]} / length;
  }

  std::size_t dim_;
};

}  // namespace attn::scoring
