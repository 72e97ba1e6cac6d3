// Explanations, each checked by computing the changed call with the reference.

#include "attn/explain.h"

#include <algorithm>
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/random_call.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A call in float64.
struct WideCall {
  Call call;
  std::vector<double> query;
  std::vector<double> key;
  std::vector<double> value;
  std::vector<double> bias;

  WideCall(const Shape& shape, Random& random) : call(shape) {
    for (auto* const numbers : {&query, &key, &value}) {
      numbers->resize(numbers == &query ? call.query.size() : numbers == &key ? call.key.size() : call.value.size());
      for (double& x : *numbers) x = double{random.normal()};
    }
    test::setRandomMasks(random, call);
    test::setRandomOptions(random, call);
    bias.assign(call.bias.begin(), call.bias.end());
  }

  [[nodiscard]] reference::Inputs inputs() const {
    return {query.data(), key.data(), value.data(), {bias.empty() ? nullptr : bias.data(), call.biasStrides}};
  }

  [[nodiscard]] std::size_t rows() const { return call.shape.batch * call.shape.queryHeads * call.shape.queries; }

  [[nodiscard]] std::vector<double> output(const Options& options) const {
    std::vector<double> output(rows() * call.shape.valueDim);
    Arena arena;
    REQUIRE(reference::attention(call.shape, inputs(), options, {output.data()}, arena) == Status::ok);
    return output;
  }
};

Shape smallShape(Random& random) {
  Shape shape;
  shape.batch = random.between(1, 2);
  shape.kvHeads = random.between(1, 2);
  shape.queryHeads = shape.kvHeads * random.between(1, 2);
  shape.queries = random.between(1, 4);
  shape.keys = random.between(1, 6);
  shape.keyDim = random.between(1, 4);
  shape.valueDim = random.between(1, 4);
  return shape;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

TEST_CASE("leave-one-out is the same call with one cell masked") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const WideCall wide(smallShape(random), random);
    const Shape& shape = wide.call.shape;
    INFO(wide.call.describe());
    const auto [nk, dv] = std::array{shape.keys, shape.valueDim};
    std::vector<double> output(wide.rows() * dv, 12345);
    std::vector<double> without(wide.rows() * nk * dv, 12345);
    std::vector<double> difference(wide.rows() * nk, 12345);
    Arena arena;
    REQUIRE(explain::leaveOneOut(shape, wide.inputs(), wide.call.options,
                                 {output.data(), without.data(), difference.data()}, arena) == Status::ok);
    CHECK(arena.capacity() == explain::leaveOneOutWorkingBytes(shape, wide.call.options));
    const auto all = wide.output(wide.call.options);
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(same(output[i], all[i]));

    for (std::size_t cell = 0; cell < wide.rows() * nk; ++cell) {
      INFO("cell " << cell);
      // The mask of the call and this one cell.
      std::vector<std::uint8_t> allow(wide.rows() * nk, 1);
      const auto& given = wide.call.options.mask.allow;
      for (std::size_t other = 0; other < allow.size(); ++other) {
        const std::size_t row = other / nk;
        const std::size_t head = row / shape.queries;
        const bool allowed = given.data == nullptr || *given.at(head / shape.queryHeads, head % shape.queryHeads,
                                                                row % shape.queries, other % nk) != 0;
        allow[other] = static_cast<std::uint8_t>(allowed && other != cell);
      }
      Options options = wide.call.options;
      const std::size_t perHead = shape.queries * nk;
      options.mask.allow = {allow.data(), {shape.queryHeads * perHead, perHead, nk, 1}};
      const auto expected = wide.output(options);
      const std::size_t row = cell / nk;
      double sum = 0;
      for (std::size_t c = 0; c < dv; ++c) {
        const double x = expected[row * dv + c];
        if (!same(without[cell * dv + c], x)) CHECK(without[cell * dv + c] == Catch::Approx(x).epsilon(1e-13));
        sum += (x - all[row * dv + c]) * (x - all[row * dv + c]);
      }
      const bool nothing = std::isnan(sum) && difference[cell] == 0;  // a row of NaN that this key does not change
      if (!nothing && !same(difference[cell], std::sqrt(sum))) {
        CHECK(difference[cell] == Catch::Approx(std::sqrt(sum)).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("leaving out the only visible key leaves an empty row") {
  const double one = 1;
  const double value = 5;
  double without = 0;
  double difference = 0;
  Arena arena;
  Options options;
  const auto leave = [&] {
    REQUIRE(explain::leaveOneOut(Call::oneHead(1, 1, 1, 1), {&one, &one, &value}, options,
                                 {nullptr, &without, &difference}, arena) == Status::ok);
  };
  leave();
  CHECK(without == 0);
  CHECK(difference == 5);
  options.emptyRows = EmptyRows::nan;
  leave();
  CHECK(std::isnan(without));
}

TEST_CASE("a replaced value moves outputs by its weight and no weights") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    WideCall wide(smallShape(random), random);
    const Shape& shape = wide.call.shape;
    const auto [nk, dv] = std::array{shape.keys, shape.valueDim};
    const std::size_t key = random.between(0, nk - 1);
    std::vector<double> value(shape.batch * shape.kvHeads * dv);
    for (double& x : value) x = double{random.normal()};
    std::vector<double> output(wide.rows() * dv, 12345);
    std::vector<double> after(wide.rows() * dv, 12345);
    std::vector<double> difference(wide.rows(), 12345);
    Arena arena;
    REQUIRE(explain::replaceValue(shape, wide.inputs(), key, value.data(), wide.call.options,
                                  {output.data(), after.data(), difference.data()}, arena) == Status::ok);
    CHECK(arena.capacity() == explain::replaceValueWorkingBytes(shape, wide.call.options));
    const auto before = wide.output(wide.call.options);
    for (std::size_t head = 0; head < shape.batch * shape.kvHeads; ++head) {
      std::copy_n(&value[head * dv], dv, &wide.value[(head * nk + key) * dv]);
    }
    const auto expected = wide.output(wide.call.options);
    for (std::size_t r = 0; r < wide.rows(); ++r) {
      double sum = 0;
      for (std::size_t c = r * dv; c < (r + 1) * dv; ++c) {
        CHECK(same(output[c], before[c]));
        CHECK(same(after[c], expected[c]));
        sum += (after[c] - output[c]) * (after[c] - output[c]);
      }
      CHECK(same(difference[r], std::sqrt(sum)));
    }
  }
}

TEST_CASE("gradients with respect to weights and scores are those of the formula") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const WideCall wide(smallShape(random), random);
    const Shape& shape = wide.call.shape;
    const auto [nk, dv] = std::array{shape.keys, shape.valueDim};
    std::vector<double> direction(wide.rows() * dv);
    for (double& x : direction) x = double{random.normal()};
    std::vector<double> dQuery(wide.query.size());
    std::vector<double> dKey(wide.key.size());
    std::vector<double> dValue(wide.value.size());
    std::vector<double> dWeights(wide.rows() * nk, 12345);
    std::vector<double> dScores(wide.rows() * nk, 12345);
    Arena arena;
    REQUIRE(explain::gradient(shape, wide.inputs(), direction.data(), wide.call.options,
                              {{dQuery.data(), dKey.data(), dValue.data()}, dWeights.data(), dScores.data()},
                              arena) == Status::ok);
    std::vector<double> plain(dKey.size());
    REQUIRE(reference::attentionBackward(shape, wide.inputs(), direction.data(), wide.call.options,
                                         {dQuery.data(), plain.data(), dValue.data()}, arena) == Status::ok);
    CHECK(dKey == plain);

    std::vector<double> output(wide.rows() * dv);
    std::vector<double> weights(wide.rows() * nk);
    std::vector<double> scores(wide.rows() * nk);
    REQUIRE(reference::attention(shape, wide.inputs(), wide.call.options,
                                 {output.data(), weights.data(), scores.data()}, arena) == Status::ok);
    for (std::size_t cell = 0; cell < dWeights.size(); ++cell) {
      const std::size_t r = cell / nk;
      const std::size_t head = r / shape.queries;
      const std::size_t kvHead = head / shape.queryHeads * shape.kvHeads + shape.kvHeadOf(head % shape.queryHeads);
      double alongValue = 0;
      double alongOutput = 0;
      for (std::size_t c = 0; c < dv; ++c) {
        alongValue += direction[r * dv + c] * wide.value[(kvHead * nk + cell % nk) * dv + c];
        alongOutput += direction[r * dv + c] * output[r * dv + c];
      }
      const bool visible = scores[cell] != -std::numeric_limits<double>::infinity();
      CHECK(dWeights[cell] == Catch::Approx(visible ? alongValue : 0).margin(1e-12));
      CHECK(dScores[cell] == Catch::Approx(visible ? weights[cell] * (alongValue - alongOutput) : 0).margin(1e-12));
    }
  }
}

