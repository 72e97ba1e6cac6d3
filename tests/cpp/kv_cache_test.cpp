// The cache against attention over the concatenated keys and values.

#include "attn/kv_cache.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "attn/half.h"
#include "attn/reference.h"
#include "support/call.h"
#include "support/random.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Rows [from, from + count) of every matrix in [heads, length, width].
std::vector<float> rowsOf(const std::vector<float>& tensor, std::size_t heads, std::size_t width, std::size_t from,
                          std::size_t count) {
  const std::size_t length = tensor.size() / (heads * width);
  std::vector<float> rows;
  for (std::size_t head = 0; head < heads; ++head) {
    const auto begin = tensor.begin() + static_cast<std::ptrdiff_t>((head * length + from) * width);
    rows.insert(rows.end(), begin, begin + static_cast<std::ptrdiff_t>(count * width));
  }
  return rows;
}

KvCacheSettings settingsOf(const Shape& shape) {
  KvCacheSettings settings;
  settings.batch = shape.batch;
  settings.kvHeads = shape.kvHeads;
  settings.keyDim = shape.keyDim;
  settings.valueDim = shape.valueDim;
  return settings;
}

/// Appends keys and values [from, from + count) of a call.
Status append(KvCache& cache, const Call& call, std::size_t from, std::size_t count) {
  const std::size_t heads = call.shape.batch * call.shape.kvHeads;
  const auto key = rowsOf(call.key, heads, call.shape.keyDim, from, count);
  const auto value = rowsOf(call.value, heads, call.shape.valueDim, from, count);
  return cache.append(key.data(), value.data(), count);
}

/// All outputs of `attend` with the queries of a call.
test::Result<float> attend(const KvCache& cache, const Call& call) {
  const Shape shape = cache.shape(call.shape.queryHeads, call.shape.queries);
  const std::size_t rows = shape.batch * shape.queryHeads * shape.queries;
  constexpr float kUnwritten = 12345.0F;
  test::Result<float> result;
  result.output.assign(rows * shape.valueDim, kUnwritten);
  result.weights.assign(rows * shape.keys, kUnwritten);
  result.scores.assign(rows * shape.keys, kUnwritten);
  result.logSumExp.assign(rows, kUnwritten);
  Arena arena;
  result.report = cache.attend(
      shape, call.query.data(), {call.bias.empty() ? nullptr : call.bias.data(), call.biasStrides}, call.options,
      {result.output.data(), result.weights.data(), result.scores.data(), result.logSumExp.data()}, arena);
  if (result.report.status == Status::ok && shape.hasRows()) {
    CHECK(arena.capacity() == cache.attendWorkingBytes(shape, call.options));
  }
  return result;
}

double largestOf(const std::vector<float>& numbers) {
  double largest = 1;
  for (const float x : numbers) {
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(double{x}));
  }
  return largest;
}

template <class T>
void checkClose(const char* name, const std::vector<float>& got, const std::vector<T>& want, double tolerance) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto a = static_cast<double>(got[i]);
    const auto b = static_cast<double>(want[i]);
    const bool agree = std::isnan(b) ? std::isnan(a) : a == b || std::fabs(a - b) <= tolerance;
    if (!agree) {
      INFO(name << " " << i);
      CHECK(a == b);
      return;
    }
  }
}

