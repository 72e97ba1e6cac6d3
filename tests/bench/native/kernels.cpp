// The kernels as they run natively: `node tests/bench/native/run.mjs [options of Google Benchmark]`.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "attn/attention.h"
#include "attn/backward.h"
#include "attn/kv_cache.h"
#include "support/random.h"

namespace attn {
namespace {

/// So small that no row of scores needs float64.
std::vector<float> numbers(std::size_t count) {
  std::vector<float> result(count);
  test::Random(1).fillNormal(result, 0.5F);
  return result;
}

struct Case {
  explicit Case(const Shape& of)
      : shape(of),
        query(numbers(of.queryHeads * of.queries * of.keyDim)),
        key(numbers(of.kvHeads * of.keys * of.keyDim)),
        value(numbers(of.kvHeads * of.keys * of.valueDim)),
        output(of.queryHeads * of.queries * of.valueDim) {}

  [[nodiscard]] Inputs inputs() const { return {query.data(), key.data(), value.data()}; }

  Shape shape;
  std::vector<float> query, key, value, output;
  Arena arena;
};

Shape shapeOf(std::size_t heads, std::size_t kvHeads, std::size_t queries, std::size_t keys, std::size_t dim) {
  Shape shape;
  shape.queryHeads = heads;
  shape.kvHeads = kvHeads;
  shape.queries = queries;
  shape.keys = keys;
  shape.keyDim = shape.valueDim = dim;
  return shape;
}

void countFlops(benchmark::State& state, double flops) {
  state.counters["FLOP/s"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}

/// n, d
void full(benchmark::State& state, bool causal) {
  const auto n = static_cast<std::size_t>(state.range(0));
  Case call(shapeOf(1, 1, n, n, static_cast<std::size_t>(state.range(1))));
  Options options;
  options.mask.causal = causal;
  Report report;
  while (state.KeepRunning()) {
    report = attention(call.shape, call.inputs(), options, {call.output.data()}, {}, call.arena);
    benchmark::DoNotOptimize(report);
  }
  countFlops(state, static_cast<double>(report.flops));
}

void backward(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  Case call(shapeOf(1, 1, n, n, 64));
  Case gradients(call.shape);
  while (state.KeepRunning()) {
    Report report =
        attentionBackward(call.shape, call.inputs(), call.output.data(), {},
                          {gradients.query.data(), gradients.key.data(), gradients.value.data()}, {}, call.arena);
    benchmark::DoNotOptimize(report);
  }
}

/// Query heads, key/value heads, keys
void decode(benchmark::State& state) {
  const auto kvHeads = static_cast<std::size_t>(state.range(1));
  Case call(
      shapeOf(static_cast<std::size_t>(state.range(0)), kvHeads, 1, static_cast<std::size_t>(state.range(2)), 64));
  const auto cache = KvCache::create({1, kvHeads, 64, 64, KvType::f32, {}, {}});
  if (!cache || !cache->reserve(call.shape.keys) ||
      cache->append(call.key.data(), call.value.data(), call.shape.keys) != Status::ok) {
    state.SkipWithError("no memory for the cache");
    return;
  }
  while (state.KeepRunning()) {
    Report report = cache->attend(call.shape, call.query.data(), {}, {}, {call.output.data()}, call.arena);
    benchmark::DoNotOptimize(report);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>((call.key.size() + call.value.size()) * sizeof(float)));
}

BENCHMARK_CAPTURE(full, all, false)->Args({64, 64})->Args({256, 64})->Args({1024, 64})->Args({1024, 128});
BENCHMARK_CAPTURE(full, odd, false)->Args({1023, 65});
BENCHMARK_CAPTURE(full, causal, true)->Args({1024, 64});
BENCHMARK(backward)->Arg(1024);
BENCHMARK(decode)->Args({8, 8, 4096})->Args({8, 2, 4096});

}  // namespace
}  // namespace attn

BENCHMARK_MAIN();
