#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "attn/shape.h"
#include "tiled/pack.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// Keys and values of one key/value head, packed tile by tile when a tile is first wanted: once for
/// all queries and all query heads of the group, and never for tiles that no query sees.
class KeyValueTiles {
 public:
  static std::uint64_t workingBytes(const Shape& shape, const Plan& plan) {
    return sumOf({Arena::paddedBytes<float>(productOf({plan.keyTiles, tileFloats(shape, plan)})),
                  Arena::paddedBytes<float>(paddedFloats(shape, plan)), Arena::paddedBytes<float>(plan.keyTiles),
                  Arena::paddedBytes<std::uint8_t>(plan.keyTiles)});
  }

  /// Takes `workingBytes` from the arena.
  KeyValueTiles(const Shape& shape, const Plan& plan, Arena& arena)
      : shape_(shape),
        plan_(plan),
        tileFloats_(static_cast<std::size_t>(tileFloats(shape, plan))),
        packed_(arena.take<float>(plan.keyTiles * tileFloats_)),
        padded_(arena.take<float>(static_cast<std::size_t>(paddedFloats(shape, plan)))),
        largestNorm_(arena.take<float>(plan.keyTiles)),
        ready_(arena.take<std::uint8_t>(plan.keyTiles)) {}

  /// Turns to another head: keys [nk, d], values [nk, dv].
  void reset(const float* keys, const float* values) {
    keys_ = keys;
    values_ = values;
    std::ranges::fill(ready_, std::uint8_t{0});
  }

  /// Packs tile t if this has not been done.
  void prepare(std::size_t t) {
    if (ready_[t] != 0) return;
    ready_[t] = 1;
    const std::size_t first = t * plan_.keys;
    const std::size_t count = std::min(plan_.keys, shape_.keys - first);
    largestNorm_[t] = packKeys(keys_ + first * shape_.keyDim, count, shape_.keyDim, panels(t));
    if (padded_.empty()) return;
    padValues(values_ + first * shape_.valueDim, count, shape_.valueDim, valueStride(),
              &padded_[first * valueStride()]);
  }

  /// The key panels [⌈keys/8⌉, d, 8] of tile t.
  [[nodiscard]] float* panels(std::size_t t) const { return packed_.data() + t * tileFloats_; }

  /// The largest |k| in tile t, as `packKeys` gives it.
  [[nodiscard]] float largestNorm(std::size_t t) const { return largestNorm_[t]; }

  /// The values of tile t, rows `valueStride()` apart and at least whole panels wide.
  [[nodiscard]] const float* values(std::size_t t) const {
    return (padded_.empty() ? values_ : padded_.data()) + t * plan_.keys * valueStride();
  }
  [[nodiscard]] std::size_t valueStride() const { return plan_.valuePanels * kMicroColumns; }

 private:
  static std::uint64_t tileFloats(const Shape& shape, const Plan& plan) {
    return productOf({plan.keyPanels, kMicroColumns, shape.keyDim});
  }

  /// Values whose rows are whole panels are read where they are.
  static std::uint64_t paddedFloats(const Shape& shape, const Plan& plan) {
    const std::size_t width = plan.valuePanels * kMicroColumns;
    return width == shape.valueDim ? 0 : productOf({shape.keys, width});
  }

  const Shape& shape_;
  const Plan& plan_;
  std::size_t tileFloats_;
  const float* keys_ = nullptr;
  const float* values_ = nullptr;
  std::span<float> packed_;
  std::span<float> padded_;
  std::span<float> largestNorm_;
  std::span<std::uint8_t> ready_;
};

}  // namespace attn::tiled
