#pragma once

#include <cstddef>

#include "kv_cache/page.h"

namespace attn {

/// Writes `count` keys [count, d] and values [count, dv] of one head into a page, from its position
/// `first` on. What the page held from there on is lost.
void writeRows(const PageFormat& format, Page& page, std::size_t head, std::size_t first, std::size_t count,
               const float* keys, const float* values);

}  // namespace attn
