#pragma once

#include <cstddef>
#include <memory>

#include "kv_cache/page.h"

namespace attn {

/// Pages in the order of their positions, and others that are set aside for what comes. Memory that cannot
/// be had is said by false, with everything as it was; no other operation asks for memory.
class KvPages {
 public:
  explicit KvPages(const PageFormat& format) : format_(format) {}
  KvPages(const KvPages&) = delete;
  KvPages& operator=(const KvPages&) = delete;
  ~KvPages();

  /// Makes these share all pages of `other`.
  [[nodiscard]] bool share(const KvPages& other);

  /// Sees to it that `count` pages are set aside, those that are new in slabs of at most so many. Reading gains from
  /// long slabs; but each is given back as a whole, when none of its pages is in use any more.
  [[nodiscard]] bool setAside(std::size_t count, std::size_t slabPages);

  /// Keeps at most `count` pages set aside, of those the ones that would be taken first.
  void releaseAside(std::size_t count);

  /// Puts a page that was set aside, all zeros, behind the others.
  void extend();

  /// Replaces the last page, if it is shared, by a copy in a page that was set aside.
  void ownLast();

  /// Lets go of the first pages; those that nobody else has are set aside up to `keepAside` in all.
  void dropFirst(std::size_t count, std::size_t keepAside);

  [[nodiscard]] const PageFormat& format() const { return format_; }
  [[nodiscard]] const Page* const* data() const { return used_.get(); }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t asideCount() const { return asideCount_; }
  [[nodiscard]] Page& last() { return *used_[count_ - 1]; }
  [[nodiscard]] bool isShared(std::size_t page) const { return used_[page]->references > 1; }

 private:
  [[nodiscard]] bool makeRoom(std::size_t total);
  [[nodiscard]] bool addSlab(std::size_t pages);
  static void destroy(Page* page);
  static void letGo(Page* page);

  PageFormat format_;
  std::unique_ptr<Page*[]> used_;
  std::size_t count_ = 0;
  std::unique_ptr<Page*[]> aside_;
  std::size_t asideCount_ = 0;
  std::size_t room_ = 0;  ///< of either list: no page can be in both
};

}  // namespace attn
