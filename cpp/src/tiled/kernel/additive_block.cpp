#include "tiled/kernel/additive_block.h"

#include "tiled/kernel/dot_block.h"
#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/tanh.h"
#include "tiled/plan.h"

namespace attn::tiled {

namespace {

/// s [4, 8] of packed queries [count, 4] and a panel of keys [count, 8]; `add`: added to what is in s.
[[gnu::noinline]] void additivePanel(const float* queries, const float* keys, const float* v, std::size_t count,
                                     bool add, float* s) {
  constexpr std::size_t kHalves = kMicroColumns / simd::kLanes;
  simd::F32x4 sums[kMicroRows][kHalves];
  for (auto& row : sums) std::fill_n(row, kHalves, simd::zero());
  for (std::size_t c = 0; c < count; ++c, queries += kMicroRows, keys += kMicroColumns) {
    const simd::F32x4 weight = simd::splat(v[c]);
    for (std::size_t r = 0; r < kMicroRows; ++r) {
      const simd::F32x4 query = simd::splat(queries[r]);
      for (std::size_t half = 0; half < kHalves; ++half) {
        const simd::F32x4 unit = tanh(simd::add(query, simd::load(keys + half * simd::kLanes)));
        sums[r][half] = simd::mulAdd(weight, unit, sums[r][half]);
      }
    }
  }
  for (std::size_t r = 0; r < kMicroRows; ++r) {
    for (std::size_t half = 0; half < kHalves; ++half) {
      float* const place = s + r * kMaxTileKeys + half * simd::kLanes;
      simd::store(add ? simd::add(simd::load(place), sums[r][half]) : sums[r][half], place);
    }
  }
}

}  // namespace

void additiveBlock(const float* queries, const float* keys, std::size_t panels, std::span<const float> v, float* s) {
  const std::size_t width = v.size();
  for (std::size_t panel = 0; panel < panels; ++panel, keys += width * kMicroColumns, s += kMicroColumns) {
    for (std::size_t c = 0; c < width; c += kSumPart) {
      const std::size_t count = std::min(kSumPart, width - c);
      additivePanel(queries + c * kMicroRows, keys + c * kMicroColumns, &v[c], count, c > 0, s);
    }
  }
}

}  // namespace attn::tiled
