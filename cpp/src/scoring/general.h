#pragma once

#include <algorithm>
#include <cstddef>

#include "attn/scoring.h"
#include "attn/shape.h"

namespace attn::scoring {

/// q W kᵀ + b as the product of q̃ = [q W, b] and k̃ = [k, 1], both without the last where b is 0.
class GeneralProjection {
 public:
  GeneralProjection(const Shape& shape, const General& general)
      : general_(general), queryDim_(shape.queryWidth()), keyDim_(shape.keyDim) {}

  [[nodiscard]] std::size_t width() const { return keyDim_ + (general_.b == 0 ? 0 : 1); }

  void query(const float* q, double* projected) const {
    std::fill_n(projected, keyDim_, 0.0);
    const double* row = general_.w;
    for (std::size_t r = 0; r < queryDim_; ++r, row += keyDim_) {
      for (std::size_t c = 0; c < keyDim_; ++c) projected[c] += double{q[r]} * row[c];
    }
    if (general_.b != 0) projected[keyDim_] = general_.b;
  }

  void key(const float* k, double* projected) const {
    std::copy_n(k, keyDim_, projected);
    if (general_.b != 0) projected[keyDim_] = 1;
  }

 private:
  General general_;
  std::size_t queryDim_;
  std::size_t keyDim_;
};

}  // namespace attn::scoring
