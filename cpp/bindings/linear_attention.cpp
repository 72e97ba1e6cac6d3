#include "attn/linear_attention.h"

#include <emscripten/bind.h>

#include "call.h"

namespace attn::bindings {
namespace {

/// Options and places of one call; the places count from the address its memory was reserved at.
struct LinearAttentionCall {
  std::uint8_t featureMap = 0;
  bool causal = false;
  bool normalize = false;
  double scale = 1;
  Place query = 0;
  Place key = 0;
  Place value = 0;
  BroadcastPlace decay;
  BroadcastPlace beta;
  Place state = 0;
  Place output = 0;
  Place nextState = 0;
};

Address prepareLinearAttention(const Shape& shape, double bytes) {
  return reserve(bytes, linearAttentionWorkingBytes(shape));
}

Address prepareReferenceLinearAttention(const Shape& shape, double bytes) {
  return reserve(bytes, reference::linearAttentionWorkingBytes(shape));
}

template <class T>
std::uint8_t run(const Shape& shape, const LinearAttentionCall& call, Address base) {
  using reference::linearAttention;  // the one for float64; for float32 attn's is found
  const auto tensor = [&](Place place) { return place == 0 ? nullptr : at<T>(base + place); };
  const auto state = [&](Place place) { return place == 0 ? nullptr : at<double>(base + place); };
  const auto gate = [&](const BroadcastPlace& b) {
    return Broadcast<T>{tensor(b.place), {b.batch, b.head, b.query, b.key}};
  };
  const LinearAttentionOptions options{static_cast<FeatureMap>(call.featureMap), call.causal, call.normalize,
                                       call.scale};
  const LinearAttentionInputs<T> inputs{tensor(call.query), tensor(call.key), tensor(call.value),
                                        gate(call.decay),   gate(call.beta),  state(call.state)};
  const LinearAttentionOutputs<T> outputs{tensor(call.output), state(call.nextState)};
  return static_cast<std::uint8_t>(linearAttention(shape, inputs, options, outputs, workspace()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(linear_attention) {
  emscripten::value_object<LinearAttentionCall>("LinearAttentionCall")
      .field("featureMap", &LinearAttentionCall::featureMap)
      .field("causal", &LinearAttentionCall::causal)
      .field("normalize", &LinearAttentionCall::normalize)
      .field("scale", &LinearAttentionCall::scale)
      .field("query", &LinearAttentionCall::query)
      .field("key", &LinearAttentionCall::key)
      .field("value", &LinearAttentionCall::value)
      .field("decay", &LinearAttentionCall::decay)
      .field("beta", &LinearAttentionCall::beta)
      .field("state", &LinearAttentionCall::state)
      .field("output", &LinearAttentionCall::output)
      .field("nextState", &LinearAttentionCall::nextState);
  emscripten::function("_prepareLinearAttention", &prepareLinearAttention);
  emscripten::function("_linearAttention", &run<float>);
  emscripten::function("_prepareReferenceLinearAttention", &prepareReferenceLinearAttention);
  emscripten::function("_referenceLinearAttention", &run<double>);
}

}  // namespace attn::bindings
