#include "attn/shape.h"

#include <cstdint>
#include <limits>

#include "attn/exact_size.h"

namespace attn {

Status check(const Shape& shape) {
  const bool noneEmpty = shape.queryHeads > 0 && shape.kvHeads > 0 && shape.keyDim > 0 && shape.valueDim > 0;
  return noneEmpty && shape.queryHeads % shape.kvHeads == 0 ? Status::ok : Status::invalidShape;
}

Status check(const Shape& shape, std::size_t elementBytes, bool needsCells) {
  if (const Status status = check(shape); status != Status::ok) return status;
  const auto& [batch, queryHeads, kvHeads, queries, keys, keyDim, valueDim, queryDim] = shape;

  // Pointer differences are signed, so no object may be larger than this.
  constexpr std::uint64_t kLargest = std::numeric_limits<std::ptrdiff_t>::max();
  const auto fits = [&](std::uint64_t heads, std::uint64_t length, std::uint64_t width) {
    return productOf({shape.batch, heads, length, width, elementBytes}) <= kLargest;
  };
  const bool allFit = fits(queryHeads, queries, shape.queryWidth()) && fits(kvHeads, keys, keyDim) &&
                      fits(kvHeads, keys, valueDim) && fits(queryHeads, queries, valueDim) &&
                      (!needsCells || fits(queryHeads, queries, keys));
  return allFit ? Status::ok : Status::tooLarge;
}

}  // namespace attn
