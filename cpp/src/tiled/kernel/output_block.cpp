#include "tiled/kernel/output_block.h"

#include <algorithm>

#include "tiled/plan.h"

namespace attn::tiled {

using simd::F32x4;

namespace {

// Equal numbers, added up one by one, are all rounded the same way: 64 of them would be off by 1e-6.
template <std::size_t kRows>
constexpr std::size_t kKeysAtOnce = 32 * kStepsAtOnce<kRows>;

/// Tiles that are added up plainly: few enough for no drift, and as many fewer times with care.
constexpr std::size_t kGroup = 4;

/// recent [kRows, 8] = or += weights · panel.
template <std::size_t kRows>
[[gnu::noinline]] void update(const float* p, std::size_t count, const float* panel, bool add, float* recent) {
  constexpr std::size_t kMost = kKeysAtOnce<kRows>;
  for (std::size_t j = 0; j < count; j += kMost) {
    const auto product =
        rankOneUpdates<1, kMaxTileKeys, kRows>(p + j, panel + j * kMicroColumns, std::min(kMost, count - j));
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t half = 0; half < kMicroColumns / simd::kLanes; ++half) {
        float* const place = recent + r * kMicroColumns + half * simd::kLanes;
        const F32x4 x = product.c[r][half];
        simd::store(add || j > 0 ? simd::add(simd::load(place), x) : x, place);
      }
    }
  }
}

}  // namespace

void OutputBlock::accumulate(const float* p, std::size_t rows, std::size_t count, const float* values,
                             std::size_t panelStride, std::size_t tile, const Decay& decay) {
  if (!decay.isOne) scale(rows, decay.factors);
  const std::size_t group = tile / kGroup;
  if (progress_.hasRecent && group != progress_.group) closeGroup(rows);
  forRows(rows, [&]<std::size_t kRows>() {
    for (std::size_t panel = 0; panel < panels_; ++panel) {
      update<kRows>(p, count, values + panel * panelStride, progress_.hasRecent, panelAt(panel));
    }
  });
  progress_.hasRecent = true;
  progress_.group = group;
}

}  // namespace attn::tiled
