#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

// Additive scores: s = Σ_c v[c] · tanh(q[c] + k[c]), in float32.

namespace attn::tiled {

/// s [4, 8·panels], rows kMaxTileKeys apart, of four packed queries [width, 4] and panels of keys [width, 8];
/// v [width].
void additiveBlock(const float* queries, const float* keys, std::size_t panels, std::span<const float> v, float* s);

// How large additive scores may be, as a product of a part of the query and one of the key, like the
// |q| |k| of a dot product. No sum is larger than |v| √w, since no tanh is larger than 1. Their rounding
// is that of a dot product half as large again: tanh is good to 1.2e-7. Where q and k are large and
// cancel, what rounding has cut off them comes on top, in proportion to their root mean square.

/// For a query of length `norm` in w = `width` numbers, with |v| times the factor of the products.
inline float additiveQueryNorm(float norm, std::size_t width, double vNorm) {
  return static_cast<float>(1.5 * vNorm) * std::max(norm / static_cast<float>(width), 1.0F);
}

/// For keys no longer than `norm`.
inline float additiveKeyNorm(float norm, std::size_t width) {
  return std::sqrt(static_cast<float>(width)) * std::max(norm / static_cast<float>(width), 1.0F);
}

}  // namespace attn::tiled
