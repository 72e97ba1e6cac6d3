// The cache against attention over the concatenated keys and values.

#include "attn/kv_cache.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "attn/half.h"
#include "support/cache.h"
#include "support/call.h"
#include "support/random.h"
#include "support/random_call.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<double> inFloat64(const std::vector<float>& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

TEST_CASE("any chunking gives what one causal pass gives, with and without a window, for any grouping of heads") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Call whole(randomCacheShape(random, 300));
    const Shape& shape = whole.shape;
    fillNormal(whole, random);
    whole.options.mask.causal = true;
    KvCacheSettings settings = settingsOf(shape);
    if (random.chance(0.6)) settings.window = Window{random.between(0, 90), random.between(0, 3)};
    auto cache = KvCache::create(settings);
    REQUIRE(cache != nullptr);

    std::vector<float> outputs(whole.query.size() / shape.keyDim * shape.valueDim);
    for (std::size_t from = 0; from < shape.keys;) {
      const std::size_t count = randomChunk(random, shape.keys - from);
      REQUIRE(append(*cache, whole, from, count) == Status::ok);
      Shape part = shape;
      part.queries = count;
      Call chunk(part);
      chunk.query = rowsOf(whole.query, shape.batch * shape.queryHeads, shape.keyDim, from, count);
      chunk.options.mask.causal = true;
      const auto result = attend(*cache, chunk);
      REQUIRE(result.report.status == Status::ok);
      for (std::size_t head = 0; head < shape.batch * shape.queryHeads; ++head) {
        std::copy_n(&result.output[head * count * shape.valueDim], count * shape.valueDim,
                    &outputs[(head * shape.keys + from) * shape.valueDim]);
      }
      from += count;
    }
    whole.options.mask.window = settings.window;
    checkClose("output", outputs, inFloat64(whole.run().output), 1e-6 * largestOf(whole.value));
  }
}

TEST_CASE("attend equals the reference, whatever the masks and options, NaN and infinity where they are masked") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Random random(1000 + seed);
    Shape shape = randomCacheShape(random, 200);
    shape.queries = random.chance(0.5) ? 1 : random.between(0, 40);
    Call call(shape);
    fillNormal(call, random);
    if (random.chance(0.2)) random.fillNormal(call.query, 100);
    KvCacheSettings settings = settingsOf(shape);
    const std::size_t lastChunk = random.between(1, shape.keys);
    MaskOptions& mask = call.options.mask;
    mask.causal = random.chance(0.5);
    if (random.chance(0.5)) {
      settings.window = Window{random.between(0, 60), random.chance(0.3) ? Window::kUnbounded : random.between(0, 60)};
      // From the position of the last append on.
      mask.queryOffset = static_cast<std::int64_t>(shape.keys - lastChunk + random.between(0, 5));
      if (random.chance(0.3)) mask.window = Window{random.between(0, 60), random.between(0, 60)};
    } else if (random.chance(0.5)) {
      mask.queryOffset = static_cast<std::int64_t>(random.between(0, 80)) - 40;
      if (random.chance(0.5)) mask.window = Window{random.between(0, 60), random.between(0, 60)};
    }
    const auto sizes = [&] {
      std::array<std::size_t, 4> all{shape.batch, shape.queryHeads, shape.queries, shape.keys};
      for (std::size_t& size : all) size = random.chance(0.3) ? 1 : size;
      return all;
    };
    const auto count = [](const std::array<std::size_t, 4>& s) {
      return std::max<std::size_t>(1, s[0] * s[1] * s[2] * s[3]);
    };
    if (random.chance(0.3)) {
      const auto s = sizes();
      call.setAllow(random.flags(count(s), 0.7), s);
    }
    if (random.chance(0.3)) {
      const auto s = sizes();
      std::vector<float> bias(count(s));
      random.fillNormal(bias);
      for (float& x : bias) x = random.chance(0.1) ? -kInfinity : x;
      call.setBias(std::move(bias), s);
    }
    if (random.chance(0.3)) {
      const bool perBatch = random.chance(0.5);
      call.setAllowKeys(random.flags((perBatch ? shape.batch : 1) * shape.keys, 0.8), perBatch);
    }
    if (random.chance(0.3)) {
      std::vector<std::uint32_t> lengths(shape.batch);
      for (auto& length : lengths) length = static_cast<std::uint32_t>(random.between(0, shape.keys));
      call.setKeyLengths(std::move(lengths));
    }
    if (random.chance(0.3)) {
      const std::size_t rows = random.between(1, 20);
      const std::size_t columns = random.between(1, 50);
      call.setBlocks(random.flags((shape.queries / rows + 1) * (shape.keys / columns + 1), 0.7), rows, columns);
    }
    if (random.chance(0.2)) call.options.softcap = 5;
    if (random.chance(0.2)) call.options.scale = 0.3;
    call.options.emptyRows = random.oneOf<EmptyRows>({EmptyRows::zero, EmptyRows::nan});
    if (!settings.window && random.chance(0.3)) call.options.emptyRows = EmptyRows::uniform;
    if (random.chance(0.3)) {
      call.key[random.between(0, call.key.size() - 1)] = kNaN;
      call.value[random.between(0, call.value.size() - 1)] = kNaN;
    }
    if (random.chance(0.3)) setRandomScoring(random, call, random.oneOf(kKindsOfVectors));
    auto cache = KvCache::create(settings);
    REQUIRE(cache != nullptr);
    REQUIRE(append(*cache, call, 0, shape.keys - lastChunk) == Status::ok);
    REQUIRE(append(*cache, call, shape.keys - lastChunk, lastChunk) == Status::ok);
    checkAgainstReference(*cache, call);
  }
}

