#pragma once

#include <cstddef>
#include <cstdint>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "attn/kv_cache.h"
#include "tiled/kernel/micro_kernel.h"
#include "tiled/plan.h"

namespace attn {

/// Positions per page: a tile of the kernel.
inline constexpr std::size_t kPageKeys = tiled::kMaxTileKeys;

/// The keys and values of 64 positions in a row, of all key/value heads. What follows in memory is laid out
/// by `PageFormat`.
struct Page {
  std::size_t references;  ///< caches that have it
};

/// How a page is laid out, its numbers of type T (float, or std::uint16_t for halves):
///
///   Page · norms [heads] of float · for each head: key panels T [8, d, 8] · value panels T [⌈dv/8⌉, 64, 8]
///
/// with every piece aligned to 64 bytes, the panels as `tiled::packKeys` and `tiled::packColumns` make them.
class PageFormat {
 public:
  explicit PageFormat(const KvCacheSettings& settings)
      : heads(settings.batch * settings.kvHeads),
        keyDim(settings.keyDim),
        valueDim(settings.valueDim),
        type(settings.type),
        headsBegin_(sumOf({kHeader, Arena::paddedBytes<float>(heads)})),
        keyBytes_(Arena::paddedBytes<std::byte>(productOf({kPageKeys, keyDim, elementBytes()}))),
        headBytes_(
            sumOf({keyBytes_, Arena::paddedBytes<std::byte>(productOf(
                                  {tiled::divideUp(valueDim, tiled::kMicroColumns), kValuePanel, elementBytes()}))})) {}

  [[nodiscard]] std::uint64_t bytes() const { return sumOf({headsBegin_, productOf({heads, headBytes_})}); }

  /// The largest |k| of the head in this page, counting only finite numbers.
  [[nodiscard]] float& norm(Page& page, std::size_t head) const {
    return reinterpret_cast<float*>(at(page, kHeader))[head];
  }
  [[nodiscard]] float norm(const Page& page, std::size_t head) const { return norm(const_cast<Page&>(page), head); }

  template <class T>
  [[nodiscard]] T* keys(Page& page, std::size_t head) const {
    return reinterpret_cast<T*>(at(page, headsBegin_ + head * headBytes_));
  }
  template <class T>
  [[nodiscard]] const T* keys(const Page& page, std::size_t head) const {
    return keys<T>(const_cast<Page&>(page), head);
  }

  template <class T>
  [[nodiscard]] T* values(Page& page, std::size_t head) const {
    return reinterpret_cast<T*>(at(page, headsBegin_ + head * headBytes_ + keyBytes_));
  }
  template <class T>
  [[nodiscard]] const T* values(const Page& page, std::size_t head) const {
    return values<T>(const_cast<Page&>(page), head);
  }

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
  static constexpr std::uint64_t kHeader =
      (sizeof(Page) + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment;

  static std::byte* at(Page& page, std::uint64_t offset) {
    return reinterpret_cast<std::byte*>(&page) + static_cast<std::size_t>(offset);
  }

  std::uint64_t headsBegin_;
  std::uint64_t keyBytes_;   ///< of a head
  std::uint64_t headBytes_;  ///< keys and values
};

/// One key/value head of a cache.
struct PagedHead {
  const PageFormat* format = nullptr;  ///< null: none
  const Page* const* pages = nullptr;
  std::size_t head = 0;
};

}  // namespace attn
