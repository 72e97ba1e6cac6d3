#pragma once

#include <algorithm>
#include <cstddef>

#include "attn/scoring.h"
#include "attn/shape.h"
#include "scoring/product.h"

namespace attn::scoring {

/// w · [q; k; q∘k] + b as the product of q̃ = [w₃∘q, w₁·q + b, 1] and k̃ = [k, 1, w₂·k].
class TrilinearProjection {
 public:
  TrilinearProjection(const Shape& shape, const Trilinear& trilinear) : trilinear_(trilinear), dim_(shape.keyDim) {}

  [[nodiscard]] std::size_t width() const { return dim_ + 2; }

  void query(const float* q, double* projected) const {
    const double* const both = trilinear_.w + 2 * dim_;
    for (std::size_t c = 0; c < dim_; ++c) projected[c] = both[c] * double{q[c]};
    projected[dim_] = dot(trilinear_.w, q, dim_) + trilinear_.b;
    projected[dim_ + 1] = 1;
  }

  void key(const float* k, double* projected) const {
    std::copy_n(k, dim_, projected);
    projected[dim_] = 1;
    projected[dim_ + 1] = dot(trilinear_.w + dim_, k, dim_);
  }

 private:
  Trilinear trilinear_;
  std::size_t dim_;
};

}  // namespace attn::scoring
