#include "tiled/kernel/output_block.h"

#include "tiled/plan.h"

namespace attn::tiled {

namespace {

template <std::size_t kRows, std::size_t kPanels>
[[gnu::noinline]] void update(const float* p, std::size_t count, const float* values, std::size_t stride,
                              const float* factors, float* sum) {
  constexpr std::size_t kHalves = kMicroColumns / simd::kLanes;
  const auto added = rankOneUpdates<1, kMaxTileKeys, kRows, kPanels>(p, values, stride, kMicroColumns, count);
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t half = 0; half < kPanels * kHalves; ++half) {
      float* const place =
          sum + OutputBlock::floats(half / kHalves) + r * kMicroColumns + half % kHalves * simd::kLanes;
      const simd::F32x4 factor = simd::splat(factors[r]);
      const simd::F32x4 before = simd::mul(simd::load(place), factor);
      const simd::F32x4 lost = simd::mul(simd::load(place + OutputBlock::kPanel), factor);
      const simd::F32x4 x = added.c[r][half];
      const simd::F32x4 now = simd::add(before, x);
      simd::store(now, place);
      simd::store(simd::add(lost, simd::sub(x, simd::sub(now, before))), place + OutputBlock::kPanel);
    }
  }
}

}  // namespace

void OutputBlock::accumulate(const float* p, std::size_t rows, std::size_t count, const float* values,
                             std::size_t stride, simd::F32x4 decay) {
  float factors[kMicroRows];
  simd::store(decay, factors);
  forRows(rows, [&]<std::size_t kRows>() {
    constexpr std::size_t kPanels = kPanelsAtOnce<kRows>;
    std::size_t panel = 0;
    for (; panel + kPanels <= panels_; panel += kPanels) {
      update<kRows, kPanels>(p, count, values + panel * kMicroColumns, stride, factors, panelAt(panel));
    }
    for (; panel < panels_; ++panel) {
      update<kRows, 1>(p, count, values + panel * kMicroColumns, stride, factors, panelAt(panel));
    }
  });
}

}  // namespace attn::tiled
