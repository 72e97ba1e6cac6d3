#include "attn/linear_attention.h"

#include <cmath>
#include <stdexcept>

#include "conformance/methods.h"
#include "conformance/options.h"

namespace attn::test::conformance {
namespace {

Status run(const Shape& shape, const LinearAttentionInputs<float>& inputs, const LinearAttentionOptions& options,
           const LinearAttentionOutputs<float>& outputs) {
  Arena arena;
  return attn::linearAttention(shape, inputs, options, outputs, arena);
}

Status run(const Shape& shape, const LinearAttentionInputs<double>& inputs, const LinearAttentionOptions& options,
           const LinearAttentionOutputs<double>& outputs) {
  Arena arena;
  return reference::linearAttention(shape, inputs, options, outputs, arena);
}

FeatureMap featureMapOf(const std::string& name) {
  if (name == "elu+1") return FeatureMap::eluPlusOne;
  if (name == "relu") return FeatureMap::relu;
  if (name == "identity") return FeatureMap::identity;
  throw std::runtime_error("featureMap: expected a known one");
}

/// With the defaults that the JavaScript API has: the operator's where a rule is given, else the kernel form's.
LinearAttentionOptions optionsOf(const Call& call, const Shape& shape) {
  const bool rule = call.choices.count("rule") != 0;
  LinearAttentionOptions options;
  options.featureMap = rule ? FeatureMap::identity : FeatureMap::eluPlusOne;
  options.causal = rule;
  options.normalize = !rule;
  options.scale = rule ? 1 / std::sqrt(static_cast<double>(shape.keyDim)) : 1;
  if (const auto map = call.choices.find("featureMap"); map != call.choices.end()) {
    options.featureMap = featureMapOf(map->second);
  }
  if (call.option("causal") != nullptr) options.causal = call.flag("causal");
  if (call.option("normalize") != nullptr) options.normalize = call.flag("normalize");
  if (const Tensor* const scale = call.option("scale")) options.scale = scale->values[0];
  return options;
}

template <class T>
std::optional<Tensors> linearAttentionIn(const Call& call) {
  const std::optional<Shape> shape = shapeOf(call);
  if (!shape) return std::nullopt;
  const LinearAttentionOptions options = optionsOf(call, *shape);
  const auto query = call.inputs.at("q").as<T>();
  const auto key = call.inputs.at("k").as<T>();
  const auto value = call.inputs.at("v").as<T>();
  const CallBroadcast<T> decay(call, "decay");
  const CallBroadcast<T> beta(call, "beta");
  const Tensor* const state = call.option("state");
  const auto& [batch, heads, kvHeads, queries, keys, keyDim, valueDim, queryDim] = *shape;
  std::vector<T> output(batch * heads * queries * valueDim);
  std::vector<double> next(batch * kvHeads * keyDim * stateWidth(*shape, options));
  const Status status = run(*shape,
                            {query.data(), key.data(), value.data(), decay.broadcast, beta.broadcast,
                             state == nullptr ? nullptr : state->values.data()},
                            options, {output.data(), next.data()});
  if (status != Status::ok) return std::nullopt;
  return Tensors{{"output", tensor({batch, heads, queries, valueDim}, output)},
                 {"state", tensor({batch, kvHeads, keyDim, stateWidth(*shape, options)}, next)}};
}

}  // namespace

std::optional<Tensors> linearAttention(const Call& call) { return linearAttentionIn<float>(call); }

std::optional<Tensors> referenceLinearAttention(const Call& call) { return linearAttentionIn<double>(call); }

}  // namespace attn::test::conformance
