#include "tiled/query_tile.h"

#include <algorithm>
#include <cmath>

#include "attn/exact_size.h"
#include "tiled/kernel/additive_block.h"
#include "tiled/kernel/pack.h"
#include "tiled/narrow.h"
#include "vector_length.h"

namespace attn::tiled {

std::uint64_t QueryTile::workingBytes(const Plan& plan, const scoring::Projection& projection) {
  const std::uint64_t rows = productOf({plan.rowBlocks, kMicroRows});
  return sumOf({Arena::paddedBytes<float>(productOf({rows, projection.width()})), Arena::paddedBytes<float>(rows),
                Arena::paddedBytes<double>(productOf({rows, projection.projectedWidth()})),
                Arena::paddedBytes<float>(productOf({kMicroRows, projection.projectedWidth()}))});
}

QueryTile::QueryTile(const Shape& shape, const Plan& plan, const scoring::Projection& projection, double factor,
                     Arena& arena)
    : projection_(projection),
      queryDim_(shape.queryWidth()),
      factor_(factor),
      packed_(arena.take<float>(plan.rowBlocks * kMicroRows * projection.width())),
      norms_(arena.take<float>(plan.rowBlocks * kMicroRows)),
      projected_(arena.take<double>(plan.rowBlocks * kMicroRows * projection.projectedWidth())),
      narrowed_(arena.take<float>(kMicroRows * projection.projectedWidth())) {}

void QueryTile::load(const float* queries, std::size_t count) {
  for (std::size_t block = 0; block * kMicroRows < count; ++block, queries += kMicroRows * queryDim_) {
    const std::size_t rows = std::min(kMicroRows, count - block * kMicroRows);
    float* const packed = packed_.data() + block * kMicroRows * projection_.width();
    float* const norms = norms_.data() + block * kMicroRows;
    if (projection_.given() != nullptr) {
      std::fill_n(norms, kMicroRows, 0.0F);
    } else if (projection_.projects()) {
      project(queries, block, rows, packed, norms);
    } else {
      packQueries(queries, rows, queryDim_, static_cast<float>(factor_), packed, norms);
    }
  }
}

void QueryTile::project(const float* queries, std::size_t block, std::size_t rows, float* packed, float* norms) {
  const std::size_t width = projection_.width();
  const scoring::AdditiveProjection* const additive = projection_.additive();
  // The factor of an additive score is one of v.
  const double factor = additive == nullptr ? factor_ : 1;
  for (std::size_t r = 0; r < rows; ++r) {
    double* const projected = projected_.data() + (block * kMicroRows + r) * width;
    projection_.query(queries + r * queryDim_, projected);
    narrow(projected, width, factor, &narrowed_[r * width]);
  }
  packQueries(narrowed_.data(), rows, width, 1, packed, norms);
  for (std::size_t r = 0; r < kMicroRows; ++r) {
    // Both factors of every product are rounded, which neither is in the products of vectors as they came.
    constexpr float kRounded = 1.5F;
    norms[r] = additive == nullptr
                   ? kRounded * norms[r]
                   : additiveQueryNorm(norms[r], width, lengthOf(additive->v(), width) * std::fabs(factor_));
  }
}

bool QueryTile::holds(std::size_t block, std::size_t r) const {
  if (projection_.given() != nullptr) return true;
  if (projection_.projects()) return norms(block)[r] * static_cast<float>(projection_.width()) <= kLargestSum;
  // A factor that float32 rounds to 0, ∞ or a subnormal number has lost its digits.
  return factor_ == 0 || std::isnormal(static_cast<float>(factor_));
}

}  // namespace attn::tiled
