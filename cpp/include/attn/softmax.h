#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

/// The numbers an operation computes with: float32, half (binary16) or bfloat16, see attn/half.h.
enum class Precision : std::uint8_t { f32, f16, bf16 };

struct SoftmaxOptions {
  Precision precision = Precision::f32;
  bool stable = true;  ///< subtract the row's maximum first
};

/// Softmax of every row of `x` [rows, columns]; `y` may be `x`.
///
///   stable:      y = exp(x − max) / Σ exp(x − max)
///   not stable:  y = exp(x) / Σ exp(x), as the formula reads
///
/// Stable softmax in float32 is the one to use: exponentials in float32, their sum in float64. A NaN
/// or +∞ makes its row NaN; −∞ gives exactly 0; a row of −∞ alone (or of no columns) gives 0s.
///
/// The others are there to look at. They do what a machine that knows only the precision would do:
/// round x, then every difference, exponential, sum so far (from left to right) and quotient to the
/// nearest number of the precision, ties to even, to ∞ beyond the largest. So a large x may already be
/// ∞, and a long sum stands still once its terms are below half a step of it. Stable, they treat NaN and
/// ∞ as above. Not stable, they overflow: exp(12) is ∞ in half, ∞ / ∞ is NaN and the rest of the row 0;
/// a row of −∞ alone is NaN, 0 / 0, and so is one whose exponentials are all too small.
void softmax(const float* x, std::size_t rows, std::size_t columns, float* y, SoftmaxOptions options = {});

}  // namespace attn
