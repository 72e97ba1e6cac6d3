#include "kv_cache/page.h"

#include <algorithm>
#include <cstring>

namespace attn {

Slab* PageFormat::slabIn(std::byte* memory, std::size_t pages) const {
  Slab* const slab = reinterpret_cast<Slab*>(memory);
  std::byte* next = memory + kHeader;
  const auto piece = [&](std::uint64_t bytes) {
    std::byte* const begin = next;
    next += static_cast<std::size_t>(bytes);
    return begin;
  };
  piece(Arena::paddedBytes<Page>(pages));
  float* const norms = reinterpret_cast<float*>(piece(normBytes(pages)));
  std::byte* const keys = piece(productOf({heads, pages, keyBytes_}));
  *slab = {pages, pages, norms, keys, piece(0)};
  for (std::size_t place = 0; place < pages; ++place) pagesOf(slab)[place] = {0, slab, place};
  return slab;
}

void PageFormat::clear(const Page& page) const {
  std::fill_n(&norm(page, 0), heads, 0.0F);
  for (std::size_t head = 0; head < heads; ++head) {
    std::memset(keys<std::byte>(page, head), 0, keyBytes_);
    std::memset(values<std::byte>(page, head), 0, valueBytes_);
  }
}

void PageFormat::copy(const Page& from, const Page& to) const {
  std::copy_n(&norm(from, 0), heads, &norm(to, 0));
  for (std::size_t head = 0; head < heads; ++head) {
    std::memcpy(keys<std::byte>(to, head), keys<std::byte>(from, head), keyBytes_);
    std::memcpy(values<std::byte>(to, head), values<std::byte>(from, head), valueBytes_);
  }
}

}  // namespace attn
