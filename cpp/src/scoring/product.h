#pragma once

#include <cstddef>

namespace attn::scoring {

/// Σ a·b in float64, where products of float32 numbers neither overflow nor lose digits.
[[nodiscard]] double dot(const float* a, const float* b, std::size_t count);
[[nodiscard]] double dot(const double* a, const float* b, std::size_t count);
[[nodiscard]] double dot(const double* a, const double* b, std::size_t count);

}  // namespace attn::scoring
