// What an OutputBlock does once for many products: small code, while output_block.cpp is fast code.

#include "tiled/kernel/output_block.h"

namespace attn::tiled {

using simd::F32x4;

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

/// Adds the recent tiles to the sum and keeps what rounding cuts off it: all of it where the sum is the larger
/// (Kahan 1965, Dekker 1971).
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