TEST_CASE("f16 computes with the nearest halves") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Shape shape = randomCacheShape(random, 300);
    shape.queries = random.chance(0.5) ? 1 : random.between(1, 100);
    Call call(shape);
    fillNormal(call, random);
    call.key[0] = 1e-6F;  // subnormal
    call.value[0] = -3e-8F;
    if (random.chance(0.3)) call.value.back() = kInfinity;
    if (random.chance(0.4)) setRandomScoring(random, call, random.oneOf(kKindsOfVectors));
    KvCacheSettings settings = settingsOf(shape);
    settings.type = KvType::f16;
    auto cache = KvCache::create(settings);
    const std::size_t first = random.between(0, shape.keys);
    REQUIRE(append(*cache, call, 0, first) == Status::ok);
    REQUIRE(append(*cache, call, first, shape.keys - first) == Status::ok);
    for (float& x : call.key) x = fromHalf(toHalf(double{x}));
    for (float& x : call.value) x = fromHalf(toHalf(double{x}));
    checkAgainstReference(*cache, call);
  }
}

TEST_CASE("f16 is as near to f32 as rounding to halves can be") {
  Call call(Call::oneHead(1, 500, 64, 64));
  Random random(5);
  fillNormal(call, random);
  KvCacheSettings settings = settingsOf(call.shape);
  auto wide = KvCache::create(settings);
  settings.type = KvType::f16;
  auto half = KvCache::create(settings);
  REQUIRE(append(*wide, call, 0, 500) == Status::ok);
  REQUIRE(append(*half, call, 0, 500) == Status::ok);
  const auto a = attend(*wide, call);
  const auto b = attend(*half, call);
  // A score is off by at most 2⁻¹¹·Σ|q·k|/√d, a weight by twice that relative to itself, a value by 2⁻¹¹.
  double largestSum = 0;
  for (std::size_t j = 0; j < 500; ++j) {
    double sum = 0;
    for (std::size_t c = 0; c < 64; ++c) sum += std::fabs(double{call.query[c]} * double{call.key[j * 64 + c]});
    largestSum = std::max(largestSum, sum / 8);
  }
  const double tolerance = 0x1p-11 * largestOf(call.value) * (1 + 2 * largestSum);
  checkClose("output", b.output, inFloat64(a.output), tolerance);
  CHECK(b.output != a.output);
}

TEST_CASE("decoding visits each key/value head once for all the query heads of its group") {
  Shape shape = Call::oneHead(1, 256, 8, 8);
  shape.queryHeads = 8;
  shape.kvHeads = 2;
  Call call(shape);
  auto cache = KvCache::create(settingsOf(shape));
  REQUIRE(append(*cache, call, 0, 256) == Status::ok);
  const auto report = attend(*cache, call).report;
  CHECK(report.tilesVisited == 2 * 256 / 64);
  CHECK(report.flops == 8 * 256 * 2 * (8 + 8));
}

TEST_CASE("without keys there is nothing to see") {
  Call call(Call::oneHead(2, 0, 3, 3));
  auto cache = KvCache::create(settingsOf(call.shape));
  const auto result = attend(*cache, call);
  CHECK(result.output == std::vector<float>(6, 0.0F));
  CHECK(result.logSumExp == std::vector<float>(2, -kInfinity));
}
