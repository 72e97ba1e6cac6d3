#pragma once

#include <cstddef>

#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/online_softmax.h"
#include "tiled/kernel/simd.h"

namespace attn::tiled {

/// How far the sums of a block have come.
struct OutputProgress {
  bool hasRecent;
  bool hasSum;
  std::size_t group;  ///< that of the recent tiles
};

/// The unnormalised output of four rows, Σⱼ pⱼ·vⱼ, as panels of eight columns. Each panel is the sum of the
/// tiles of a group, [4, 8], the sum of the groups before, [4, 8], and what rounding has cut off that, [4, 8]:
/// with thousands of tiles a plain float32 sum would drift (0.1 summed 65,536 times is off by 1e-3).
class OutputBlock {
 public:
  static constexpr std::size_t floats(std::size_t panels) { return panels * 3 * kPanel; }

  OutputBlock(float* memory, std::size_t panels, OutputProgress& progress)
      : memory_(memory), panels_(panels), progress_(progress) {}

  void reset() { progress_ = {}; }

  /// O' = α·O + Σⱼ pⱼ·vⱼ for the `count` keys of tile number `tile`: p [rows, count] with rows kMaxTileKeys apart,
  /// values as panels [·, count, 8], `panelStride` numbers apart.
  void accumulate(const float* p, std::size_t rows, std::size_t count, const float* values, std::size_t panelStride,
                  std::size_t tile, const Decay& decay);

  /// Columns [column, column + 4) of row r, one of those accumulated; column a multiple of 4.
  [[nodiscard]] simd::F32x4 columns(std::size_t r, std::size_t column) const;

  /// One number of them, which may be beyond float32.
  [[nodiscard]] double at(std::size_t r, std::size_t column) const;

 private:
  static constexpr std::size_t kPanel = kMicroRows * kMicroColumns;

  [[nodiscard]] float* panelAt(std::size_t panel) const { return memory_ + floats(panel); }
  [[nodiscard]] const float* recentAt(std::size_t r, std::size_t column) const {
    return panelAt(column / kMicroColumns) + r * kMicroColumns + column % kMicroColumns;
  }

  void scale(std::size_t rows, simd::F32x4 factors);
  void closeGroup(std::size_t rows);

  float* memory_;
  std::size_t panels_;
  OutputProgress& progress_;
};

}  // namespace attn::tiled
