// What a call reads, writes, takes and reports.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "attn/attention.h"
#include "support/call.h"
#include "support/random.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

void randomise(Call& call, std::uint64_t seed) {
  Random random(seed);
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value);
}

std::vector<float> outputOf(const Call& call, Arena& arena) {
  std::vector<float> output(call.shape.batch * call.shape.queryHeads * call.shape.queries * call.shape.valueDim);
  const Report report = attention(call.shape, {call.query.data(), call.key.data(), call.value.data()}, call.options,
                                  {output.data()}, call.tile, arena);
  REQUIRE(report.status == Status::ok);
  return output;
}

}  // namespace

TEST_CASE("asking for weights, scores and logSumExp never changes the output") {
  for (const float size : {1.0F, 10.0F}) {
    Call call(Call::oneHead(70, 130, 20, 9));
    Random random(3);
    random.fillNormal(call.query, size);
    random.fillNormal(call.key);
    random.fillNormal(call.value);
    call.options.mask.causal = true;
    Arena arena;
    CHECK(sameBits(outputOf(call, arena), call.run().output));
  }
}

TEST_CASE("the same input gives the same bits, whatever the arena held before") {
  Call call(Call::oneHead(33, 77, 12, 7));
  randomise(call, 8);
  Arena arena;
  const auto first = outputOf(call, arena);

  Call other(Call::oneHead(50, 90, 30, 10));
  std::fill(other.value.begin(), other.value.end(), std::numeric_limits<float>::quiet_NaN());
  outputOf(other, arena);
  CHECK(sameBits(outputOf(call, arena), first));
}

TEST_CASE("weights sum to 1 and give the output") {
  Call call(Call::oneHead(20, 200, 16, 3));
  randomise(call, 9);
  const auto result = call.run();
  for (std::size_t i = 0; i < 20; ++i) {
    double sum = 0;
    double mixed = 0;
    for (std::size_t j = 0; j < 200; ++j) {
      sum += double{result.weights[i * 200 + j]};
      mixed += double{result.weights[i * 200 + j]} * double{call.value[j * 3]};
    }
    CHECK(std::abs(sum - 1) < 1e-6);
    CHECK(std::abs(mixed - double{result.output[i * 3]}) < 1e-6);
  }
}

TEST_CASE("the scratch is what was announced, and taken once") {
  Call call(Call::oneHead(100, 300, 24, 10));
  randomise(call, 10);
  call.options.mask.causal = true;
  Arena arena;
  outputOf(call, arena);
  CHECK(arena.capacity() == attentionWorkingBytes(call.shape, call.options, call.tile));
  CHECK(arena.used() == 0);
  CHECK(call.run().report.workingBytes == arena.capacity());
}

TEST_CASE("scratch grows with the lengths, not with their product") {
  const auto bytes = [](std::size_t length) {
    return attentionWorkingBytes(Call::oneHead(length, length, 64, 64), {}, {});
  };
  CHECK(bytes(65536) < 64'000'000);
  CHECK(bytes(65536) < 2 * bytes(32768));
  CHECK(attentionWorkingBytes(Call::oneHead(1, 1 << 20, 64, 64), {}, {}) >
        attentionWorkingBytes(Call::oneHead(1, 1 << 10, 64, 64), {}, {}));
  CHECK(attentionWorkingBytes(Call::oneHead(1 << 20, 8, 64, 64), {}, {}) < 1'000'000);
}

TEST_CASE("a caller may keep part of the arena while the call takes the rest") {
  Call call(Call::oneHead(5, 6, 3, 2));
  randomise(call, 12);
  Arena own;
  const auto expected = outputOf(call, own);
  Arena arena;
  const std::uint64_t scratch = attentionWorkingBytes(call.shape, call.options, call.tile);
  REQUIRE(arena.reserve(scratch + 64));
  const auto kept = arena.take<float>(16);
  std::fill(kept.begin(), kept.end(), 3.0F);
  CHECK(sameBits(outputOf(call, arena), expected));
  CHECK(kept[15] == 3.0F);
  CHECK(arena.used() == 64);
}

TEST_CASE("what cannot be computed is refused before anything is written") {
  float sentinel = 17;
  Arena arena;
  const auto status = [&](const Shape& shape, const Options& options, const Outputs& outputs) {
    const float number = 1;
    return attention(shape, {&number, &number, &number}, options, outputs, {}, arena).status;
  };
  const Outputs output{&sentinel};
  Shape bad = Call::oneHead(1, 1, 1, 1);
  bad.queryHeads = 3;
  bad.kvHeads = 2;
  CHECK(status(bad, {}, output) == Status::invalidShape);

  Options options;
  options.scale = std::numeric_limits<double>::quiet_NaN();
  CHECK(status(Call::oneHead(1, 1, 1, 1), options, output) == Status::invalidOptions);

  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  CHECK(status(Call::oneHead(kMost / 2, 1, 1, 1), {}, output) == Status::tooLarge);
  // Tensors that could exist, but with scratch no machine has.
  constexpr std::size_t kMany = kMost / 16;
  CHECK(status(Call::oneHead(1, kMany, 1, 1), {}, output) == Status::outOfMemory);
  CHECK(sentinel == 17);
  CHECK(status(Call::oneHead(1, 1, 1, 1), {}, output) == Status::ok);
  CHECK(sentinel == 1);
}

TEST_CASE("tiles outside the mask are skipped") {
  Call call(Call::oneHead(512, 512, 4, 4));
  randomise(call, 13);
  call.tile = {64, 64};
  CHECK(call.run().report.tilesVisited == 64);
  call.options.mask.causal = true;
  auto report = call.run().report;
  CHECK(report.tilesVisited == 36);
  CHECK(report.tilesSkipped == 28);
  CHECK(report.flops == std::uint64_t{36} * 2 * 64 * 64 * 8);
  call.options.mask.window = Window{63, 0};
  CHECK(call.run().report.tilesVisited == 15);
  call.options.mask = {};
  call.setKeyLengths({100});
  CHECK(call.run().report.tilesVisited == 16);
}

TEST_CASE("ordinary rows are not computed twice") {
  Call call(Call::oneHead(100, 100, 16, 16));
  randomise(call, 14);
  CHECK(call.run().report.carefulRows == 0);
}
