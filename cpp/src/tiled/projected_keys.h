#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "attn/shape.h"
#include "scoring/projection.h"
#include "tiled/kernel/additive_block.h"
#include "tiled/kernel/pack.h"
#include "tiled/narrow.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// The keys of one key/value head as a scoring projects them, in float64 and packed, tile by tile when a
/// tile is first wanted. Takes no memory where a scoring does not.
class ProjectedKeys {
 public:
  static std::uint64_t workingBytes(const Shape& shape, const Plan& plan, const scoring::Projection& projection) {
    const std::size_t width = projection.projectedWidth();
    return sumOf({Arena::paddedBytes<double>(productOf({shape.keys, width})),
                  Arena::paddedBytes<float>(productOf({plan.keyTiles, plan.keyPanels, kMicroColumns, width})),
                  Arena::paddedBytes<float>(productOf({kMicroColumns, width})),
                  Arena::paddedBytes<float>(width == 0 ? 0 : plan.keyTiles)});
  }

  /// Takes `workingBytes` from the arena.
  ProjectedKeys(const Shape& shape, const Plan& plan, const scoring::Projection& projection, Arena& arena)
      : shape_(shape),
        plan_(plan),
        projection_(projection),
        rows_(arena.take<double>(shape.keys * projection.projectedWidth())),
        panels_(arena.take<float>(plan.keyTiles * tileFloats())),
        narrowed_(arena.take<float>(kMicroColumns * projection.projectedWidth())),
        largestNorms_(arena.take<float>(projection.projects() ? plan.keyTiles : 0)) {}

  /// Turns to another head.
  void reset() { std::ranges::fill(largestNorms_, kNotReady); }

  /// Projects and packs tile t, if this has not been done. `keyAt(j)` is key j as it came [dk].
  template <class KeyAt>
  void prepare(std::size_t t, KeyAt keyAt) {
    if (largestNorms_[t] != kNotReady) return;
    const std::size_t width = projection_.width();
    const std::size_t end = std::min(shape_.keys, (t + 1) * plan_.keys);
    float* panel = panels_.data() + t * tileFloats();
    float largest = 0;
    for (std::size_t first = t * plan_.keys; first < end; first += kMicroColumns, panel += kMicroColumns * width) {
      const std::size_t count = std::min(kMicroColumns, end - first);
      for (std::size_t r = 0; r < count; ++r) {
        double* const projected = &rows_[(first + r) * width];
        projection_.key(keyAt(first + r), projected);
        narrow(projected, width, 1, &narrowed_[r * width]);
      }
      largest = std::max(largest, packKeys(narrowed_.data(), count, width, panel));
    }
    largestNorms_[t] = projection_.additive() == nullptr ? largest : additiveKeyNorm(largest, width);
  }

  /// The panels [⌈keys/8⌉, w, 8] of tile t.
  [[nodiscard]] const float* panels(std::size_t t) const { return panels_.data() + t * tileFloats(); }

  /// The largest norm in tile t, as `packKeys` or, for additive scores, `additiveKeyNorm` gives it.
  [[nodiscard]] float largestNorm(std::size_t t) const { return largestNorms_[t]; }

  /// All keys [nk, w]; written in the tiles that have been prepared.
  [[nodiscard]] const double* rows() const { return rows_.data(); }

 private:
  static constexpr float kNotReady = -1;

  [[nodiscard]] std::size_t tileFloats() const {
    return plan_.keyPanels * kMicroColumns * projection_.projectedWidth();
  }

  const Shape& shape_;
  const Plan& plan_;
  const scoring::Projection& projection_;
  std::span<double> rows_;
  std::span<float> panels_;
  std::span<float> narrowed_;  ///< [8, w], the panel at hand
  std::span<float> largestNorms_;
};

}  // namespace attn::tiled
