#include "attn/scores.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

using namespace attn;

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

std::vector<float> scoresOf(std::size_t queries, std::size_t keys, std::size_t dim, const std::vector<float>& query,
                            const std::vector<float>& key, const Options& options,
                            const std::vector<float>& bias = {}) {
  Shape shape;
  shape.queries = queries;
  shape.keys = keys;
  shape.keyDim = dim;
  std::vector<float> result(queries * keys);
  Arena arena;
  REQUIRE(scores(shape, {query.data(), key.data(), nullptr, {bias.empty() ? nullptr : bias.data(), {0, 0, 0, 1}}},
                 options, result.data(), arena) == Status::ok);
  return result;
}

}  // namespace

TEST_CASE("scores are scale · q·k, and the scale replaces 1/√d") {
  CHECK(scoresOf(1, 2, 2, {1, 0}, {1, 0, 0, 1}, {})[0] == Catch::Approx(0.70710678));
  Options options;
  options.scale = 1;
  CHECK(scoresOf(1, 2, 1, {800}, {1, -3}, options) == std::vector<float>{800, -2400});
  options.scale = 0;
  CHECK(scoresOf(1, 2, 1, {800}, {1, -3}, options) == std::vector<float>{0, 0});
}

TEST_CASE("softcap comes after the scale, bias after the softcap, masks last") {
  Options options;
  options.scale = 2;
  options.softcap = 5;
  const std::vector<float> bias{10, std::numeric_limits<float>::quiet_NaN()};
  options.mask.causal = true;
  options.mask.queryOffset = 0;
  const auto result = scoresOf(1, 2, 1, {3}, {1, 1}, options, bias);
  CHECK(result[0] == Catch::Approx(5 * std::tanh(6.0 / 5) + 10));
  CHECK(result[1] == kMinusInfinity);
}

TEST_CASE("a bias of −∞ forbids a key that holds NaN or ∞") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> bias{kMinusInfinity, kMinusInfinity, 1};
  CHECK(scoresOf(1, 3, 1, {2}, {kNaN, -kMinusInfinity, 3}, {}, bias) ==
        std::vector<float>{kMinusInfinity, kMinusInfinity, 7});
}

TEST_CASE("impossible options are refused") {
  Shape shape;
  shape.queries = shape.keys = 1;
  float score = 42;
  Arena arena;
  const float one = 1;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 0.0, -1.0}) {
    Options options;
    options.softcap = bad;
    CHECK(scores(shape, {&one, &one}, options, &score, arena) == Status::invalidOptions);
  }
  Options options;
  options.scale = std::numeric_limits<double>::infinity();
  CHECK(scores(shape, {&one, &one}, options, &score, arena) == Status::invalidOptions);
  CHECK(score == 42);
}
