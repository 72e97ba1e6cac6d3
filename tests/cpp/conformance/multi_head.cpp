#include "attn/multi_head.h"

#include "conformance/methods.h"
#include "conformance/options.h"

namespace attn::test::conformance {
namespace {

Status run(const MultiHeadShape& shape, const MultiHeadInputs<float>& inputs, const Options& options,
           const MultiHeadOutputs<float>& outputs) {
  Arena arena;
  return attn::multiHeadAttention(shape, inputs, options, outputs, {}, arena).status;
}

Status run(const MultiHeadShape& shape, const MultiHeadInputs<double>& inputs, const Options& options,
           const MultiHeadOutputs<double>& outputs) {
  Arena arena;
  return reference::multiHeadAttention(shape, inputs, options, outputs, arena);
}

/// The tensors of a call in its precision; one that is not given has no sizes.
template <class T>
struct Given {
  std::vector<std::size_t> sizes;
  std::vector<T> values;

  Given(const Call& call, const std::string& name) {
    const Tensor* const tensor = call.option(name);
    if (tensor == nullptr) return;
    sizes = tensor->sizes;
    values = tensor->as<T>();
  }

  [[nodiscard]] const T* data() const { return values.empty() ? nullptr : values.data(); }
};

template <class T>
struct Layer {
  Given<T> weights;
  Given<T> bias;

  Layer(const Call& call, const std::string& letter) : weights(call, "w" + letter), bias(call, "b" + letter) {}

  [[nodiscard]] LinearLayer<T> layer() const { return {weights.data(), bias.data()}; }
  [[nodiscard]] std::size_t in() const { return weights.sizes.empty() ? 0 : weights.sizes[0]; }
  [[nodiscard]] std::size_t out() const { return weights.sizes.empty() ? 0 : weights.sizes[1]; }
};

template <class T>
std::optional<Tensors> multiHeadAttentionIn(const Call& call) {
  const Tensor& given = call.inputs.at("x");
  const auto x = given.as<T>();
  const Given<T> context(call, "context");
  const Given<T> contextValues(call, "contextValues");
  const Layer<T> query(call, "q");
  const Layer<T> key(call, "k");
  const Layer<T> value(call, "v");
  const Layer<T> output(call, "o");

  MultiHeadShape shape;
  Shape& s = shape.attention;
  s.batch = given.sizes[0];
  s.queries = given.sizes[1];
  s.keys = context.sizes.empty() ? s.queries : context.sizes[1];
  s.queryHeads = static_cast<std::size_t>(call.option("heads")->values[0]);
  const Tensor* const kvHeads = call.option("kvHeads");
  s.kvHeads = kvHeads == nullptr ? s.queryHeads : static_cast<std::size_t>(kvHeads->values[0]);
  s.queryDim = query.out() / s.queryHeads;
  s.keyDim = key.out() / s.kvHeads;
  s.valueDim = value.out() / s.kvHeads;
  shape.queryWidth = query.in();
  shape.keyWidth = key.in();
  shape.valueWidth = value.in();
  shape.outputWidth = output.out();

  const std::size_t width = shape.outputWidth == 0 ? s.queryHeads * s.valueDim : shape.outputWidth;
  std::vector<T> result(s.batch * s.queries * width);
  std::vector<T> weights(s.batch * s.queryHeads * s.queries * s.keys);
  const T* const keysFrom = context.data() == nullptr ? x.data() : context.data();
  const CallOptions options(call, s);
  const CallBroadcast<T> bias(call, "bias");
  const MultiHeadInputs<T> inputs{
      x.data(),       keysFrom,      contextValues.data() == nullptr ? keysFrom : contextValues.data(),
      query.layer(),  key.layer(),   value.layer(),
      output.layer(), bias.broadcast};
  if (run(shape, inputs, options.options, {result.data(), nullptr, weights.data()}) != Status::ok) return std::nullopt;
  return Tensors{{"output", tensor({s.batch, s.queries, width}, result)},
                 {"weights", tensor({s.batch, s.queryHeads, s.queries, s.keys}, weights)}};
}

}  // namespace

std::optional<Tensors> multiHeadAttention(const Call& call) { return multiHeadAttentionIn<float>(call); }

std::optional<Tensors> referenceMultiHeadAttention(const Call& call) { return multiHeadAttentionIn<double>(call); }

}  // namespace attn::test::conformance
