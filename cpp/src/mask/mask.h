#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

// The mask algebra. A mask is any class with
//
//   static std::optional<M> from(const Shape&, const MaskOptions&);   nothing if not asked for
//   Coverage coverage(const Tile&) const;                             is anything here visible?
//   void narrow(const Tile&, Cells) const;                            clears the cells it forbids
//
// `none` and `all` must be true of every cell; `some` may be answered when in doubt. A new mask is
// a new file here and its name in mask_set.h.

enum class Coverage : std::uint8_t { none, some, all };

/// A rectangle of score cells in one head, never empty: queries [query, query + queries), keys [key, key + keys).
struct Tile {
  std::size_t batch;
  std::size_t head;
  std::size_t query;
  std::size_t queries;
  std::size_t key;
  std::size_t keys;
};

/// Visibility of a tile's cells, 1 or 0: cell (r, c) is `data[r·stride + c]`.
struct Cells {
  std::uint8_t* data;
  std::size_t stride;

  [[nodiscard]] std::uint8_t* row(std::size_t r) const { return data + r * stride; }
};

}  // namespace attn
