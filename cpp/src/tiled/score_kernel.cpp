#include "tiled/score_kernel.h"

#include <algorithm>

#include "tiled/kernel/additive_block.h"
#include "tiled/kernel/dot_block.h"
#include "tiled/kernel/micro_kernel.h"
#include "tiled/narrow.h"
#include "tiled/plan.h"

namespace attn::tiled {

namespace {

/// s [rows, 8·panels] of scores that are looked up.
void givenBlock(const Tile& cells, const scoring::GivenScores& given, double factor, std::size_t columns, float* s) {
  for (std::size_t r = 0; r < cells.queries; ++r, s += kMaxTileKeys) {
    narrow(given.row(cells.batch, cells.head, cells.query + r) + cells.key, cells.keys, factor, s);
    std::fill(s + cells.keys, s + columns, 0.0F);
  }
}

}  // namespace

std::uint64_t ScoreKernel::workingBytes(const scoring::Projection& projection) {
  return Arena::paddedBytes<float>(projection.additive() == nullptr ? 0 : projection.width());
}

ScoreKernel::ScoreKernel(const scoring::Projection& projection, double factor, Arena& arena)
    : projection_(projection),
      factor_(factor),
      v_(arena.take<float>(projection.additive() == nullptr ? 0 : projection.width())) {
  if (projection.additive() != nullptr) narrow(projection.additive()->v(), v_.size(), factor, v_.data());
}

void ScoreKernel::compute(const Tile& cells, const float* queries, const float* keys, std::size_t panels,
                          float* s) const {
  if (projection_.given() != nullptr) {
    givenBlock(cells, *projection_.given(), factor_, panels * kMicroColumns, s);
  } else if (projection_.additive() != nullptr) {
    additiveBlock(queries, keys, panels, v_, s);
  } else {
    dotBlock(queries, cells.queries, keys, panels, projection_.width(), s);
  }
}

}  // namespace attn::tiled
