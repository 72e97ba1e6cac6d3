#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "attn/shape.h"
#include "kv_cache/page.h"
#include "kv_cache/page_rows.h"
#include "tiled/kernel/pack.h"
#include "tiled/kernel/simd.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// One key/value head: as rows, keys [nk, d] and values [nk, dv], or in pages.
struct KeyValueHead {
  const float* keys = nullptr;
  const float* values = nullptr;
  PagedHead paged{};
};

/// Keys and values of one key/value head, tile by tile. Rows are packed when their tile is first wanted:
/// once for all queries and all query heads of the group, and never for tiles that no query sees. Pages are
/// packed already: a tile is a page, read where it is, or made from halves each time it is turned to.
class KeyValueTiles {
 public:
  /// `panelDim`: the width of the key panels; 0 if keys are not multiplied as they are, then only the values
  /// are packed. `pages` is null for rows.
  static std::uint64_t workingBytes(const Plan& plan, std::size_t panelDim, const PageFormat* pages) {
    const std::size_t tiles = packedTiles(plan, pages);
    return sumOf({Arena::paddedBytes<float>(productOf({tiles, keyFloats(plan, panelDim)})),
                  Arena::paddedBytes<float>(productOf({tiles, valueFloats(plan, pages)})),
                  Arena::paddedBytes<Tile>(plan.keyTiles), pages == nullptr ? 0 : PageRows::workingBytes(*pages)});
  }

  /// Takes `workingBytes` from the arena.
  KeyValueTiles(const Shape& shape, const Plan& plan, std::size_t panelDim, const PageFormat* pages, Arena& arena)
      : shape_(shape),
        plan_(plan),
        panelDim_(panelDim),
        keyFloats_(static_cast<std::size_t>(keyFloats(plan, panelDim))),
        valueFloats_(static_cast<std::size_t>(valueFloats(plan, pages))),
        keyPanels_(arena.take<float>(packedTiles(plan, pages) * keyFloats_)),
        valuePanels_(arena.take<float>(packedTiles(plan, pages) * valueFloats_)),
        tiles_(arena.take<Tile>(plan.keyTiles)) {
    if (pages != nullptr) rows_.emplace(*pages, arena);
  }

  /// Turns to another head.
  void reset(const KeyValueHead& head) {
    head_ = head;
    std::ranges::fill(tiles_, Tile{});
    if (rows_) rows_->reset(head.paged);
  }

  /// Turns to tile t: what is said of it below is true until another is turned to.
  void prepare(std::size_t t) {
    Tile& tile = tiles_[t];
    if (head_.paged.format == nullptr) {
      if (tile.panels == nullptr) tile = packRows(t);
    } else if (head_.paged.format->type == KvType::f32) {
      tile = pageAsItIs(t);
    } else if (tile.panels == nullptr) {
      tiles_[unpacked_] = {};
      tile = unpackHalves(t);
      unpacked_ = t;
    }
  }

  /// The key panels [⌈keys/8⌉, d, 8] of tile t.
  [[nodiscard]] const float* panels(std::size_t t) const { return tiles_[t].panels; }

  /// The largest |k| in tile t, as `packKeys` gives it.
  [[nodiscard]] float largestNorm(std::size_t t) const { return tiles_[t].largestNorm; }

  /// The values of tile t as panels [⌈dv/8⌉, keys, 8], `valuePanelStride()` numbers apart.
  [[nodiscard]] const float* values(std::size_t t) const { return tiles_[t].values; }
  [[nodiscard]] std::size_t valuePanelStride() const { return (rows_ ? kPageKeys : plan_.keys) * kMicroColumns; }

  /// Key j [d] and value j [dv], until the next one is asked for.
  [[nodiscard]] const float* key(std::size_t j) { return rows_ ? rows_->key(j) : head_.keys + j * shape_.keyDim; }
  [[nodiscard]] const float* value(std::size_t j) {
    return rows_ ? rows_->value(j) : head_.values + j * shape_.valueDim;
  }

 private:
  struct Tile {
    const float* panels = nullptr;
    const float* values = nullptr;
    float largestNorm = 0;
  };

  // Of a tile.
  static std::uint64_t keyFloats(const Plan& plan, std::size_t panelDim) {
    return productOf({plan.keyPanels, kMicroColumns, panelDim});
  }
  static std::uint64_t valueFloats(const Plan& plan, const PageFormat* pages) {
    return productOf({plan.valuePanels, pages == nullptr ? plan.keys : kPageKeys, kMicroColumns});
  }

  /// Tiles that there has to be room for.
  static std::size_t packedTiles(const Plan& plan, const PageFormat* pages) {
    if (pages == nullptr) return plan.keyTiles;
    return pages->type == KvType::f16 ? 1 : 0;
  }

  Tile packRows(std::size_t t) {
    const std::size_t first = t * plan_.keys;
    const std::size_t count = std::min(plan_.keys, shape_.keys - first);
    float* const keys = keyPanels_.data() + t * keyFloats_;
    float* const values = valuePanels_.data() + t * valueFloats_;
    packColumns(head_.values + first * shape_.valueDim, count, shape_.valueDim, plan_.keys, values);
    return {keys, values, packKeys(head_.keys + first * shape_.keyDim, count, panelDim_, keys)};
  }

  [[nodiscard]] Tile pageAsItIs(std::size_t t) const {
    const auto& [format, pages, head] = head_.paged;
    return {format->keys<float>(*pages[t], head), format->values<float>(*pages[t], head),
            format->norm(*pages[t], head)};
  }

  Tile unpackHalves(std::size_t t) {
    const auto& [format, pages, head] = head_.paged;
    const std::size_t count = std::min(plan_.keys, shape_.keys - t * plan_.keys);
    unpack(format->keys<std::uint16_t>(*pages[t], head), roundUp(count, kMicroColumns) * panelDim_, keyPanels_.data());
    for (std::size_t place = 0; place < valueFloats_; place += valuePanelStride()) {
      unpack(format->values<std::uint16_t>(*pages[t], head) + place, count * kMicroColumns, &valuePanels_[place]);
    }
    return {keyPanels_.data(), valuePanels_.data(), format->norm(*pages[t], head)};
  }

  /// `count` is a multiple of four.
  static void unpack(const std::uint16_t* halves, std::size_t count, float* numbers) {
    for (std::size_t i = 0; i < count; i += simd::kLanes) simd::store(simd::loadHalves(halves + i), numbers + i);
  }

  const Shape& shape_;
  const Plan& plan_;
  std::size_t panelDim_;
  std::size_t keyFloats_;
  std::size_t valueFloats_;
  KeyValueHead head_{};
  std::span<float> keyPanels_;    ///< [tiles] of panels [⌈keys/8⌉, d, 8]
  std::span<float> valuePanels_;  ///< [tiles] of panels [⌈dv/8⌉, keys, 8]
  std::span<Tile> tiles_;
  std::optional<PageRows> rows_;
  std::size_t unpacked_ = 0;  ///< the tile made from halves last
};

}  // namespace attn::tiled
