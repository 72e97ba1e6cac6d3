#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "attn/half.h"
#include "kv_cache/page.h"

namespace attn {

/// The keys and values of a head in pages, one row at a time: for the rare computation that does not go by
/// tiles. A row is there until the next of its kind is asked for.
class PageRows {
 public:
  static std::uint64_t workingBytes(const PageFormat& format) {
    return sumOf({Arena::paddedBytes<float>(format.keyDim), Arena::paddedBytes<float>(format.valueDim)});
  }

  /// Takes `workingBytes` from the arena.
  PageRows(const PageFormat& format, Arena& arena)
      : key_(arena.take<float>(format.keyDim)), value_(arena.take<float>(format.valueDim)) {}

  /// Turns to another head.
  void reset(const PagedHead& head) { head_ = head; }

  /// Key j [d].
  [[nodiscard]] const float* key(std::size_t j) {
    return format().type == KvType::f16 ? keyAs<std::uint16_t>(j) : keyAs<float>(j);
  }

  /// Value j [dv].
  [[nodiscard]] const float* value(std::size_t j) {
    return format().type == KvType::f16 ? valueAs<std::uint16_t>(j) : valueAs<float>(j);
  }

 private:
  [[nodiscard]] const PageFormat& format() const { return *head_.format; }
  [[nodiscard]] const Page& pageOf(std::size_t j) const { return *head_.pages[j / kPageKeys]; }

  static float number(float x) { return x; }
  static float number(std::uint16_t half) { return fromHalf(half); }

  template <class T>
  const float* keyAs(std::size_t j) {
    using tiled::kMicroColumns;
    const std::size_t row = j % kPageKeys;
    const T* const panel = format().keys<T>(pageOf(j), head_.head) + row / kMicroColumns * kMicroColumns * key_.size();
    for (std::size_t c = 0; c < key_.size(); ++c) key_[c] = number(panel[c * kMicroColumns + row % kMicroColumns]);
    return key_.data();
  }

  template <class T>
  const float* valueAs(std::size_t j) {
    const T* const panels = format().values<T>(pageOf(j), head_.head);
    const std::size_t row = j % kPageKeys;
    for (std::size_t c = 0; c < value_.size(); ++c) value_[c] = number(panels[PageFormat::valuePlace(row, c)]);
    return value_.data();
  }

  PagedHead head_;
  std::span<float> key_;
  std::span<float> value_;
};

}  // namespace attn
