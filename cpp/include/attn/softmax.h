#pragma once

#include <cstddef>

namespace attn {

/// Softmax of every row of `x` [rows, columns] in float32, by subtracting the row's maximum:
/// y = exp(x − max) / Σ exp(x − max). `y` may be `x`.
///
/// A NaN or +∞ makes its row NaN; −∞ gives exactly 0; a row of −∞ alone (or of no columns) gives 0s.
void softmax(const float* x, std::size_t rows, std::size_t columns, float* y);

}  // namespace attn
