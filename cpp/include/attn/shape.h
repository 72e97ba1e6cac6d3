#pragma once

#include <cstddef>

#include "attn/status.h"

namespace attn {

// Letters, the same in every comment of this library:
//
//   B   batch entries            nq  queries per head       d   width of a query, mostly of a key too
//   Hq  query heads              nk  keys per head          dv  width of a value
//   Hk  key/value heads          i   a query, 0 ≤ i < nq    j   a key, 0 ≤ j < nk
//
// Every tensor is row-major and contiguous, the last axis fastest:
//
//   query  [B, Hq, nq, d ]       output       [B, Hq, nq, dv]
//   key    [B, Hk, nk, dk]       weights      [B, Hq, nq, nk]
//   value  [B, Hk, nk, dv]       scores       [B, Hq, nq, nk]
//                                logSumExp    [B, Hq, nq]
//
// dk, the width of a key, is d unless the scoring lets them differ (attn/scoring.h).

/// The sizes of one call. B, nq and nk may be 0; head counts and widths are at least 1.
struct Shape {
  std::size_t batch = 1;
  std::size_t queryHeads = 1;
  std::size_t kvHeads = 1;
  std::size_t queries = 0;
  std::size_t keys = 0;
  std::size_t keyDim = 1;  ///< dk
  std::size_t valueDim = 1;
  std::size_t queryDim = 0;  ///< d; 0: as wide as a key

  [[nodiscard]] constexpr std::size_t queryWidth() const { return queryDim == 0 ? keyDim : queryDim; }

  /// Grouped-query attention: query head h reads key/value head ⌊h·Hk/Hq⌋. Hk = Hq is multi-head
  /// attention, Hk = 1 multi-query attention.
  [[nodiscard]] constexpr std::size_t kvHeadOf(std::size_t queryHead) const {
    return queryHead / (queryHeads / kvHeads);
  }

  /// Whether there is any row of output to write, or any cell of scores. Without, a call returns at
  /// once: a batch of 2³¹ entries, each without queries, would be a long loop for nothing.
  [[nodiscard]] constexpr bool hasRows() const { return batch > 0 && queries > 0; }
  [[nodiscard]] constexpr bool hasCells() const { return hasRows() && keys > 0; }
};

/// `invalidShape` if a head count or width is 0 or Hq is not a multiple of Hk.
[[nodiscard]] Status check(const Shape& shape);

/// As above, and `tooLarge` if a query, key, value or output tensor of `elementBytes` per element exceeds half the
/// address space; with `needsCells`, also if a [B, Hq, nq, nk] tensor does.
[[nodiscard]] Status check(const Shape& shape, std::size_t elementBytes, bool needsCells);

}  // namespace attn
