#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "tiled/kernel/pack.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// The rows of a matrix [nk, width], one for each key, packed as panels of eight: tile by tile when a
/// tile is first wanted, and never where nothing is visible.
class PanelTiles {
 public:
  static std::uint64_t workingBytes(std::size_t width, const Plan& plan) {
    return sumOf({Arena::paddedBytes<float>(productOf({plan.keyTiles, plan.keyPanels, kMicroColumns, width})),
                  Arena::paddedBytes<Extent>(plan.keyTiles)});
  }

  /// Takes `workingBytes` from the arena.
  PanelTiles(std::size_t rows, std::size_t width, const Plan& plan, Arena& arena)
      : rows_(rows),
        width_(width),
        rowsPerTile_(plan.keys),
        tileFloats_(plan.keyPanels * kMicroColumns * width),
        packed_(arena.take<float>(plan.keyTiles * tileFloats_)),
        extents_(arena.take<Extent>(plan.keyTiles)) {}

  /// Turns to another matrix.
  void reset(const float* matrix) {
    matrix_ = matrix;
    std::ranges::fill(extents_, Extent{});
  }

  /// Packs tile t if this has not been done.
  void prepare(std::size_t t) {
    Extent& extent = extents_[t];
    if (extent.known) return;
    const std::size_t first = t * rowsPerTile_;
    const std::size_t count = std::min(rowsPerTile_, rows_ - first);
    const float* const rows = matrix_ + first * width_;
    extent = {true, packKeys(rows, count, width_, packed_.data() + t * tileFloats_),
              largestMagnitude(rows, count * width_)};
  }

  /// The panels [⌈rows/8⌉, width, 8] of tile t.
  [[nodiscard]] const float* panels(std::size_t t) const { return packed_.data() + t * tileFloats_; }

  /// The length of the longest row of tile t, and its largest number; of the finite numbers alone.
  [[nodiscard]] float largestNorm(std::size_t t) const { return extents_[t].norm; }
  [[nodiscard]] float largest(std::size_t t) const { return extents_[t].magnitude; }

 private:
  struct Extent {
    bool known = false;
    float norm = 0;
    float magnitude = 0;
  };

  std::size_t rows_;
  std::size_t width_;
  std::size_t rowsPerTile_;
  std::size_t tileFloats_;
  const float* matrix_ = nullptr;
  std::span<float> packed_;
  std::span<Extent> extents_;
};

}  // namespace attn::tiled
