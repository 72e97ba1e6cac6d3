#include "attn/attention.h"

#include <emscripten/bind.h>

#include <string>

#include "call.h"

namespace attn::bindings {
namespace {

/// The counts of attn::Report as JavaScript numbers.
struct ReportNumbers {
  std::uint8_t status = 0;
  double flops = 0;
  double tilesVisited = 0;
  double tilesSkipped = 0;
  double workingBytes = 0;
};

Address prepareAttention(const Shape& shape, const CallOptions& options, const CallTensors& tensors, double bytes) {
  return prepare(shape, options, tensors, bytes,
                 [](const Call& call) { return attentionWorkingBytes(call.shape(), call.options(), call.tile()); });
}

/// Of the prepared call.
std::size_t queryTiles() { return attn::queryTiles(prepared().shape(), prepared().tile()); }

ReportNumbers runPart(std::size_t first, std::size_t last) {
  const Call& call = prepared();
  const CallTensors& places = call.tensors();
  const Outputs outputs{call.at<float>(places.output), call.at<float>(places.weights), call.at<float>(places.scores),
                        call.at<float>(places.logSumExp)};
  const Report report =
      attention(call.shape(), call.inputs<float>(), call.options(), outputs, call.tile(), workspace(), {first, last});
  return {static_cast<std::uint8_t>(report.status), static_cast<double>(report.flops),
          static_cast<double>(report.tilesVisited), static_cast<double>(report.tilesSkipped),
          static_cast<double>(report.workingBytes)};
}

ReportNumbers runAttention() { return runPart(0, queryTiles()); }

std::string kernel() { return kernelName(); }

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  emscripten::value_object<ReportNumbers>("Report")
      .field("status", &ReportNumbers::status)
      .field("flops", &ReportNumbers::flops)
      .field("tilesVisited", &ReportNumbers::tilesVisited)
      .field("tilesSkipped", &ReportNumbers::tilesSkipped)
      .field("workingBytes", &ReportNumbers::workingBytes);
  emscripten::function("_prepareAttention", &prepareAttention);
  emscripten::function("_attention", &runAttention);
  emscripten::function("_queryTiles", &queryTiles);
  emscripten::function("_attentionPart", &runPart);
  emscripten::function("_kernelName", &kernel);
}

}  // namespace attn::bindings