/// `call.options` hold for both, and the window of the cache for the call as well.
void checkAgainstAttention(const KvCache& cache, const Call& call) {
  INFO(call.describe() << ", held from " << cache.firstKey());
  const auto got = attend(cache, call);
  REQUIRE(got.report.status == Status::ok);
  Options options = call.options;
  if (cache.settings().window) options.mask.window = cache.settings().window;
  const std::size_t rows = got.logSumExp.size();
  test::Result<double> want;
  want.output.resize(rows * call.shape.valueDim);
  want.weights.resize(rows * call.shape.keys);
  want.scores.resize(rows * call.shape.keys);
  want.logSumExp.resize(rows);
  const std::vector<double> q(call.query.begin(), call.query.end());
  const std::vector<double> k(call.key.begin(), call.key.end());
  const std::vector<double> v(call.value.begin(), call.value.end());
  const std::vector<double> bias(call.bias.begin(), call.bias.end());
  Arena arena;
  REQUIRE(reference::attention(
              call.shape, {q.data(), k.data(), v.data(), {bias.empty() ? nullptr : bias.data(), call.biasStrides}},
              options, {want.output.data(), want.weights.data(), want.scores.data(), want.logSumExp.data()},
              arena) == Status::ok);
  checkClose("output", got.output, want.output, 1e-6 * largestOf(call.value));
  checkClose("weights", got.weights, want.weights, 1e-6);
  checkClose("scores", got.scores, want.scores, 1e-7 * largestOf(got.scores));
  checkClose("logSumExp", got.logSumExp, want.logSumExp, 4e-6 * largestOf(got.logSumExp));
}

void fill(Call& call, Random& random) {
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value);
}

Shape randomShape(Random& random, std::size_t most) {
  const std::vector<std::size_t> widths{1, 3, 4, 7, 8, 9, 16, 17, 40, 64};
  Shape shape;
  shape.batch = random.between(1, 2);
  shape.kvHeads = random.between(1, 3);
  shape.queryHeads = shape.kvHeads * random.between(1, 5);
  shape.keys = random.between(1, most);
  shape.queries = shape.keys;
  shape.keyDim = random.oneOf(widths);
  shape.valueDim = random.oneOf(widths);
  return shape;
}

/// Single tokens mostly, or chunks of any size.
std::size_t randomChunk(Random& random, std::size_t rest) {
  return std::min(rest, random.chance(0.4) ? 1 : random.between(1, random.chance(0.5) ? 10 : 150));
}

}  // namespace

TEST_CASE("any chunking gives what one causal pass gives, with and without a window, for any grouping of heads") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Call whole(randomShape(random, 300));
    const Shape& shape = whole.shape;
    fill(whole, random);
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
    checkClose("output", outputs, whole.run().output, 1e-6 * largestOf(whole.value));
  }
}

TEST_CASE("attend equals the reference, whatever the masks and options, NaN and infinity where they are masked") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Random random(1000 + seed);
    Shape shape = randomShape(random, 200);
    shape.queries = random.chance(0.5) ? 1 : random.between(0, 40);
    Call call(shape);
    fill(call, random);
    if (random.chance(0.2)) random.fillNormal(call.query, 100);
    KvCacheSettings settings = settingsOf(shape);
    const std::size_t lastChunk = random.between(1, shape.keys);
    MaskOptions& mask = call.options.mask;
    mask.causal = random.chance(0.5);
    if (random.chance(0.5)) {
      settings.window = Window{random.between(0, 60), random.chance(0.3) ? Window::kUnbounded : random.between(0, 60)};
      // From the position of the last append on.
      mask.queryOffset = static_cast<std::int64_t>(shape.keys - lastChunk + random.between(0, 5));
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
    auto cache = KvCache::create(settings);
    REQUIRE(cache != nullptr);
    REQUIRE(append(*cache, call, 0, shape.keys - lastChunk) == Status::ok);
    REQUIRE(append(*cache, call, shape.keys - lastChunk, lastChunk) == Status::ok);
    checkAgainstAttention(*cache, call);
  }
}

