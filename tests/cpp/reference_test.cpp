// The reference itself, against numbers that do not come from it.

#include "attn/reference.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "support/numpy_example.h"

using namespace attn;

TEST_CASE("the reference computes numpy's example to the last digits") {
  namespace example = test::numpy_example;
  Shape shape;
  shape.queries = shape.keys = 4;
  shape.keyDim = shape.valueDim = 8;
  Options options;
  options.mask.causal = true;
  std::vector<double> output(32);
  std::vector<double> weights(16);
  std::vector<double> scores(16);
  std::vector<double> logSumExp(4);
  Arena arena;
  REQUIRE(reference::attention(shape, {example::kQuery.data(), example::kKey.data(), example::kValue.data()}, options,
                               {output.data(), weights.data(), scores.data(), logSumExp.data()}, arena) == Status::ok);
  for (std::size_t i = 0; i < 32; ++i) CHECK(std::fabs(output[i] - example::kOutput[i]) < 1e-15);
  for (std::size_t i = 0; i < 16; ++i) CHECK(std::fabs(weights[i] - example::kWeights[i]) < 1e-15);
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK((scores[i] == example::kScores[i] || std::fabs(scores[i] - example::kScores[i]) < 1e-15));
  }
  CHECK(std::fabs(logSumExp[0] - example::kScores[0]) < 1e-15);
  CHECK(arena.capacity() == reference::workingBytes(shape, {}));
}

TEST_CASE("the reference needs float64: 1e-12 beside 1") {
  Shape shape;
  shape.queries = shape.keys = 1;
  const double query = 1;
  const double key = 1 + 1e-12;
  const double value = 1 - 1e-12;
  double output = 0;
  double score = 0;
  Arena arena;
  REQUIRE(reference::attention(shape, {&query, &key, &value}, {}, {&output, nullptr, &score}, arena) == Status::ok);
  CHECK(output == value);
  CHECK(score == key);
}

TEST_CASE("the reference adds its bias in float64") {
  Shape shape;
  shape.queries = shape.keys = 1;
  const double one = 1;
  const double bias = 0.1;
  double output = 0;
  double score = 0;
  Arena arena;
  Options options;
  options.scale = 0;
  REQUIRE(reference::attention(shape, {&one, &one, &one, {&bias}}, options, {&output, nullptr, &score}, arena) ==
          Status::ok);
  CHECK(score == bias);
}
