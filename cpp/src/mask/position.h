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

/// Positions of queries on the keys' axis.
class Positions {
 public:
  Positions(const Shape& shape, const MaskOptions& options)
      : offset_(queryOffsetOf(shape, options)), queriesEach_(options.queriesPerPosition) {}

  [[nodiscard]] std::int64_t operator()(std::size_t query) const {
    return static_cast<std::int64_t>(query / queriesEach_) + offset_;
  }

 private:
  std::int64_t offset_;
  std::size_t queriesEach_;
};

}  // namespace attn
