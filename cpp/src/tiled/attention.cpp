#include "attn/attention.h"

#include "attn/scores.h"
#include "tiled/plan.h"
#include "tiled/simd.h"
#include "tiled/tile_loop.h"
#include "validate.h"

namespace attn {

std::uint64_t attentionWorkingBytes(const Shape& shape, const Options& /*options*/, TileSize tile) {
  return tiled::TileLoop::workingBytes(shape, tiled::Plan(shape, tile));
}

Report attention(const Shape& shape, const Inputs& inputs, const Options& options, const Outputs& outputs,
                 TileSize tile, Arena& arena) {
  Report report;
  const bool needsCells = outputs.weights != nullptr || outputs.scores != nullptr;
  report.status = check(shape, sizeof(float), needsCells);
  if (report.status == Status::ok) report.status = check(options);
  if (report.status != Status::ok || !shape.hasRows()) return report;

  const Arena::Scope scope(arena);
  report.workingBytes = attentionWorkingBytes(shape, options, tile);
  if (!arena.reserve(report.workingBytes)) {
    report.status = Status::outOfMemory;
    return report;
  }

  if (outputs.scores != nullptr) {
    report.status = scores(shape, inputs, options, outputs.scores, arena);
    if (report.status != Status::ok) return report;
  }

  const tiled::Plan plan(shape, tile);
  tiled::TileLoop loop(shape, options, inputs.bias, plan, arena);
  const std::size_t group = shape.queryHeads / shape.kvHeads;
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t kvHead = 0; kvHead < shape.kvHeads; ++kvHead) {
      const std::size_t source = (b * shape.kvHeads + kvHead) * shape.keys;
      loop.setKeyValueHead({inputs.key + source * shape.keyDim, inputs.value + source * shape.valueDim});
      for (std::size_t h = kvHead * group; h < (kvHead + 1) * group; ++h) {
        const std::size_t row = (b * shape.queryHeads + h) * shape.queries;
        loop.run({b, h, inputs.query + row * shape.keyDim, outputs.output + row * shape.valueDim,
                  outputs.weights == nullptr ? nullptr : outputs.weights + row * shape.keys,
                  outputs.logSumExp == nullptr ? nullptr : outputs.logSumExp + row},
                 report);
      }
    }
  }
  return report;
}

const char* kernelName() { return simd::targetName(); }

}  // namespace attn
