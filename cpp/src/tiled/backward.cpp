#include "attn/backward.h"

#include <algorithm>

#include "tiled/backward_loop.h"
#include "validate.h"

namespace attn {

std::uint64_t attentionBackwardWorkingBytes(const Shape& shape, const Options& options, TileSize tile) {
  return tiled::BackwardLoop::workingBytes(shape, options, tiled::BackwardLoop::plan(shape, tile));
}

Report attentionBackward(const Shape& shape, const Inputs& inputs, const float* dOutput, const Options& options,
                         const Gradients& gradients, TileSize tile, Arena& arena) {
  Report report;
  report.status = check(shape, sizeof(float), false);
  if (report.status == Status::ok) report.status = checkDifferentiable(shape, options);
  if (report.status != Status::ok) return report;

  const auto& [batch, queryHeads, kvHeads, nq, nk, d, dv, queryDim] = shape;
  if (!shape.hasCells()) {
    std::fill_n(gradients.query, batch * queryHeads * nq * d, 0.0F);
    std::fill_n(gradients.key, batch * kvHeads * nk * d, 0.0F);
    std::fill_n(gradients.value, batch * kvHeads * nk * dv, 0.0F);
    return report;
  }

  const Arena::Scope scope(arena);
  report.workingBytes = attentionBackwardWorkingBytes(shape, options, tile);
  if (!arena.reserve(report.workingBytes)) {
    report.status = Status::outOfMemory;
    return report;
  }

  tiled::BackwardLoop loop(shape, options, inputs.bias, tiled::BackwardLoop::plan(shape, tile), arena);
  const std::size_t group = queryHeads / kvHeads;
  for (std::size_t kvRow = 0; kvRow < batch * kvHeads; ++kvRow) {
    const std::size_t keyPlace = kvRow * nk * d;
    const std::size_t valuePlace = kvRow * nk * dv;
    loop.setKeyValueHead(inputs.key + keyPlace, inputs.value + valuePlace);
    for (std::size_t g = 0; g < group; ++g) {
      const std::size_t row = (kvRow * group + g) * nq;
      loop.run({kvRow / kvHeads, kvRow % kvHeads * group + g, inputs.query + row * d, dOutput + row * dv,
                gradients.query + row * d},
               report);
    }
    loop.writeKeyValueGradients(gradients.key + keyPlace, gradients.value + valuePlace);
  }
  return report;
}

}  // namespace attn
