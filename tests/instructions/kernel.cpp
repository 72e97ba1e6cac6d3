// One call of attention, always the same, for a tool that counts its instructions: `attn-instructions
// full|causal|decode`.

#include <cstdio>
#include <string_view>
#include <vector>

#include "attn/attention.h"
#include "attn/kv_cache.h"
#include "support/random.h"

namespace {

using namespace attn;

constexpr std::size_t kDim = 64;

/// So small that no row of scores needs float64.
std::vector<float> numbers(std::size_t count) {
  std::vector<float> result(count);
  test::Random(1).fillNormal(result, 0.5F);
  return result;
}

}  // namespace

/// What is counted.
extern "C" [[gnu::noinline]] bool measured(const Shape& shape, const Inputs& inputs, const Options& options,
                                           float* output, Arena& arena, const KvCache* cache) {
  const Outputs outputs{output};
  const Report report = cache != nullptr ? cache->attend(shape, inputs.query, {}, options, outputs, arena)
                                         : attention(shape, inputs, options, outputs, {}, arena);
  return report.status == Status::ok;
}

int main(int count, char** arguments) {
  const std::string_view name = count == 2 ? arguments[1] : "";
  const bool decode = name == "decode";
  if (name != "full" && name != "causal" && !decode) {
    std::fputs("expected full, causal or decode\n", stderr);
    return 2;
  }
  Shape shape;
  shape.queryHeads = shape.kvHeads = decode ? 8 : 1;
  shape.queries = decode ? 1 : 256;
  shape.keys = decode ? 1024 : 256;
  shape.keyDim = shape.valueDim = kDim;
  const auto query = numbers(shape.queryHeads * shape.queries * kDim);
  const auto keys = numbers(shape.kvHeads * shape.keys * kDim);
  std::vector<float> output(query.size());
  Options options;
  options.mask.causal = name == "causal";
  Arena arena;
  std::unique_ptr<KvCache> cache;
  if (decode) {
    cache = KvCache::create({1, shape.kvHeads, kDim, kDim, KvType::f32, {}, {}});
    if (!cache || !cache->reserve(shape.keys)) return 1;
    if (cache->append(keys.data(), keys.data(), shape.keys) != Status::ok) return 1;
  }
  return measured(shape, {query.data(), keys.data(), keys.data()}, options, output.data(), arena, cache.get()) ? 0 : 1;
}
