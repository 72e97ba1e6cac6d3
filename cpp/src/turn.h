#pragma once

#include <cstdint>

namespace attn {

struct Turn {
  double sine;
  double cosine;
};

/// Sine and cosine of position · frequency, for |position| ≤ 2⁵³ and 0 ≤ frequency ≤ 1, to 1e-15: of the exact
/// product, from which rounding would take up to half a radian.
Turn turnOf(std::int64_t position, double frequency);

}  // namespace attn
