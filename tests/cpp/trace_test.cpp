// The trace of the online softmax: each step is the recurrence, and the last one gives the result.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "attn/attention.h"
#include "support/random_call.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Traced {
  TileSize tile;
  std::size_t queryTiles;
  std::size_t keyTiles;
  std::vector<std::uint8_t> visited;
  std::vector<double> max;
  std::vector<double> sum;
  std::vector<double> output;
  std::vector<float> result;
  Report report;
};

std::size_t tilesIn(std::size_t length, std::size_t size) { return (length + size - 1) / size; }

Traced traceOf(const Call& call) {
  const Shape& shape = call.shape;
  Traced t;
  t.tile = tileSize(shape, call.tile);
  t.queryTiles = tilesIn(shape.queries, t.tile.queries);
  t.keyTiles = tilesIn(shape.keys, t.tile.keys);
  const std::size_t heads = shape.batch * shape.queryHeads;
  const std::size_t steps = heads * shape.queries * t.keyTiles;
  t.visited.assign(heads * t.queryTiles * t.keyTiles, 2);
  t.max.assign(steps, 12345);
  t.sum.assign(steps, 12345);
  t.output.assign(steps * shape.valueDim, 12345);
  t.result.resize(heads * shape.queries * shape.valueDim);
  Arena arena;
  const Outputs outputs{
      t.result.data(), nullptr, nullptr, nullptr, {t.visited.data(), t.max.data(), t.sum.data(), t.output.data()}};
  t.report = attention(shape, call.inputs(), call.options, outputs, call.tile, arena);
  REQUIRE(t.report.status == Status::ok);
  return t;
}

bool near(double got, double want, double tolerance) {
  return got == want || std::fabs(got - want) <= tolerance || (std::isnan(got) && std::isnan(want));
}

/// The recurrence over exact scores, beside what was traced.
void checkTrace(const Call& call) {
  INFO(call.describe());
  const Shape& shape = call.shape;
  const Traced t = traceOf(call);
  const auto scores = call.referenceScores();
  const auto plain = call.run();
  CHECK(t.result == plain.output);
  CHECK(static_cast<std::uint64_t>(std::ranges::count(t.visited, 1)) == t.report.tilesVisited);
  CHECK(static_cast<std::uint64_t>(std::ranges::count(t.visited, 0)) == t.report.tilesSkipped);

  bool recurrence = true;
  bool replay = true;
  bool skipped = true;
  const std::size_t dv = shape.valueDim;
  for (std::size_t row = 0; row < shape.batch * shape.queryHeads * shape.queries; ++row) {
    const std::size_t head = row / shape.queries;
    const std::size_t kvHead = head / shape.queryHeads * shape.kvHeads + shape.kvHeadOf(head % shape.queryHeads);
    const float* const values = call.value.data() + kvHead * shape.keys * dv;
    double max = -kInfinity;
    double sum = 0;
    std::vector<double> output(dv);
    for (std::size_t tile = 0; tile < t.keyTiles; ++tile) {
      const std::size_t first = tile * t.tile.keys;
      const std::size_t last = std::min(shape.keys, first + t.tile.keys);
      double next = max;
      for (std::size_t j = first; j < last; ++j) next = std::max(next, scores[row * shape.keys + j]);
      bool anyVisible = false;
      const double decay = next == max ? 1 : std::exp(max - next);
      sum *= decay;
      for (double& x : output) x *= decay;
      max = next;
      for (std::size_t j = first; j < last; ++j) {
        const double score = scores[row * shape.keys + j];
        if (score == -kInfinity) continue;
        anyVisible = true;
        sum += std::exp(score - max);
        for (std::size_t c = 0; c < dv; ++c) output[c] += std::exp(score - max) * double{values[j * dv + c]};
      }
      const std::size_t step = row * t.keyTiles + tile;
      const std::size_t queryTile = head * t.queryTiles + row % shape.queries / t.tile.queries;
      skipped = skipped && (!anyVisible || t.visited[queryTile * t.keyTiles + tile] == 1);
      recurrence = recurrence && near(t.max[step], max, 1e-6 * std::max(1.0, std::fabs(max)));
      // Both are relative to a maximum that float32 has rounded.
      const double size = 4e-6 * std::max(1.0, std::fabs(max));
      recurrence = recurrence && near(t.sum[step], sum, size * sum);
      for (std::size_t c = 0; c < dv; ++c) {
        recurrence = recurrence && near(t.output[step * dv + c], output[c], 5 * size * sum);
      }
    }
    for (std::size_t c = 0; c < dv && t.keyTiles > 0; ++c) {
      const std::size_t step = (row + 1) * t.keyTiles - 1;
      const double result = t.sum[step] == 0 ? 0 : t.output[step * dv + c] / t.sum[step];
      replay = replay && near(double{t.result[row * dv + c]}, result, 1e-6 * std::max(1.0, std::fabs(result)));
    }
  }
  CHECK(recurrence);
  CHECK(replay);
  CHECK(skipped);
}

}  // namespace

