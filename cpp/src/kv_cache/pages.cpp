#include "kv_cache/pages.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace attn {

namespace {

constexpr std::align_val_t kAlignment{Arena::kAlignment};

}  // namespace

KvPages::~KvPages() {
  for (std::size_t page = 0; page < count_; ++page) letGo(used_[page]);
  releaseAside(0);
}

bool KvPages::share(const KvPages& other) {
  if (!makeRoom(other.count_)) return false;
  for (count_ = 0; count_ < other.count_; ++count_) {
    used_[count_] = other.used_[count_];
    ++used_[count_]->references;
  }
  return true;
}

bool KvPages::setAside(std::size_t count, std::size_t slabPages) {
  if (count <= asideCount_) return true;
  if (!makeRoom(count_ + count)) return false;
  const std::size_t before = asideCount_;
  while (asideCount_ < count) {
    const std::size_t pages = std::min(slabPages, count - asideCount_);
    if (addSlab(pages)) continue;
    slabPages = pages / 2;  // there may be room in smaller pieces
    if (slabPages > 0) continue;
    releaseAside(before);
    return false;
  }
  return true;
}

/// In front of those that are set aside already, the first page last: they are taken from the end.
bool KvPages::addSlab(std::size_t pages) {
  const std::uint64_t bytes = format_.bytes(pages);
  if (bytes > std::numeric_limits<std::ptrdiff_t>::max()) return false;
  void* const memory = ::operator new(static_cast<std::size_t>(bytes), kAlignment, std::nothrow);
  if (memory == nullptr) return false;
  Slab* const slab = format_.slabIn(static_cast<std::byte*>(memory), pages);
  std::copy_backward(&aside_[0], &aside_[asideCount_], &aside_[asideCount_ + pages]);
  for (std::size_t page = 0; page < pages; ++page) aside_[pages - 1 - page] = PageFormat::pagesOf(slab) + page;
  asideCount_ += pages;
  return true;
}

void KvPages::releaseAside(std::size_t count) {
  if (count >= asideCount_) return;
  const std::size_t released = asideCount_ - count;
  std::for_each_n(&aside_[0], released, destroy);
  std::copy_n(&aside_[released], count, &aside_[0]);
  asideCount_ = count;
}

void KvPages::extend() {
  Page* const page = aside_[--asideCount_];
  format_.clear(*page);
  page->references = 1;
  used_[count_++] = page;
}

void KvPages::ownLast() {
  Page*& last = used_[count_ - 1];
  if (last->references == 1) return;
  Page* const copy = aside_[--asideCount_];
  format_.copy(*last, *copy);
  copy->references = 1;
  letGo(std::exchange(last, copy));
}

void KvPages::dropFirst(std::size_t count, std::size_t keepAside) {
  for (std::size_t page = 0; page < count; ++page) {
    if (used_[page]->references == 1 && asideCount_ < keepAside) {
      aside_[asideCount_++] = used_[page];
    } else {
      letGo(used_[page]);
    }
  }
  std::copy(&used_[count], &used_[count_], &used_[0]);
  count_ -= count;
}

/// Room for `total` pages, used ones and others together.
bool KvPages::makeRoom(std::size_t total) {
  if (total <= room_) return true;
  const std::size_t room = std::max(total, room_ + room_ / 2);
  std::unique_ptr<Page*[]> used(new (std::nothrow) Page*[room]);
  std::unique_ptr<Page*[]> aside(new (std::nothrow) Page*[room]);
  if (used == nullptr || aside == nullptr) return false;
  std::copy_n(used_.get(), count_, used.get());
  std::copy_n(aside_.get(), asideCount_, aside.get());
  used_ = std::move(used);
  aside_ = std::move(aside);
  room_ = room;
  return true;
}

void KvPages::destroy(Page* page) {
  Slab* const slab = page->slab;
  if (--slab->inUse == 0) ::operator delete(slab, kAlignment);
}

void KvPages::letGo(Page* page) {
  if (--page->references == 0) destroy(page);
}

}  // namespace attn
