#pragma once

#include <cstddef>

#include "attn/scoring.h"
#include "attn/shape.h"
#include "scoring/product.h"

namespace attn::scoring {

/// w · [q; k] + b as the product of q̃ = [w₁·q + b, 1] and k̃ = [1, w₂·k].
class LinearProjection {
 public:
  LinearProjection(const Shape& shape, const Linear& linear)
      : linear_(linear), queryDim_(shape.queryWidth()), keyDim_(shape.keyDim) {}

  [[nodiscard]] static std::size_t width() { return 2; }

  void query(const float* q, double* projected) const {
    projected[0] = dot(linear_.w, q, queryDim_) + linear_.b;
    projected[1] = 1;
  }

  void key(const float* k, double* projected) const {
    projected[0] = 1;
    projected[1] = dot(linear_.w + queryDim_, k, keyDim_);
  }

 private:
  Linear linear_;
  std::size_t queryDim_;
  std::size_t keyDim_;
};

}  // namespace attn::scoring
