#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "attn/shape.h"
#include "scoring/projection.h"
#include "scoring/row_products.h"

namespace attn::scoring {

/// The keys of one key/value head, and one query at a time, as the scoring multiplies them.
class HeadVectors {
 public:
  static std::uint64_t workingBytes(const Shape& shape, const Projection& projection) {
    const std::size_t width = projection.projectedWidth();
    return sumOf({Arena::paddedBytes<double>(width), Arena::paddedBytes<double>(productOf({shape.keys, width}))});
  }

  /// Takes `workingBytes` from the arena.
  HeadVectors(const Shape& shape, const Projection& projection, Arena& arena)
      : projection_(projection),
        query_(arena.take<double>(projection.projectedWidth())),
        keys_(arena.take<double>(shape.keys * projection.projectedWidth())),
        keyCount_(shape.keys) {}

  /// Turns to head `head` of all [B · Hk], if it is not the one at hand. `keyAt(j)` is its key j [dk].
  template <class KeyAt>
  void setKeys(std::size_t head, KeyAt keyAt) {
    if (head == head_ || !projection_.projects()) return;
    head_ = head;
    for (std::size_t j = 0; j < keyCount_; ++j) projection_.key(keyAt(j), &keys_[j * projection_.width()]);
  }

  /// Those of a query, whose row is `query` [d]; until the next one is asked for.
  [[nodiscard]] RowProducts products(std::size_t b, std::size_t h, std::size_t i, const float* query) {
    if (projection_.projects()) projection_.query(query, query_.data());
    return {projection_,
            {query, query_.data(), keys_.data(),
             projection_.given() == nullptr ? nullptr : projection_.given()->row(b, h, i)}};
  }

 private:
  const Projection& projection_;
  std::size_t head_ = std::numeric_limits<std::size_t>::max();
  std::span<double> query_;
  std::span<double> keys_;
  std::size_t keyCount_;
};

}  // namespace attn::scoring
