// The kernel against the float64 reference over random shapes, masks, tiles and options.

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "support/call.h"
#include "support/random.h"
#include "support/random_call.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

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
