#include "attn/kv_cache.h"

#include <stdexcept>
#include <utility>

#include "conformance/methods.h"
#include "conformance/options.h"

namespace attn::test::conformance {
namespace {

/// Rows from ≤ i < to of every head of a tensor [B, H, n, width].
std::vector<float> rowsOf(const Tensor& tensor, std::size_t from, std::size_t to) {
  const std::size_t length = tensor.sizes[2];
  const std::size_t width = tensor.sizes[3];
  std::vector<float> rows;
  for (std::size_t head = 0; head < tensor.sizes[0] * tensor.sizes[1]; ++head) {
    for (std::size_t i = (head * length + from) * width; i < (head * length + to) * width; ++i) {
      rows.push_back(static_cast<float>(tensor.values[i]));
    }
  }
  return rows;
}

}  // namespace

std::optional<Tensors> kvCache(const Call& call) {
  const std::optional<Shape> shape = shapeOf(call);
  if (!shape) return std::nullopt;
  KvCacheSettings settings;
  settings.batch = shape->batch;
  settings.kvHeads = shape->kvHeads;
  settings.keyDim = shape->keyDim;
  settings.valueDim = shape->valueDim;
  settings.type = call.choices.at("dtype") == "f16" ? KvType::f16 : KvType::f32;
  const auto cache = KvCache::create(settings);
  if (cache == nullptr) throw std::runtime_error("no memory for a cache");

  const Tensor& key = call.inputs.at("k");
  const Tensor& value = call.inputs.at("v");
  const auto chunk = static_cast<std::size_t>(call.option("chunk")->values[0]);
  for (const auto& [from, to] : {std::pair{std::size_t{0}, chunk}, std::pair{chunk, shape->keys}}) {
    if (cache->append(rowsOf(key, from, to).data(), rowsOf(value, from, to).data(), to - from) != Status::ok) {
      return std::nullopt;
    }
  }

  const CallOptions options(call, *shape);
  const CallBroadcast<float> bias(call, "bias");
  const auto query = call.inputs.at("q").as<float>();
  const std::size_t rows = shape->batch * shape->queryHeads * shape->queries;
  std::vector<float> output(rows * shape->valueDim);
  std::vector<float> weights(rows * shape->keys);
  std::vector<float> scores(rows * shape->keys);
  Arena arena;
  const Report report = cache->attend(*shape, query.data(), bias.broadcast, options.options,
                                      {output.data(), weights.data(), scores.data(), nullptr}, arena);
  if (report.status != Status::ok) return std::nullopt;
  const auto& [batch, heads, kvHeads, queries, keys, keyDim, valueDim, queryDim] = *shape;
  return Tensors{{"output", tensor({batch, heads, queries, valueDim}, output)},
                 {"weights", tensor({batch, heads, queries, keys}, weights)},
                 {"scores", tensor({batch, heads, queries, keys}, scores)}};
}

}  // namespace attn::test::conformance
