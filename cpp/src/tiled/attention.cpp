#include "attn/attention.h"

#include <algorithm>

#include "attn/scores.h"
#include "score_rows.h"
#include "scoring/given.h"
#include "tiled/kernel/simd.h"
#include "tiled/plan.h"
#include "tiled/tile_loop.h"
#include "validate.h"

namespace attn {

std::uint64_t attentionWorkingBytes(const Shape& shape, const Options& options, TileSize tile) {
  return std::max(tiled::TileLoop::workingBytes(shape, options, tiled::Plan(shape, tile)),
                  scoresWorkingBytes(shape, options));
}

TileSize tileSize(const Shape& shape, TileSize asked) {
  const tiled::Plan plan(shape, asked);
  return {plan.queries, plan.keys};
}

std::size_t queryTiles(const Shape& shape, TileSize tile) {
  return shape.batch * shape.queryHeads * tiled::Plan(shape, tile).queryTiles;
}

Report attention(const Shape& whole, const Inputs& inputs, const Options& options, const Outputs& outputs,
                 TileSize tile, Arena& arena, Part part) {
  Report report;
  const bool needsCells = outputs.weights != nullptr || outputs.scores != nullptr;
  report.status = check(whole, sizeof(float), needsCells);
  if (report.status == Status::ok) report.status = check(whole, options);
  if (report.status != Status::ok || !whole.hasRows()) return report;
  const Shape shape = scoring::shapeRead(whole, options.scoring);

  const Arena::Scope scope(arena);
  report.workingBytes = attentionWorkingBytes(whole, options, tile);
  if (!arena.reserve(report.workingBytes)) {
    report.status = Status::outOfMemory;
    return report;
  }

  const tiled::Plan plan(shape, tile);
  const std::size_t last = std::min(part.last, queryTiles(shape, tile));
  if (outputs.scores != nullptr) {
    const auto firstRow = [&](std::size_t t) {
      return t / plan.queryTiles * shape.queries + t % plan.queryTiles * plan.queries;
    };
    const Rows rows{firstRow(part.first), firstRow(last)};
    report.status = scoreRows(whole, inputs, options, rows, outputs.scores, arena);
    if (report.status != Status::ok) return report;
  }

  tiled::TileLoop loop(shape, options, inputs.bias, plan, outputs.trace, arena);
  std::size_t packed = shape.batch * shape.kvHeads;  // none yet
  for (std::size_t t = part.first; t < last;) {
    const std::size_t head = t / plan.queryTiles;
    const std::size_t end = std::min(last, (head + 1) * plan.queryTiles);
    const std::size_t b = head / shape.queryHeads;
    const std::size_t h = head % shape.queryHeads;
    const std::size_t source = b * shape.kvHeads + shape.kvHeadOf(h);
    if (source != packed) {
      const std::size_t key = source * shape.keys;
      loop.setKeyValueHead({inputs.key + key * shape.keyDim, inputs.value + key * shape.valueDim});
      packed = source;
    }
    const std::size_t row = head * shape.queries;
    loop.run({b, h, inputs.query + row * shape.queryWidth(), outputs.output + row * shape.valueDim,
              outputs.weights == nullptr ? nullptr : outputs.weights + row * shape.keys,
              outputs.logSumExp == nullptr ? nullptr : outputs.logSumExp + row},
             t - head * plan.queryTiles, end - head * plan.queryTiles, report);
    t = end;
  }
  return report;
}

const char* kernelName() { return simd::targetName(); }

}  // namespace attn
