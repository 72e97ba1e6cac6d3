#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tiled/micro_kernel.h"
#include "tiled/plan.h"
#include "tiled/simd.h"
#include "tiled/tanh.h"

// Additive scores: s = Σ_c v[c] · tanh(q[c] + k[c]), in float32.

namespace attn::tiled {

/// s [kRows, 8] of packed queries [count, 4] and a panel of keys [count, 8]; `add`: added to what is in s.
template <std::size_t kRows>
[[gnu::noinline]] void additivePanel(const float* queries, const float* keys, const float* v, std::size_t count,
                                     bool add, float* s) {
  constexpr std::size_t kHalves = kMicroColumns / simd::kLanes;
  simd::F32x4 sums[kRows][kHalves];
  for (auto& row : sums) std::fill_n(row, kHalves, simd::zero());
  for (std::size_t c = 0; c < count; ++c, queries += kMicroRows, keys += kMicroColumns) {
    const simd::F32x4 weight = simd::splat(v[c]);
    for (std::size_t r = 0; r < kRows; ++r) {
      const simd::F32x4 query = simd::splat(queries[r]);
      for (std::size_t half = 0; half < kHalves; ++half) {
        const simd::F32x4 unit = tanh(simd::add(query, simd::load(keys + half * simd::kLanes)));
        sums[r][half] = simd::mulAdd(weight, unit, sums[r][half]);
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t half = 0; half < kHalves; ++half) {
      float* const place = s + r * kMaxTileKeys + half * simd::kLanes;
      simd::store(add ? simd::add(simd::load(place), sums[r][half]) : sums[r][half], place);
    }
  }
}

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
