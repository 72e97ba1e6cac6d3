// The kernel against the float64 reference over random shapes, masks, tiles and options.

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "support/call.h"
#include "support/random.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

Shape randomShape(Random& random) {
  const std::vector<std::size_t> lengths{0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 33, 64, 65, 100, 130, 200};
  const std::vector<std::size_t> widths{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 32, 40, 64, 65, 80};
  Shape shape;
  shape.batch = random.between(1, 2);
  shape.kvHeads = random.between(1, 3);
  shape.queryHeads = shape.kvHeads * random.between(1, 3);
  shape.queries = random.oneOf(lengths);
  shape.keys = random.oneOf(lengths);
  shape.keyDim = random.oneOf(widths);
  shape.valueDim = random.oneOf(widths);
  return shape;
}

std::array<std::size_t, 4> randomBroadcast(Random& random, const Shape& shape) {
  std::array<std::size_t, 4> sizes{shape.batch, shape.queryHeads, shape.queries, shape.keys};
  for (std::size_t& size : sizes) {
    if (random.chance(0.3)) size = 1;
  }
  return sizes;
}

std::size_t elements(const std::array<std::size_t, 4>& sizes) { return sizes[0] * sizes[1] * sizes[2] * sizes[3]; }

// Exactly as large as the tensor, so that a read beyond its end is one beyond the buffer's; but an
// empty one would be "not given".
std::size_t atLeastOne(std::size_t count) { return std::max<std::size_t>(count, 1); }

void setRandomMasks(Random& random, Call& call) {
  const Shape& shape = call.shape;
  MaskOptions& mask = call.options.mask;
  mask.causal = random.chance(0.4);
  if (random.chance(0.3)) {
    mask.queryOffset = static_cast<std::int64_t>(random.between(0, 40)) - 20;
  }
  if (random.chance(0.3)) {
    const auto reach = [&] { return random.chance(0.2) ? Window::kUnbounded : random.between(0, 40); };
    mask.window = Window{reach(), reach()};
  }
  if (random.chance(0.3)) {
    std::vector<std::uint32_t> lengths(shape.batch);
    for (auto& length : lengths) length = static_cast<std::uint32_t>(random.between(0, shape.keys + 3));
    call.setKeyLengths(std::move(lengths));
  }
  const double density = random.oneOf<double>({0.02, 0.5, 0.9, 1.0});
  if (random.chance(0.3)) {
    const bool perBatch = random.chance(0.5);
    call.setAllowKeys(random.flags(atLeastOne((perBatch ? shape.batch : 1) * shape.keys), density), perBatch);
  }
  if (random.chance(0.4)) {
    const auto sizes = randomBroadcast(random, shape);
    call.setAllow(random.flags(atLeastOne(elements(sizes)), density), sizes);
  }
  if (random.chance(0.3)) {
    const std::size_t rows = random.between(1, 40);
    const std::size_t columns = random.between(1, 40);
    const std::size_t count = (shape.queries / rows + 1) * (shape.keys / columns + 1);
    call.setBlocks(random.flags(count, 0.6), rows, columns);
  }
}

void setRandomOptions(Random& random, Call& call) {
  if (random.chance(0.3)) call.options.scale = random.oneOf<double>({0.0, 1.0, 0.25, -0.5});
  if (random.chance(0.2)) call.options.softcap = random.oneOf<double>({0.5, 5.0, 30.0});
  if (random.chance(0.3)) {
    const auto sizes = randomBroadcast(random, call.shape);
    std::vector<float> bias(atLeastOne(elements(sizes)));
    random.fillNormal(bias);
    if (random.chance(0.5)) {
      for (float& x : bias) x = random.chance(0.3) ? -std::numeric_limits<float>::infinity() : x;
    }
    call.setBias(std::move(bias), sizes);
  }
  call.options.emptyRows = random.oneOf<EmptyRows>({EmptyRows::zero, EmptyRows::nan, EmptyRows::uniform});
}

void randomiseTile(Random& random, Call& call) {
  const std::vector<std::size_t> sizes{0, 0, 1, 2, 3, 5, 8, 13, 16, 64, 127, 128, 1000};
  call.tile = {random.oneOf(sizes), random.oneOf(sizes)};
}

void randomise(Random& random, Call& call) {
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value, random.oneOf<float>({1e-3F, 1.0F, 1e3F}));
  setRandomMasks(random, call);
  setRandomOptions(random, call);
  randomiseTile(random, call);
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::ranges::equal(a, b, {}, std::bit_cast<std::uint32_t, float>, std::bit_cast<std::uint32_t, float>);
}

}  // namespace

TEST_CASE("attention equals the reference, whatever the shape, the masks and the tile") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Call call(randomShape(random));
    randomise(random, call);
    call.checkAgainstReference();
  }
}

TEST_CASE("parts of a call, in any order, give the bits of the whole") {
  for (std::uint64_t seed = 1000; seed < 1150; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Call call(randomShape(random));
    randomise(random, call);
    if (!call.query.empty() && random.chance(0.2)) call.query[0] = std::numeric_limits<float>::max();  // a careful row
    INFO(call.describe());

    std::vector<std::size_t> order(queryTiles(call.shape, call.tile));
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.between(0, i - 1)]);
    const auto whole = call.run();
    const auto parts = call.runInParts(order);

    CHECK(sameBits(parts.output, whole.output));
    CHECK(sameBits(parts.weights, whole.weights));
    CHECK(sameBits(parts.scores, whole.scores));
    CHECK(sameBits(parts.logSumExp, whole.logSumExp));
    CHECK(parts.report.status == Status::ok);
    CHECK(parts.report.flops == whole.report.flops);
    CHECK(parts.report.tilesVisited == whole.report.tilesVisited);
    CHECK(parts.report.tilesSkipped == whole.report.tilesSkipped);
    CHECK(parts.report.carefulRows == whole.report.carefulRows);
    CHECK(parts.report.workingBytes == (order.empty() ? 0 : whole.report.workingBytes));
  }
}
