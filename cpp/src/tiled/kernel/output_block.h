#pragma once

#include <algorithm>
#include <cstddef>

#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/simd.h"

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

  /// O' = α·O + Σⱼ pⱼ·vⱼ for `count` keys: p [rows, count] with rows kMaxTileKeys apart, values [count, ·]
  /// with rows `stride` apart, padded to whole panels.
  void accumulate(const float* p, std::size_t rows, std::size_t count, const float* values, std::size_t stride,
                  simd::F32x4 decay);

  /// Columns [column, column + 4) of row r; column a multiple of 4.
  [[nodiscard]] simd::F32x4 columns(std::size_t r, std::size_t column) const {
    const float* const sum = memory_ + floats(column / kMicroColumns) + r * kMicroColumns + column % kMicroColumns;
    return simd::add(simd::load(sum), simd::load(sum + kPanel));
  }

 private:
  [[nodiscard]] float* panelAt(std::size_t panel) const { return memory_ + floats(panel); }

  float* memory_;
  std::size_t panels_;
};

}  // namespace attn::tiled
