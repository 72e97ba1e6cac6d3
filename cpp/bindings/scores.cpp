#include "attn/scores.h"

#include <emscripten/bind.h>

#include "call.h"

namespace attn::bindings {
namespace {

Address prepareScores(double bytes) {
  return prepare(bytes, [](const Call& call) { return scoresWorkingBytes(call.shape(), call.options()); });
}

std::uint8_t runScores() {
  const Call& call = prepared();
  return static_cast<std::uint8_t>(
      scores(call.shape(), call.inputs<float>(), call.options(), call.at<float>(call.tensors().scores), workspace()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(scores) {
  emscripten::function("_prepareScores", &prepareScores);
  emscripten::function("_scores", &runScores);
}

}  // namespace attn::bindings
