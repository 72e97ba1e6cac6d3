#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "attn/arena.h"
#include "attn/attention.h"
#include "attn/broadcast.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

// Keys and values of all positions so far, for decoding a token or a chunk at a time:
//
//   append(k [B, Hk, m, d], v [B, Hk, m, dv])     n → n + m, at positions n … n + m − 1
//   attend(q [B, Hq, nq, d])                      attention of q to all n keys and values so far
//
// Appending in chunks and attending with each chunk's queries gives what one causal pass over all of them
// gives, within 1e-6: the tiles are cut differently, so the sums are rounded differently. The masks,
// NaN and ∞ follow the rules of attn/attention.h, with keys counted by position from the first ever appended.
//
// Keys and values are kept packed as the kernel reads them, in pages of 64 positions, so attending packs nothing, and
// with one query per head (decoding) it reads the keys and values of each key/value head once for all
// query heads of its group (Shazeer, "Fast Transformer Decoding", 2019; Ainslie et al., "GQA", 2023).
// A page is shared by all forks until one of them writes to it.

/// What the numbers are stored in. `f16` halves the memory: every key and value is rounded to the nearest
/// half, a relative error of at most 2⁻¹¹ (numbers below 2⁻¹⁴ in size: an absolute one of 2⁻²⁵), beyond 65504
/// to ∞. All computing is in float32 either way, from the rounded numbers.
enum class KvType : std::uint8_t { f32, f16 };

struct KvCacheSettings {
  std::size_t batch = 1;
  std::size_t kvHeads = 1;
  std::size_t keyDim = 1;
  std::size_t valueDim = 1;
  KvType type = KvType::f32;
  /// Holds in every call of `attend`, besides its own window if it has one. With a bounded reach to the left, keys that
  /// no query at the position of the last append or after can see are let go, a page at a time.
  std::optional<Window> window;
  /// The most keys, reserved at once. With a window: of those that have to be kept.
  std::optional<std::size_t> capacity;
};

class KvPages;

class KvCache {
 public:
  /// Null if the memory cannot be had. The sizes must be at least 1.
  [[nodiscard]] static std::unique_ptr<KvCache> create(const KvCacheSettings& settings);

  KvCache(const KvCache&) = delete;
  KvCache& operator=(const KvCache&) = delete;
  ~KvCache();

  /// Another cache with the same contents, which shares their memory. Null if there is no memory for that.
  [[nodiscard]] std::unique_ptr<KvCache> fork() const;

  /// Whether `count` more keys fit the capacity.
  [[nodiscard]] bool fits(std::size_t count) const;

  /// Whether appending `count` keys takes no more memory than is set aside.
  [[nodiscard]] bool hasReserved(std::size_t count) const;

  /// Sets the memory aside that appending `count` keys takes. False, and nothing has changed, if it cannot be had.
  [[nodiscard]] bool reserve(std::size_t count);

  /// Gives back what was set aside beyond the capacity.
  void release();

  /// key [B, Hk, count, d], value [B, Hk, count, dv]. `tooLarge` beyond the capacity; after any status but
  /// `ok` the cache is as before. Does not fail for lack of memory after `reserve(count)`.
  [[nodiscard]] Status append(const float* key, const float* value, std::size_t count);

  /// The sizes of a call of `attend`: `keys` is the length.
  [[nodiscard]] Shape shape(std::size_t queryHeads, std::size_t queries) const;

  /// The scratch memory `attend` will take from its arena, as an exact integer.
  [[nodiscard]] std::uint64_t attendWorkingBytes(const Shape& shape, const Options& options) const;

  /// As `attention`, over the keys and values so far. `invalidShape` unless `shape` is one of this cache;
  /// `invalidOptions` if keys were let go that the first query sees (see `firstKey`), for
  /// `EmptyRows::uniform` in a cache with a window (the mean would need all keys), and for given scores. There
  /// is no trace.
  [[nodiscard]] Report attend(const Shape& shape, const float* query, const Broadcast<float>& bias,
                              const Options& options, const Outputs& outputs, Arena& arena) const;

  [[nodiscard]] const KvCacheSettings& settings() const { return settings_; }

  /// Positions appended, those let go included.
  [[nodiscard]] std::size_t length() const { return length_; }

  /// The first position whose key is still there.
  [[nodiscard]] std::size_t firstKey() const;

  /// Of the keys and values that are there: B·Hk·keys·(d + dv) numbers.
  [[nodiscard]] std::uint64_t bytes() const;

  /// How much of that lies in pages that a fork, or what this is a fork of, has too.
  [[nodiscard]] std::uint64_t sharedBytes() const;

 private:
  explicit KvCache(const KvCacheSettings& settings);

  /// Whether the call is one over this cache, and over what is still there.
  [[nodiscard]] Status checkAgainst(const Shape& shape, const Options& options) const;
  /// Pages before the first that has a key which some query at or after the end can see.
  [[nodiscard]] std::size_t pagesBeforeNeeded() const;
  /// Pages that have to be set aside for `count` keys more.
  [[nodiscard]] std::size_t pagesToSetAside(std::size_t count) const;
  [[nodiscard]] std::uint64_t bytesOf(std::uint64_t keys) const;

  KvCacheSettings settings_;
  std::size_t length_ = 0;
  std::size_t firstPage_ = 0;      ///< pages let go before the first that is there
  std::size_t reservedPages_ = 0;  ///< for the capacity
  std::unique_ptr<KvPages> pages_;
};

}  // namespace attn
