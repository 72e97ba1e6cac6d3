#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/simd.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// A gradient [rows, width] while it is being summed up, in float64: the parts that are added are sums of
/// at most 64 float32 products, so that rounding does not grow with the number of parts. It lies in tiles of
/// panels of eight columns, [tiles, ⌈width/8⌉, rowsPerTile, 8].
class GradientSum {
 public:
  static std::uint64_t workingBytes(std::size_t tiles, std::size_t rowsPerTile, std::size_t width) {
    return Arena::paddedBytes<double>(
        productOf({tiles, divideUp(width, kMicroColumns), roundUp(rowsPerTile, kMicroRows), kMicroColumns}));
  }

  /// Takes `workingBytes` from the arena.
  GradientSum(std::size_t tiles, std::size_t rowsPerTile, std::size_t width, Arena& arena)
      : rowsPerTile_(rowsPerTile),
        width_(width),
        panelDoubles_(roundUp(rowsPerTile, kMicroRows) * kMicroColumns),
        tileDoubles_(divideUp(width, kMicroColumns) * panelDoubles_),
        sums_(arena.take<double>(tiles * tileDoubles_)) {}

  void reset() { std::ranges::fill(sums_, 0.0); }

  /// Adds Σ_k A[k, 4]·B[k, 8], k < count, to rows [row, row + 4) of a panel of tile t. B[k] is `b + 8·k`; A[k, r]
  /// is `a[k·kMaxTileKeys + r]`, or transposed `a[r·kMaxTileKeys + k]`.
  void add(std::size_t t, std::size_t row, std::size_t panel, const float* a, const float* b, std::size_t count);
  void addTransposed(std::size_t t, std::size_t row, std::size_t panel, const float* a, const float* b,
                     std::size_t count);

  /// Row `row` += factor · numbers [width]
  void addRow(std::size_t row, double factor, const float* numbers) {
    double* const sums = &sums_[placeOf(row)];
    for (std::size_t c = 0; c < width_; ++c) sums[offsetOf(c)] += factor * double{numbers[c]};
  }

  /// out [rows, width] = factor · the sum
  void write(std::size_t rows, double factor, float* out) const {
    for (std::size_t row = 0; row < rows; ++row, out += width_) {
      const double* const sums = &sums_[placeOf(row)];
      for (std::size_t c = 0; c < width_; ++c) out[c] = static_cast<float>(factor * sums[offsetOf(c)]);
    }
  }

 private:
  [[nodiscard]] double* blockAt(std::size_t t, std::size_t row, std::size_t panel) {
    return &sums_[t * tileDoubles_ + panel * panelDoubles_ + row * kMicroColumns];
  }
  [[nodiscard]] std::size_t placeOf(std::size_t row) const {
    return row / rowsPerTile_ * tileDoubles_ + row % rowsPerTile_ * kMicroColumns;
  }
  [[nodiscard]] std::size_t offsetOf(std::size_t column) const {
    return column / kMicroColumns * panelDoubles_ + column % kMicroColumns;
  }

  std::size_t rowsPerTile_;
  std::size_t width_;
  std::size_t panelDoubles_;
  std::size_t tileDoubles_;
  std::span<double> sums_;
};

}  // namespace attn::tiled
