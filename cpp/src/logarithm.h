#pragma once

#include <cmath>
#include <numbers>

namespace attn {

/// ln x, for x > 0, to 1e-16 of it or of ln 2. By log1p, since std::log and std::pow each bring 4 KB of tables
/// along, a tenth of what a page downloads.
inline double logarithm(double x) {
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);  // in [½, 1)
  if (fraction < std::numbers::sqrt2 / 2) {
    fraction *= 2;
    --exponent;
  }
  return exponent * std::numbers::ln2 + std::log1p(fraction - 1);
}

}  // namespace attn
