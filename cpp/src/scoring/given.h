#pragma once

#include <cstddef>
#include <variant>

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

/// The shape of what a call reads. Of given scores that is no query and no key: they have no width then, so
/// that no place in them is counted from pointers that may be null.
inline Shape shapeRead(Shape shape, const Scoring& scoring) {
  if (std::holds_alternative<Given>(scoring)) shape.queryDim = shape.keyDim = 0;
  return shape;
}

}  // namespace attn::scoring
