#pragma once

#include <cstddef>

#include "attn/scoring.h"
#include "attn/shape.h"

namespace attn::scoring {

/// Scores that are looked up.
class GivenScores {
 public:
  GivenScores(const Shape& shape, const Given& given)
      : scores_(given.scores), heads_(shape.queryHeads), queries_(shape.queries), keys_(shape.keys) {}

  /// Those of query i in head h of batch entry b, one per key.
  [[nodiscard]] const double* row(std::size_t b, std::size_t h, std::size_t i) const {
    return scores_ + ((b * heads_ + h) * queries_ + i) * keys_;
  }

 private:
  const double* scores_;
  std::size_t heads_;
  std::size_t queries_;
  std::size_t keys_;
};

}  // namespace attn::scoring
