#pragma once

#include <cmath>
#include <cstddef>

namespace attn {

/// √(Σ x²), scaled by the largest component so that no square overflows or vanishes. NaN if any x is,
/// else ∞ if any is infinite.
template <class T>
double lengthOf(const T* x, std::size_t count) {
  double largest = 0;
  double anyNaN = 0;  // becomes NaN with the first NaN
  for (std::size_t c = 0; c < count; ++c) {
    const double size = std::fabs(double{x[c]});
    if (std::isnan(size)) anyNaN = size;
    largest = std::fmax(largest, size);
  }
  if (largest == 0 || std::isinf(largest)) return largest + anyNaN;
  double sum = anyNaN;
  for (std::size_t c = 0; c < count; ++c) {
    const double share = double{x[c]} / largest;
    sum += share * share;
  }
  return largest * std::sqrt(sum);
}

}  // namespace attn
