#pragma once

#include <cstddef>

namespace attn::reference {

/// y += a·x, of `count` numbers.
void addScaled(double a, const double* x, std::size_t count, double* y);

}  // namespace attn::reference