TEST_CASE("with a window, memory stays constant over 10,000 appends, and the numbers stay right") {
  KvCacheSettings settings;
  settings.keyDim = 4;
  settings.valueDim = 4;
  settings.window = Window{99, 0};
  auto cache = KvCache::create(settings);
  Call call(Call::oneHead(1, 10'000, 4, 4));
  Random random(2);
  fill(call, random);
  std::uint64_t most = 0;
  std::uint64_t mostScratch = 0;
  for (std::size_t t = 0; t < 10'000; ++t) {
    REQUIRE(append(*cache, call, t, 1) == Status::ok);
    most = std::max(most, cache->bytes());
    mostScratch = std::max(mostScratch, cache->attendWorkingBytes(cache->shape(1, 1), {}));
  }
  CHECK(cache->length() == 10'000);
  CHECK(most <= (99 + 1 + 64) * 8 * sizeof(float));
  CHECK(mostScratch < 10'000);
  checkAgainstAttention(*cache, call);
}

TEST_CASE("forks share their prefix, and no one sees what another appends") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Shape shape = randomShape(random, 200);
    shape.queries = 1;
    Call mine(shape);
    fill(mine, random);
    Call theirs(shape);
    theirs.key = mine.key;
    theirs.value = mine.value;
    theirs.query = mine.query;
    const std::size_t prefix = random.between(0, shape.keys - 1);
    const std::size_t heads = shape.batch * shape.kvHeads;
    for (std::size_t head = 0; head < heads; ++head) {
      for (std::size_t j = prefix; j < shape.keys; ++j) {
        for (std::size_t c = 0; c < shape.keyDim; ++c) theirs.key[(head * shape.keys + j) * shape.keyDim + c] = 7;
        for (std::size_t c = 0; c < shape.valueDim; ++c) theirs.value[(head * shape.keys + j) * shape.valueDim + c] = 9;
      }
    }
    auto cache = KvCache::create(settingsOf(shape));
    REQUIRE(append(*cache, mine, 0, prefix) == Status::ok);
    CHECK(cache->sharedBytes() == 0);
    auto fork = cache->fork();
    REQUIRE(fork != nullptr);
    CHECK(fork->length() == prefix);
    CHECK(cache->sharedBytes() == cache->bytes());
    CHECK(fork->sharedBytes() == fork->bytes());

    for (std::size_t from = prefix; from < shape.keys;) {
      const std::size_t count = randomChunk(random, shape.keys - from);
      REQUIRE(append(*cache, mine, from, count) == Status::ok);
      REQUIRE(append(*fork, theirs, from, count) == Status::ok);
      from += count;
    }
    // The full pages of the prefix are still shared, the last one was copied by whoever wrote first.
    const std::uint64_t keyBytes = heads * (shape.keyDim + shape.valueDim) * sizeof(float);
    CHECK(cache->sharedBytes() == prefix / 64 * 64 * keyBytes);
    checkAgainstAttention(*cache, mine);
    checkAgainstAttention(*fork, theirs);

    cache.reset();
    CHECK(fork->sharedBytes() == 0);
    checkAgainstAttention(*fork, theirs);
  }
}

TEST_CASE("bytes are those of the keys and values of the key/value heads") {
  KvCacheSettings settings;
  settings.kvHeads = 2;
  settings.keyDim = 4;
  settings.valueDim = 4;
  const std::vector<float> numbers(2 * 10 * 4, 1.0F);
  auto cache = KvCache::create(settings);
  CHECK(cache->bytes() == 0);
  REQUIRE(cache->append(numbers.data(), numbers.data(), 10) == Status::ok);
  CHECK(cache->bytes() == 640);
  settings.type = KvType::f16;
  auto half = KvCache::create(settings);
  REQUIRE(half->append(numbers.data(), numbers.data(), 10) == Status::ok);
  CHECK(half->bytes() == 320);
}

TEST_CASE("f16 computes with the nearest halves") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Shape shape = randomShape(random, 300);
    shape.queries = random.chance(0.5) ? 1 : random.between(1, 100);
    Call call(shape);
    fill(call, random);
    call.key[0] = 1e-6F;  // subnormal
    call.value[0] = -3e-8F;
    if (random.chance(0.3)) call.value.back() = kInfinity;
    KvCacheSettings settings = settingsOf(shape);
    settings.type = KvType::f16;
    auto cache = KvCache::create(settings);
    const std::size_t first = random.between(0, shape.keys);
    REQUIRE(append(*cache, call, 0, first) == Status::ok);
    REQUIRE(append(*cache, call, first, shape.keys - first) == Status::ok);
    for (float& x : call.key) x = fromHalf(toHalf(double{x}));
    for (float& x : call.value) x = fromHalf(toHalf(double{x}));
    checkAgainstAttention(*cache, call);
  }
}