TEST_CASE("explanations of what cannot be computed are refused before anything is written") {
  double sentinel = 17;
  const double one = 1;
  Arena arena;
  Shape bad = Call::oneHead(1, 1, 1, 1);
  bad.queryHeads = 3;
  bad.kvHeads = 2;
  Options wrong;
  wrong.scale = kNaN;
  const Shape single = Call::oneHead(1, 1, 1, 1);
  const reference::Inputs inputs{&one, &one, &one};
  const explain::LeaveOneOutOutputs left{&sentinel, &sentinel, &sentinel};
  const explain::ReplaceValueOutputs replaced{&sentinel, &sentinel, &sentinel};
  const explain::GradientOutputs gradients{{&sentinel, &sentinel, &sentinel}, &sentinel, &sentinel};
  const auto statuses = [&](const Shape& shape, const Options& options) {
    return std::array{explain::leaveOneOut(shape, inputs, options, left, arena),
                      explain::replaceValue(shape, inputs, 0, &one, options, replaced, arena),
                      explain::gradient(shape, inputs, &one, options, gradients, arena)};
  };
  const auto all = [](Status status) { return std::array{status, status, status}; };
  CHECK(statuses(bad, {}) == all(Status::invalidShape));
  CHECK(statuses(single, wrong) == all(Status::invalidOptions));
  CHECK(statuses(Call::oneHead(1, std::numeric_limits<std::size_t>::max() / 20, 1, 1), {}) == all(Status::outOfMemory));
  CHECK(explain::replaceValue(single, inputs, 1, &one, {}, replaced, arena) == Status::invalidShape);
  CHECK(explain::leaveOneOut(Call::oneHead(1 << 20, 1 << 20, 1, 1 << 20), inputs, {}, left, arena) == Status::tooLarge);
  CHECK(sentinel == 17);
}
