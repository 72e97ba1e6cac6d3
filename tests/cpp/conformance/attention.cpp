#include "attn/attention.h"

#include "attn/reference.h"
#include "attn/scores.h"
#include "conformance/methods.h"
#include "conformance/options.h"

namespace attn::test::conformance {
namespace {

Status run(const Shape& shape, const TensorInputs<float>& inputs, const Options& options, const Outputs& outputs) {
  Arena arena;
  return attn::attention(shape, inputs, options, outputs, {}, arena).status;
}

Status run(const Shape& shape, const TensorInputs<double>& inputs, const Options& options,
           const reference::Outputs& outputs) {
  Arena arena;
  return reference::attention(shape, inputs, options, outputs, arena);
}

template <class T, class AllOutputs>
std::optional<Tensors> attentionIn(const Call& call) {
  const std::optional<Shape> shape = shapeOf(call);
  if (!shape) return std::nullopt;
  const CallOptions options(call, *shape);
  const CallBroadcast<T> bias(call, "bias");
  const auto query = call.inputs.at("q").as<T>();
  const auto key = call.inputs.at("k").as<T>();
  const auto value = call.inputs.at("v").as<T>();
  const std::size_t rows = shape->batch * shape->queryHeads * shape->queries;
  std::vector<T> output(rows * shape->valueDim);
  std::vector<T> weights(rows * shape->keys);
  std::vector<T> scores(rows * shape->keys);
  const AllOutputs outputs{output.data(), weights.data(), scores.data(), nullptr};
  const Status status = run(*shape, {query.data(), key.data(), value.data(), bias.broadcast}, options.options, outputs);
  if (status != Status::ok) return std::nullopt;
  const auto& [batch, heads, kvHeads, queries, keys, keyDim, valueDim, queryDim] = *shape;
  return Tensors{{"output", tensor({batch, heads, queries, valueDim}, output)},
                 {"weights", tensor({batch, heads, queries, keys}, weights)},
                 {"scores", tensor({batch, heads, queries, keys}, scores)}};
}

Status run(const Shape& shape, const TensorInputs<float>& inputs, const Options& options, float* cells) {
  Arena arena;
  return attn::scores(shape, inputs, options, cells, arena);
}

Status run(const Shape& shape, const TensorInputs<double>& inputs, const Options& options, double* cells) {
  Arena arena;
  return reference::scores(shape, inputs, options, cells, arena);
}

template <class T>
std::optional<Tensors> scoresIn(const Call& call) {
  const std::optional<Shape> shape = shapeOf(call);
  if (!shape) return std::nullopt;
  const CallOptions options(call, *shape);
  const CallBroadcast<T> bias(call, "bias");
  const auto query = call.inputs.at("q").as<T>();
  const auto key = call.inputs.at("k").as<T>();
  std::vector<T> cells(shape->batch * shape->queryHeads * shape->queries * shape->keys);
  const TensorInputs<T> inputs{query.data(), key.data(), nullptr, bias.broadcast};
  if (run(*shape, inputs, options.options, cells.data()) != Status::ok) return std::nullopt;
  return Tensors{{"itself", tensor({shape->batch, shape->queryHeads, shape->queries, shape->keys}, cells)}};
}

}  // namespace

std::optional<Tensors> attention(const Call& call) { return attentionIn<float, Outputs>(call); }

std::optional<Tensors> referenceAttention(const Call& call) { return attentionIn<double, reference::Outputs>(call); }

std::optional<Tensors> scores(const Call& call) { return scoresIn<float>(call); }

std::optional<Tensors> referenceScores(const Call& call) { return scoresIn<double>(call); }

}  // namespace attn::test::conformance