TEST_CASE("f16 is as near to f32 as rounding to halves can be") {
  Call call(Call::oneHead(1, 500, 64, 64));
  Random random(5);
  fill(call, random);
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
  checkClose("output", b.output, a.output, tolerance);
  CHECK(b.output != a.output);
}

TEST_CASE("capacity is a limit, reserved at once") {
  for (const bool sliding : {false, true}) {
    Call call(Call::oneHead(1, 400, 3, 5));
    Random random(6);
    fill(call, random);
    KvCacheSettings settings = settingsOf(call.shape);
    settings.capacity = 100;
    if (sliding) settings.window = Window{49, 0};
    auto cache = KvCache::create(settings);
    REQUIRE(append(*cache, call, 0, 90) == Status::ok);
    CHECK(append(*cache, call, 90, sliding ? 52 : 11) == Status::tooLarge);
    CHECK(cache->length() == 90);
    CHECK(cache->fits(sliding ? 51 : 10));
    REQUIRE(append(*cache, call, 90, 10) == Status::ok);
    CHECK(cache->fits(1) == sliding);
    if (!sliding) continue;
    for (std::size_t from = 100; from < 400; from += 50) REQUIRE(append(*cache, call, from, 50) == Status::ok);
    checkAgainstAttention(*cache, call);
  }
}

TEST_CASE("what cannot be had leaves the cache as it was") {
  KvCacheSettings settings;
  settings.keyDim = std::numeric_limits<std::size_t>::max() / 256;
  CHECK(KvCache::create(settings) == nullptr);
  settings.keyDim = std::numeric_limits<std::ptrdiff_t>::max() / 512;  // a page could exist, but nowhere here
  auto cache = KvCache::create(settings);
  REQUIRE(cache != nullptr);
  const float number = 1;
  CHECK(cache->append(&number, &number, 1) == Status::outOfMemory);
  CHECK(cache->length() == 0);
  settings.keyDim = 1;
  settings.capacity = std::numeric_limits<std::size_t>::max() / 64;
  CHECK(KvCache::create(settings) == nullptr);
}

TEST_CASE("calls that are not of this cache are refused") {
  Call call(Call::oneHead(1, 300, 4, 4));
  KvCacheSettings settings = settingsOf(call.shape);
  settings.window = Window{9, 0};
  auto cache = KvCache::create(settings);
  REQUIRE(append(*cache, call, 0, 299) == Status::ok);
  REQUIRE(append(*cache, call, 299, 1) == Status::ok);
  const auto statusOf = [&](const Options& options, std::size_t keys = 300) {
    Shape shape = cache->shape(1, 1);
    shape.keys = keys;
    float output[4];
    Arena arena;
    return cache->attend(shape, call.query.data(), {}, options, {output}, arena).status;
  };
  CHECK(statusOf({}) == Status::ok);
  CHECK(statusOf({}, 299) == Status::invalidShape);
  Options options;
  options.mask.window = Window{3, 0};
  CHECK(statusOf(options) == Status::invalidOptions);
  options = {};
  options.emptyRows = EmptyRows::uniform;
  CHECK(statusOf(options) == Status::invalidOptions);
  CHECK(cache->firstKey() == 256);
  options = {};
  options.mask.queryOffset = 256 + 9;
  CHECK(statusOf(options) == Status::ok);
  options.mask.queryOffset = 256 + 8;
  CHECK(statusOf(options) == Status::invalidOptions);
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
