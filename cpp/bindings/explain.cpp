#include "attn/explain.h"

#include <emscripten/bind.h>

#include "call.h"

namespace attn::bindings {
namespace {

Address prepareLeaveOneOut(double bytes) {
  return prepare(bytes,
                 [](const Call& call) { return explain::leaveOneOutWorkingBytes(call.shape(), call.options()); });
}

std::uint8_t runLeaveOneOut(Place without, Place difference) {
  const Call& call = prepared();
  return static_cast<std::uint8_t>(explain::leaveOneOut(
      call.shape(), call.inputs<double>(), call.options(),
      {call.at<double>(call.tensors().output), call.at<double>(without), call.at<double>(difference)}, workspace()));
}

Address prepareReplaceValue(double bytes) {
  return prepare(bytes,
                 [](const Call& call) { return explain::replaceValueWorkingBytes(call.shape(), call.options()); });
}

std::uint8_t runReplaceValue(std::size_t key, Place value, Place after, Place difference) {
  const Call& call = prepared();
  return static_cast<std::uint8_t>(explain::replaceValue(
      call.shape(), call.inputs<double>(), key, call.at<const double>(value), call.options(),
      {call.at<double>(call.tensors().output), call.at<double>(after), call.at<double>(difference)}, workspace()));
}

/// Of a call that `_prepareReferenceBackward` has prepared: `output` of its tensors is the place of the direction,
/// `weights` and `scores` are those of the cells' gradients.
std::uint8_t runGradient(Place dQuery, Place dKey, Place dValue) {
  const Call& call = prepared();
  const CallTensors& places = call.tensors();
  return static_cast<std::uint8_t>(
      explain::gradient(call.shape(), call.inputs<double>(), call.at<const double>(places.output), call.options(),
                        {{call.at<double>(dQuery), call.at<double>(dKey), call.at<double>(dValue)},
                         call.at<double>(places.weights),
                         call.at<double>(places.scores)},
                        workspace()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(explain) {
  emscripten::function("_prepareLeaveOneOut", &prepareLeaveOneOut);
  emscripten::function("_leaveOneOut", &runLeaveOneOut);
  emscripten::function("_prepareReplaceValue", &prepareReplaceValue);
  emscripten::function("_replaceValue", &runReplaceValue);
  emscripten::function("_explainGradient", &runGradient);
}

}  // namespace attn::bindings
