#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "attn/options.h"
#include "attn/shape.h"

namespace attn {

/// Sums of a few numbers up to this size cannot overflow, and no key lies so far away.
inline constexpr std::int64_t kFarAway = std::int64_t{1} << 60;

/// Position of query 0 on the keys' axis.
inline std::int64_t queryOffsetOf(const Shape& shape, const MaskOptions& options) {
  const auto tail = static_cast<std::int64_t>(shape.keys) - static_cast<std::int64_t>(shape.queries);
  return std::clamp(options.queryOffset.value_or(tail), -kFarAway, kFarAway);
}

}  // namespace attn