TEST_CASE("the trace is the recurrence of the online softmax and ends in the result") {
  const std::vector<TileSize> tiles{{}, {1, 1}, {2, 3}, {4, 8}, {5, 7}, {16, 64}, {64, 2}};
  for (const TileSize& tile : tiles) {
    for (const int mask : {0, 1, 2, 3}) {
      Shape shape = Call::oneHead(21, 70, 6, 5);
      shape.queryHeads = 4;
      shape.kvHeads = 2;
      Call call(shape);
      Random random(8);
      random.fillNormal(call.query);
      random.fillNormal(call.key);
      random.fillNormal(call.value);
      call.tile = tile;
      call.options.mask.causal = mask == 1 || mask == 3;
      if (mask >= 2) call.options.mask.window = Window{9, 4};
      INFO("mask " << mask);
      checkTrace(call);
    }
  }
}

TEST_CASE("the trace holds for any masks, options and scorings") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Call call(test::randomShape(random));
    test::randomise(random, call);
    random.fillNormal(call.value);
    if (random.chance(0.5)) test::setRandomScoring(random, call, random.oneOf(test::kKinds));
    call.options.emptyRows = EmptyRows::zero;
    checkTrace(call);
  }
}

TEST_CASE("tiles that nothing is visible in are not visited and change nothing") {
  Call call(Call::oneHead(8, 8, 2, 1));
  Random random(9);
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value);
  call.tile = {2, 2};
  call.options.mask.causal = true;
  const Traced t = traceOf(call);
  CHECK(t.visited == std::vector<std::uint8_t>{1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1});
  for (std::size_t tile = 1; tile < 4; ++tile) {
    CHECK(t.max[tile] == t.max[0]);
    CHECK(t.sum[tile] == t.sum[0]);
    CHECK(t.output[tile] == t.output[0]);
  }
  call.options.mask = {};
  call.setAllowKeys(std::vector<std::uint8_t>(8, 0), false);
  const Traced none = traceOf(call);
  CHECK(std::ranges::count(none.visited, 1) == 0);
  CHECK(std::ranges::all_of(none.max, [](double max) { return max == -kInfinity; }));
  CHECK(std::ranges::all_of(none.sum, [](double sum) { return sum == 0; }));
}

TEST_CASE("rows that float32 cannot do are traced in float64") {
  Call call(Call::oneHead(2, 4, 1, 1));
  call.options.scale = 1;
  call.query = {1e20F, 1e-19F};
  call.key = {1e19F, 1e18F, 0, -1e19F};
  call.value = {1, 2, 3, 4};
  call.tile = {4, 2};
  const Traced t = traceOf(call);
  CHECK(t.report.carefulRows == 1);
  CHECK(t.max[0] == double{1e20F} * double{1e19F});
  CHECK(t.sum[0] == 1);
  CHECK(t.output[1] == 1);

  // NaN from the tile that holds it on
  call.query = {1, 1};
  call.key = {1, 2, std::numeric_limits<float>::quiet_NaN(), 1};
  const Traced broken = traceOf(call);
  CHECK(broken.max[0] == 2);
  CHECK(std::isfinite(broken.sum[0]));
  CHECK(std::isnan(broken.sum[1]));
  CHECK(std::isnan(broken.result[0]));
}

TEST_CASE("a step is what the largest score makes it, though the kernel counts from a smaller one") {
  // Sums relative to the first score are beyond float32 in step 8, and back within it after step 9.
  Call call(Call::oneHead(1, 10, 1, 1));
  call.options.scale = 1;
  call.query = {1};
  for (const auto& [j, score] : {std::pair{1, 3.9F}, std::pair{8, 3.9F}, std::pair{9, 9.0F}}) {
    call.key[static_cast<std::size_t>(j)] = score * std::numbers::ln2_v<float>;
  }
  call.value[1] = call.value[8] = 1.3e37F;
  call.tile = {1, 1};
  const Traced t = traceOf(call);
  CHECK(t.report.carefulRows == 0);
  CHECK(near(t.max[8], 3.9 * std::numbers::ln2, 1e-6));
  CHECK(near(t.output[8] / 2.6e37, 1, 1e-6));
}
