#include "tiled/kernel/output_block.h"

#include <algorithm>

#include "tiled/plan.h"

namespace attn::tiled {

using simd::F32x4;

namespace {

// Equal numbers, added up one by one, are all rounded the same way: 64 of them would be off by 1e-6.
constexpr std::size_t kKeysAtOnce = 32;

/// Tiles that are added up plainly: few enough for no drift, and as many fewer times with care.
constexpr std::size_t kGroup = 4;

/// recent [kRows, 8] = or += weights · panel.
template <std::size_t kRows>
[[gnu::noinline]] void update(const float* p, std::size_t count, const float* panel, bool add, float* recent) {
  for (std::size_t j = 0; j < count; j += kKeysAtOnce) {
    const auto product =
        rankOneUpdates<1, kMaxTileKeys, kRows>(p + j, panel + j * kMicroColumns, std::min(kKeysAtOnce, count - j));
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

/// O' = α·O
void OutputBlock::scale(std::size_t rows, F32x4 factors) {
  float factor[kMicroRows];
  simd::store(factors, factor);
  const auto scaleRow = [](float* row, F32x4 by) {
    for (std::size_t c = 0; c < kMicroColumns; c += simd::kLanes) {
      simd::store(simd::mul(simd::load(row + c), by), row + c);
    }
  };
  for (std::size_t panel = 0; panel < panels_; ++panel) {
    for (std::size_t r = 0; r < rows; ++r) {
      float* const recent = panelAt(panel) + r * kMicroColumns;
      const F32x4 by = simd::splat(factor[r]);
      if (progress_.hasRecent) scaleRow(recent, by);
      if (!progress_.hasSum) continue;
      scaleRow(recent + kPanel, by);
      scaleRow(recent + 2 * kPanel, by);
    }
  }
}

/// Adds the recent tiles to the sum (Neumaier 1974 names what is lost by it; here the sum is the larger).
void OutputBlock::closeGroup(std::size_t rows) {
  for (std::size_t panel = 0; panel < panels_; ++panel) {
    for (std::size_t c = 0; c < rows * kMicroColumns; c += simd::kLanes) {
      float* const recent = panelAt(panel) + c;
      float* const sum = recent + kPanel;
      float* const lost = sum + kPanel;
      const F32x4 x = simd::load(recent);
      if (!progress_.hasSum) {
        simd::store(x, sum);
        simd::store(simd::zero(), lost);
        continue;
      }
      const F32x4 before = simd::load(sum);
      const F32x4 now = simd::add(before, x);
      simd::store(now, sum);
      simd::store(simd::add(simd::load(lost), simd::sub(x, simd::sub(now, before))), lost);
    }
  }
  progress_.hasSum = true;
  progress_.hasRecent = false;
}

F32x4 OutputBlock::columns(std::size_t r, std::size_t column) const {
  const float* const recent = recentAt(r, column);
  const F32x4 x = progress_.hasRecent ? simd::load(recent) : simd::zero();
  if (!progress_.hasSum) return x;
  return simd::add(simd::load(recent + kPanel), simd::add(simd::load(recent + 2 * kPanel), x));
}

double OutputBlock::at(std::size_t r, std::size_t column) const {
  const float* const recent = recentAt(r, column);
  const double x = progress_.hasRecent ? *recent : 0.0;
  return progress_.hasSum ? double{recent[kPanel]} + double{recent[2 * kPanel]} + x : x;
}

}  // namespace attn::tiled
