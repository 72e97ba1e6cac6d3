#include "multi_head/multi_head.h"

#include <algorithm>
#include <limits>

namespace attn {

Status check(const MultiHeadShape& shape, std::size_t elementBytes, bool needsCells) {
  const Shape& s = shape.attention;
  if (const Status status = check(s, elementBytes, needsCells); status != Status::ok) return status;
  if (shape.queryWidth == 0 || shape.keyWidth == 0 || shape.valueWidth == 0) return Status::invalidShape;

  const auto fits = [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return productOf({a, b, c, elementBytes}) <= std::numeric_limits<std::ptrdiff_t>::max();
  };
  const bool allFit = fits(s.batch, s.queries, shape.queryWidth) && fits(s.batch, s.keys, shape.keyWidth) &&
                      fits(s.batch, s.keys, shape.valueWidth) && fits(s.batch, s.queries, shape.outputWidth) &&
                      fits(shape.queryWidth, s.queryHeads, s.queryWidth()) &&
                      fits(shape.keyWidth, s.kvHeads, s.keyDim) && fits(shape.valueWidth, s.kvHeads, s.valueDim) &&
                      fits(s.queryHeads, s.valueDim, std::max<std::size_t>(shape.outputWidth, 1));
  return allFit ? Status::ok : Status::tooLarge;
}

std::uint64_t projectionFlops(const MultiHeadShape& shape) {
  const LayerSizes sizes(shape);
  const auto flops = [&](const LayerSize& size) {
    return productOf({2, shape.attention.batch, size.rows, size.in, size.out});
  };
  return sumOf({flops(sizes.query), flops(sizes.key), flops(sizes.value), flops(sizes.output)});
}

}  // namespace attn
