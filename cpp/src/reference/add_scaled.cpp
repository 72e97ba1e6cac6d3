#include "reference/add_scaled.h"

#include <algorithm>
#include <xtensor/xmath.hpp>

#include "reference/vector_of.h"

namespace attn::reference {

void addScaled(double a, const double* x, std::size_t count, double* y) {
  const auto sum = vectorOf(y, count) + a * vectorOf(x, count);
  std::copy(sum.linear_begin(), sum.linear_end(), y);
}

}  // namespace attn::reference
