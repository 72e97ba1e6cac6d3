#include "attn/kv_cache.h"

#include <algorithm>
#include <new>

#include "attn/exact_size.h"
#include "kv_cache/page_writer.h"
#include "kv_cache/pages.h"

namespace attn {

namespace {

std::size_t pagesOf(std::size_t keys) { return tiled::divideUp(keys, kPageKeys); }

/// Pages that hold `capacity` keys, wherever in a page the first lies.
std::size_t pagesFor(std::size_t capacity, bool sliding) { return pagesOf(capacity) + (sliding ? 1 : 0); }

/// Pages of a slab. What is reserved is there for good; what is appended may be let go a page at a time, or shared.
constexpr std::size_t kReservedSlab = 64;
constexpr std::size_t kAppendedSlab = 4;

std::size_t reachOf(const KvCacheSettings& settings) {
  return settings.window ? settings.window->left : Window::kUnbounded;
}

}  // namespace

KvCache::KvCache(const KvCacheSettings& settings)
    : settings_(settings), pages_(new(std::nothrow) KvPages(PageFormat(settings))) {}

KvCache::~KvCache() = default;

std::unique_ptr<KvCache> KvCache::create(const KvCacheSettings& settings) {
  const std::uint64_t pageNumbers = productOf(
      {settings.batch, settings.kvHeads, kPageKeys, sumOf({settings.keyDim, settings.valueDim, tiled::kMicroColumns})});
  if (productOf({pageNumbers, sizeof(float)}) > std::numeric_limits<std::ptrdiff_t>::max()) return nullptr;
  std::unique_ptr<KvCache> cache(new (std::nothrow) KvCache(settings));
  if (cache == nullptr || cache->pages_ == nullptr) return nullptr;
  if (settings.capacity) {
    cache->reservedPages_ = pagesFor(*settings.capacity, reachOf(settings) != Window::kUnbounded);
    if (!cache->pages_->setAside(cache->reservedPages_, kReservedSlab)) return nullptr;
  }
  return cache;
}

std::unique_ptr<KvCache> KvCache::fork() const {
  std::unique_ptr<KvCache> copy(new (std::nothrow) KvCache(settings_));
  if (copy == nullptr || copy->pages_ == nullptr || !copy->pages_->share(*pages_)) return nullptr;
  copy->length_ = length_;
  copy->firstPage_ = firstPage_;
  return copy;
}

bool KvCache::fits(std::size_t count) const {
  const std::size_t kept = std::min(length_, reachOf(settings_));
  const std::size_t most = settings_.capacity.value_or(std::numeric_limits<std::size_t>::max());
  return kept <= most && count <= most - kept && count <= std::numeric_limits<std::size_t>::max() - length_;
}

std::size_t KvCache::pagesBeforeNeeded() const {
  const std::size_t reach = reachOf(settings_);
  return length_ <= reach ? 0 : (length_ - reach) / kPageKeys;
}

std::size_t KvCache::pagesToSetAside(std::size_t count) const {
  if (count == 0) return 0;
  std::size_t pages = pagesOf(length_ + count) - pagesOf(length_);
  if (length_ % kPageKeys != 0 && pages_->isShared(pages_->count() - 1)) ++pages;
  // Pages that the append lets go of will do, if nobody else has them.
  for (std::size_t page = firstPage_; pages > 0 && page < pagesBeforeNeeded(); ++page) {
    if (!pages_->isShared(page - firstPage_)) --pages;
  }
  return pages;
}

bool KvCache::hasReserved(std::size_t count) const { return pagesToSetAside(count) <= pages_->asideCount(); }

bool KvCache::reserve(std::size_t count) { return pages_->setAside(pagesToSetAside(count), kAppendedSlab); }

void KvCache::release() {
  const std::size_t inUse = pages_->count();
  pages_->releaseAside(reservedPages_ > inUse ? reservedPages_ - inUse : 0);
}

Status KvCache::append(const float* key, const float* value, std::size_t count) {
  if (!fits(count)) return Status::tooLarge;
  if (count == 0) return Status::ok;
  if (!reserve(count)) return Status::outOfMemory;

  const std::size_t letGo = pagesBeforeNeeded() - firstPage_;
  pages_->dropFirst(letGo, pages_->asideCount() + letGo);
  firstPage_ += letGo;

  const PageFormat& format = pages_->format();
  for (std::size_t row = 0; row < count;) {
    const std::size_t place = length_ % kPageKeys;
    if (place == 0) {
      pages_->extend();
    } else {
      pages_->ownLast();
    }
    const std::size_t rows = std::min(kPageKeys - place, count - row);
    for (std::size_t head = 0; head < format.heads; ++head) {
      const std::size_t source = head * count + row;
      writeRows(format, pages_->last(), head, place, rows, key + source * format.keyDim,
                value + source * format.valueDim);
    }
    row += rows;
    length_ += rows;
  }
  release();
  return Status::ok;
}

std::size_t KvCache::firstKey() const { return firstPage_ * kPageKeys; }

std::uint64_t KvCache::bytesOf(std::uint64_t keys) const {
  const PageFormat& format = pages_->format();
  return productOf({format.heads, keys, sumOf({format.keyDim, format.valueDim}), format.elementBytes()});
}

std::uint64_t KvCache::bytes() const { return bytesOf(length_ - firstKey()); }

std::uint64_t KvCache::sharedBytes() const {
  std::uint64_t keys = 0;
  for (std::size_t page = 0; page < pages_->count(); ++page) {
    if (pages_->isShared(page)) keys += std::min(kPageKeys, length_ - (firstPage_ + page) * kPageKeys);
  }
  return bytesOf(keys);
}

Shape KvCache::shape(std::size_t queryHeads, std::size_t queries) const {
  return {settings_.batch, queryHeads, settings_.kvHeads, queries, length_, settings_.keyDim, settings_.valueDim};
}

}  // namespace attn
