#pragma once

#include <algorithm>
#include <cstddef>

#include "tiled/micro_kernel.h"
#include "tiled/simd.h"

namespace attn::tiled {

/// The unnormalised output of four rows, Σⱼ pⱼ·vⱼ, as panels of eight columns. Each panel is a sum
/// [4, 8] and what rounding has cut off it, [4, 8]: with thousands of tiles a plain float32 sum would
/// drift (0.1 summed 65,536 times is off by 1e-3).
class OutputBlock {
 public:
  static constexpr std::size_t kPanel = kMicroRows * kMicroColumns;

  static constexpr std::size_t floats(std::size_t panels) { return panels * 2 * kPanel; }

  OutputBlock(float* memory, std::size_t panels) : memory_(memory), panels_(panels) {}

  void reset() { std::fill_n(memory_, floats(panels_), 0.0F); }

  /// O' = α·O + Σⱼ pⱼ·vⱼ for `count` keys: p [rows, count] with rows `kRow` apart, values [count, ·] with
  /// rows `stride` apart, padded to whole panels.
  template <std::size_t kRow>
  void accumulate(const float* p, std::size_t rows, std::size_t count, const float* values, std::size_t stride,
                  simd::F32x4 decay) {
    float factors[kMicroRows];
    simd::store(decay, factors);
    forRows(rows, [&]<std::size_t kRows>() {
      constexpr std::size_t kPanels = kPanelsAtOnce<kRows>;
      std::size_t panel = 0;
      for (; panel + kPanels <= panels_; panel += kPanels) {
        update<kRow, kRows, kPanels>(p, count, values + panel * kMicroColumns, stride, factors, panelAt(panel));
      }
      for (; panel < panels_; ++panel) {
        update<kRow, kRows, 1>(p, count, values + panel * kMicroColumns, stride, factors, panelAt(panel));
      }
    });
  }

  /// Columns [column, column + 4) of row r; column a multiple of 4.
  [[nodiscard]] simd::F32x4 columns(std::size_t r, std::size_t column) const {
    const float* const sum = memory_ + floats(column / kMicroColumns) + r * kMicroColumns + column % kMicroColumns;
    return simd::add(simd::load(sum), simd::load(sum + kPanel));
  }

 private:
  [[nodiscard]] float* panelAt(std::size_t panel) const { return memory_ + floats(panel); }

  template <std::size_t kRow, std::size_t kRows, std::size_t kPanels>
  [[gnu::noinline]] static void update(const float* p, std::size_t count, const float* values, std::size_t stride,
                                       const float* factors, float* sum) {
    constexpr std::size_t kHalves = kMicroColumns / simd::kLanes;
    const auto added = rankOneUpdates<1, kRow, kRows, kPanels>(p, values, stride, kMicroColumns, count);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t half = 0; half < kPanels * kHalves; ++half) {
        float* const place = sum + floats(half / kHalves) + r * kMicroColumns + half % kHalves * simd::kLanes;
        const simd::F32x4 factor = simd::splat(factors[r]);
        const simd::F32x4 before = simd::mul(simd::load(place), factor);
        const simd::F32x4 lost = simd::mul(simd::load(place + kPanel), factor);
        const simd::F32x4 x = added.c[r][half];
        const simd::F32x4 now = simd::add(before, x);
        simd::store(now, place);
        simd::store(simd::add(lost, simd::sub(x, simd::sub(now, before))), place + kPanel);
      }
    }
  }

  float* memory_;
  std::size_t panels_;
};

}  // namespace attn::tiled
