#include "multi_head/multi_head.h"

#include <algorithm>

#include "tiled/linear_map.h"
#include "validate.h"

namespace attn {

namespace {

/// The widest of the inputs to the layers.
std::size_t widest(const MultiHeadShape& shape) {
  return std::max(
      {shape.queryWidth, shape.keyWidth, shape.valueWidth, shape.attention.queryHeads * shape.attention.valueDim});
}

}  // namespace

std::uint64_t multiHeadWorkingBytes(const MultiHeadShape& shape, const Options& options, TileSize tile) {
  return sumOf({ProjectedHeads<float>::bytes(shape.attention), tiled::LinearMap::workingBytes(widest(shape)),
                attentionWorkingBytes(shape.attention, options, tile)});
}

Report multiHeadAttention(const MultiHeadShape& shape, const MultiHeadInputs<float>& inputs, const Options& options,
                          const MultiHeadOutputs<float>& outputs, TileSize tile, Arena& arena) {
  Report report;
  const bool needsCells = outputs.weights != nullptr || outputs.scores != nullptr;
  report.status = check(shape, sizeof(float), needsCells);
  if (report.status == Status::ok) report.status = check(shape.attention, options);
  if (report.status != Status::ok) return report;

  const Arena::Scope scope(arena);
  const std::uint64_t workingBytes = multiHeadWorkingBytes(shape, options, tile);
  if (!arena.reserve(workingBytes)) {
    report.status = Status::outOfMemory;
    return report;
  }
  const ProjectedHeads<float> heads(shape.attention, arena);
  tiled::LinearMap linear(widest(shape), arena);
  const auto multiply = [&](const LayerSize& size, const SplitRows<const float>& from, const LinearLayer<float>& layer,
                            const SplitRows<float>& to) { linear.apply(size, from, layer, to); };

  projectInputs(shape, inputs, heads, multiply);
  float* const given = outputs.heads == nullptr ? heads.output : outputs.heads;
  report = attention(shape.attention, {heads.query, heads.key, heads.value, inputs.bias}, options,
                     {given, outputs.weights, outputs.scores, outputs.logSumExp}, tile, arena);
  report.workingBytes = workingBytes;
  if (report.status != Status::ok) return report;
  projectOutput(shape, inputs.output, static_cast<const float*>(given), outputs.output, multiply);
  report.flops = sumOf({report.flops, projectionFlops(shape)});
  return report;
}

}  // namespace attn
