// What a cache keeps, shares, lets go and refuses.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <vector>

#include "attn/kv_cache.h"
#include "support/cache.h"
#include "support/call.h"
#include "support/random.h"

using namespace attn;
using namespace attn::test;

TEST_CASE("with a window, memory stays constant over 10,000 appends, and the numbers stay right") {
  KvCacheSettings settings;
  settings.keyDim = 4;
  settings.valueDim = 4;
  settings.window = Window{99, 0};
  auto cache = KvCache::create(settings);
  Call call(Call::oneHead(1, 10'000, 4, 4));
  Random random(2);
  fillNormal(call, random);
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
  checkAgainstReference(*cache, call);
}

TEST_CASE("forks share their prefix, and no one sees what another appends") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Shape shape = randomCacheShape(random, 200);
    shape.queries = 1;
    Call mine(shape);
    fillNormal(mine, random);
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
    checkAgainstReference(*cache, mine);
    checkAgainstReference(*fork, theirs);

    cache.reset();
    CHECK(fork->sharedBytes() == 0);
    checkAgainstReference(*fork, theirs);
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

TEST_CASE("capacity is a limit, reserved at once") {
  for (const bool sliding : {false, true}) {
    Call call(Call::oneHead(1, 400, 3, 5));
    Random random(6);
    fillNormal(call, random);
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
    checkAgainstReference(*cache, call);
  }
}

TEST_CASE("what cannot be had leaves the cache as it was") {
  KvCacheSettings settings;
  settings.keyDim = std::numeric_limits<std::size_t>::max() / 256;
  CHECK(KvCache::create(settings) == nullptr);
  settings.keyDim = (std::numeric_limits<std::ptrdiff_t>::max() - 4096) / 256;  // a page could exist, but nowhere here
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
  options.emptyRows = EmptyRows::uniform;
  CHECK(statusOf(options) == Status::invalidOptions);
  CHECK(cache->firstKey() == 256);
  options = {};
  options.mask.queryOffset = 256 + 9;
  CHECK(statusOf(options) == Status::ok);
  options.mask.queryOffset = 256 + 8;
  CHECK(statusOf(options) == Status::invalidOptions);
}
