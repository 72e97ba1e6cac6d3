#include "attn/reference.h"

#include <emscripten/bind.h>

#include "call.h"

namespace attn::bindings {
namespace {

Address prepareReference(double bytes) {
  return prepare(bytes, [](const Call& call) { return reference::workingBytes(call.shape(), call.options()); });
}

std::uint8_t runReference() {
  const Call& call = prepared();
  const CallTensors& places = call.tensors();
  const reference::Outputs outputs{call.at<double>(places.output), call.at<double>(places.weights),
                                   call.at<double>(places.scores), call.at<double>(places.logSumExp)};
  return static_cast<std::uint8_t>(
      reference::attention(call.shape(), call.inputs<double>(), call.options(), outputs, workspace()));
}

Address prepareScores(double bytes) {
  return prepare(bytes, [](const Call& call) { return reference::scoresWorkingBytes(call.shape(), call.options()); });
}

std::uint8_t runScores() {
  const Call& call = prepared();
  return static_cast<std::uint8_t>(reference::scores(call.shape(), call.inputs<double>(), call.options(),
                                                     call.at<double>(call.tensors().scores), workspace()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(reference) {
  emscripten::function("_prepareReference", &prepareReference);
  emscripten::function("_reference", &runReference);
  emscripten::function("_prepareReferenceScores", &prepareScores);
  emscripten::function("_referenceScores", &runScores);
}

}  // namespace attn::bindings
