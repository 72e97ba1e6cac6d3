#pragma once

#include <cmath>
#include <variant>

#include "attn/options.h"
#include "attn/shape.h"

namespace attn {

/// The factor of score(q, k): the given scale, or 1/√d for the scaled dot product, 1 for other scorings.
inline double scaleOf(const Shape& shape, const Options& options) {
  const bool scaled = std::holds_alternative<scoring::ScaledDot>(options.scoring);
  return options.scale.value_or(scaled ? 1.0 / std::sqrt(static_cast<double>(shape.keyDim)) : 1.0);
}

}  // namespace attn
