#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

namespace attn::tiled {

/// float32 numbers of float64 ones. What is too large for float32 becomes NaN: then the score is NaN as
/// well, and the row computed again in float64. As ∞ it might make the score −∞, which forbids.
inline float narrow(double x) {
  const auto narrowed = static_cast<float>(x);
  return std::isinf(narrowed) && !std::isinf(x) ? std::numeric_limits<float>::quiet_NaN() : narrowed;
}

inline void narrow(const double* from, std::size_t count, double factor, float* to) {
  for (std::size_t c = 0; c < count; ++c) to[c] = narrow(from[c] * factor);
}

}  // namespace attn::tiled
