#include "attn/attention.h"

#include <emscripten/bind.h>

#include <string>

#include "call.h"
#include "report.h"

namespace attn::bindings {
namespace {

Address prepareAttention(double bytes) {
  return prepare(bytes,
                 [](const Call& call) { return attentionWorkingBytes(call.shape(), call.options(), call.tile()); });
}

ReportNumbers runPart(std::size_t first, std::size_t last) {
  const Call& call = prepared();
  return numbersOf(attention(call.shape(), call.inputs<float>(), call.options(), outputsOf(call), call.tile(),
                             workspace(), {first, last}));
}

ReportNumbers runAttention() { return runPart(0, queryTiles(prepared().shape(), prepared().tile())); }

TileSize chooseTile(const Shape& shape, std::size_t queries, std::size_t keys) {
  return tileSize(shape, {queries, keys});
}

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
  emscripten::function("_attentionPart", &runPart);
  emscripten::value_object<TileSize>("TileSize").field("queries", &TileSize::queries).field("keys", &TileSize::keys);
  emscripten::function("_tileSize", &chooseTile);
  emscripten::function("_kernelName", &kernel);
}

}  // namespace attn::bindings
