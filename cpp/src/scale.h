#pragma once

#include <cmath>

#include "attn/options.h"
#include "attn/shape.h"

namespace attn {

/// The factor of q·k: the given scale, or 1/√d.
inline double scaleOf(const Shape& shape, const Options& options) {
  return options.scale.value_or(1.0 / std::sqrt(static_cast<double>(shape.keyDim)));
}

}  // namespace attn
