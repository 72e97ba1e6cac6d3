#pragma once

#include <cstddef>

#include "scoring/product.h"
#include "scoring/projection.h"

namespace attn::scoring {

/// The scores of one query with the keys of its head, before the scale, in float64.
class RowProducts {
 public:
  /// Where the vectors are: the query as it came [d]; it and the keys projected, [w] and [nk, w], if the
  /// scoring projects; or given scores [nk] in their place.
  struct Vectors {
    const float* query = nullptr;
    const double* projectedQuery = nullptr;
    const double* projectedKeys = nullptr;
    const double* given = nullptr;
  };

  RowProducts(const Projection& projection, const Vectors& vectors) : projection_(projection), vectors_(vectors) {}

  /// With key j. `keyAt(j)` is key j as it came [dk], which is asked for only if it is multiplied so.
  template <class KeyAt>
  [[nodiscard]] double at(std::size_t j, KeyAt keyAt) const {
    return projection_.asTheyCome() ? dot(vectors_.query, keyAt(j), projection_.width()) : at(j);
  }

  /// With key j, where keys are not multiplied as they came.
  [[nodiscard]] double at(std::size_t j) const;

 private:
  const Projection& projection_;
  Vectors vectors_;
};

}  // namespace attn::scoring
