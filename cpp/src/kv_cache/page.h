#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "attn/kv_cache.h"
#include "tiled/kernel/micro_kernel.h"
#include "tiled/plan.h"

namespace attn {

/// Positions per page: a tile of the kernel.
inline constexpr std::size_t kPageKeys = tiled::kMaxTileKeys;

/// Pages whose memory was asked for together, and is given back when the last of them is. Laid out by `PageFormat`.
struct Slab {
  std::size_t pages;
  std::size_t inUse;
  float* norms;
  std::byte* keys;
  std::byte* values;
};

/// The keys and values of 64 positions in a row, of all key/value heads.
struct Page {
  std::size_t references;  ///< caches that have it
  Slab* slab;
  std::size_t place;  ///< in the slab
};

/// How slabs are laid out, their numbers of type T (float, or std::uint16_t for halves):
///
///   Slab · Page [pages] · norms [pages, heads] of float
///   · for each head, for each page: key panels T [8, d, 8]
///   · for each head, for each page: value panels T [⌈dv/8⌉, 64, 8]
///
/// with every piece aligned to 64 bytes, the panels as `tiled::packKeys` and `tiled::packColumns` make them. The keys
/// of a head follow one another from page to page, as do its values: machines foresee reads that go on.
class PageFormat {
 public:
  explicit PageFormat(const KvCacheSettings& settings)
      : heads(settings.batch * settings.kvHeads),
        keyDim(settings.keyDim),
        valueDim(settings.valueDim),
        type(settings.type),
        keyBytes_(pieceBytes({kPageKeys, keyDim, elementBytes()})),
        valueBytes_(pieceBytes({tiled::divideUp(valueDim, tiled::kMicroColumns), kValuePanel, elementBytes()})) {}

  /// Of a slab.
  [[nodiscard]] std::uint64_t bytes(std::size_t pages) const {
    return sumOf({kHeader, Arena::paddedBytes<Page>(pages), normBytes(pages), productOf({heads, pages, keyBytes_}),
                  productOf({heads, pages, valueBytes_})});
  }

  /// Lays a slab out in so many bytes; its pages have no owner yet.
  [[nodiscard]] Slab* slabIn(std::byte* memory, std::size_t pages) const;

  [[nodiscard]] static Page* pagesOf(Slab* slab) {
    return reinterpret_cast<Page*>(reinterpret_cast<std::byte*>(slab) + kHeader);
  }

  /// The largest |k| of the head in this page, counting only finite numbers.
  [[nodiscard]] float& norm(const Page& page, std::size_t head) const {
    return page.slab->norms[page.place * heads + head];
  }

  template <class T>
  [[nodiscard]] T* keys(const Page& page, std::size_t head) const {
    return reinterpret_cast<T*>(page.slab->keys + (head * page.slab->pages + page.place) * keyBytes_);
  }

  template <class T>
  [[nodiscard]] T* values(const Page& page, std::size_t head) const {
    return reinterpret_cast<T*>(page.slab->values + (head * page.slab->pages + page.place) * valueBytes_);
  }

  /// Makes all numbers 0.
  void clear(const Page& page) const;

  /// Makes all numbers those of another page.
  void copy(const Page& from, const Page& to) const;

  /// The place of number c of value `row` among the value panels.
  static std::size_t valuePlace(std::size_t row, std::size_t c) {
    return c / tiled::kMicroColumns * kValuePanel + row * tiled::kMicroColumns + c % tiled::kMicroColumns;
  }

  [[nodiscard]] std::size_t elementBytes() const { return type == KvType::f16 ? sizeof(std::uint16_t) : sizeof(float); }

  std::size_t heads;  ///< B · Hk
  std::size_t keyDim;
  std::size_t valueDim;
  KvType type;

 private:
  static constexpr std::size_t kValuePanel = kPageKeys * tiled::kMicroColumns;
  static constexpr std::size_t kHeader = Arena::kAlignment;
  static_assert(sizeof(Slab) <= kHeader);

  /// Fits, or the cache is not made.
  static std::size_t pieceBytes(std::initializer_list<std::uint64_t> factors) {
    return static_cast<std::size_t>(Arena::paddedBytes<std::byte>(productOf(factors)));
  }

  [[nodiscard]] std::uint64_t normBytes(std::size_t pages) const {
    return Arena::paddedBytes<float>(productOf({pages, heads}));
  }

  std::size_t keyBytes_;    ///< of a head in a page
  std::size_t valueBytes_;  ///< of a head in a page
};

/// One key/value head of a cache.
struct PagedHead {
  const PageFormat* format = nullptr;  ///< null: none
  const Page* const* pages = nullptr;
  std::size_t head = 0;
};

}  // namespace attn
