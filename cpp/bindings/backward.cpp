#include "attn/backward.h"

#include <emscripten/bind.h>

#include "call.h"
#include "report.h"

namespace attn::bindings {
namespace {

Address prepareBackward(double bytes) {
  return prepare(
      bytes, [](const Call& call) { return attentionBackwardWorkingBytes(call.shape(), call.options(), call.tile()); });
}

/// Of a call's tensors, `output` is the place of the output's gradient, an input here.
ReportNumbers runBackward(Place dQuery, Place dKey, Place dValue) {
  const Call& call = prepared();
  return numbersOf(attentionBackward(
      call.shape(), call.inputs<float>(), call.at<const float>(call.tensors().output), call.options(),
      {call.at<float>(dQuery), call.at<float>(dKey), call.at<float>(dValue)}, call.tile(), workspace()));
}

Address prepareReferenceBackward(double bytes) {
  return prepare(
      bytes, [](const Call& call) { return reference::attentionBackwardWorkingBytes(call.shape(), call.options()); });
}

std::uint8_t runReferenceBackward(Place dQuery, Place dKey, Place dValue) {
  const Call& call = prepared();
  return static_cast<std::uint8_t>(reference::attentionBackward(
      call.shape(), call.inputs<double>(), call.at<const double>(call.tensors().output), call.options(),
      {call.at<double>(dQuery), call.at<double>(dKey), call.at<double>(dValue)}, workspace()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(backward) {
  emscripten::function("_prepareBackward", &prepareBackward);
  emscripten::function("_backward", &runBackward);
  emscripten::function("_prepareReferenceBackward", &prepareReferenceBackward);
  emscripten::function("_referenceBackward", &runReferenceBackward);
}

}  // namespace attn::bindings
