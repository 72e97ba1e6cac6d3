#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "attn/exact_size.h"
#include "attn/linear_attention.h"

namespace attn {

/// How many keys, from the first on, query i sees.
inline std::size_t seenKeys(const Shape& shape, const LinearAttentionOptions& options, std::size_t i) {
  if (!options.causal) return shape.keys;
  const std::size_t end = i + 1 + shape.keys;
  return end > shape.queries ? end - shape.queries : 0;
}

/// As `check` of the shape; also `invalidOptions` for a scale that is not finite and `tooLarge` for a state
/// beyond half the address space.
inline Status check(const Shape& shape, const LinearAttentionOptions& options, std::size_t elementBytes) {
  if (const Status status = check(shape, elementBytes, false); status != Status::ok) return status;
  if (!std::isfinite(options.scale)) return Status::invalidOptions;
  constexpr std::uint64_t kLargest = std::numeric_limits<std::ptrdiff_t>::max();
  const std::uint64_t bytes = productOf({shape.batch, shape.kvHeads, shape.keyDim, sumOf({shape.valueDim, 1}), 8});
  return bytes <= kLargest ? Status::ok : Status::tooLarge;
}

}  // namespace attn
