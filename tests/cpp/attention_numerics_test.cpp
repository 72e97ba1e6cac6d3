// Numbers at the edges: huge, tiny, infinite and NaN.

#include <algorithm>
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "support/call.h"
#include "support/random.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kHuge = 3e38F;

void randomise(Call& call, std::uint64_t seed) {
  Random random(seed);
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value);
}

bool allNaN(const std::vector<float>& numbers, std::size_t from, std::size_t count) {
  bool all = true;
  for (std::size_t i = from; i < from + count; ++i) all = all && std::isnan(numbers[i]);
  return all;
}

bool anyNaN(const std::vector<float>& numbers, std::size_t from, std::size_t count) {
  bool any = false;
  for (std::size_t i = from; i < from + count; ++i) any = any || std::isnan(numbers[i]);
  return any;
}

/// For keys of width 1: the scores of every query.
void setScores(Call& call, std::vector<float> scores) {
  call.options.scale = 1;
  std::fill(call.query.begin(), call.query.end(), 1.0F);
  call.key = std::move(scores);
}

}  // namespace

TEST_CASE("A11 large scores do not overflow") {
  Call call(Call::oneHead(1, 3, 1, 1));
  setScores(call, {800, 0, 0});
  call.value = {1, 2, 4};
  CHECK(call.run().weights == std::vector<float>{1, 0, 0});
  call.checkAgainstReference();

  for (const float score : {1e30F, -1e30F, 3e38F, -3e38F}) {
    setScores(call, {score, score, score});
    CHECK(call.run().weights == std::vector<float>(3, 1.0F / 3));
    call.checkAgainstReference();
  }
}

TEST_CASE("F03 small weights are neither 0 nor far off") {
  Call call(Call::oneHead(1, 2, 1, 1));
  setScores(call, {-5.204F, 7.8325F});
  CHECK(call.run().weights[0] == Catch::Approx(2.1793e-6).epsilon(1e-4));
  call.checkAgainstReference();
}

TEST_CASE("F03 weights down to 87 below the maximum keep their size") {
  Call call(Call::oneHead(1, 88, 1, 1));
  std::vector<float> scores(88);
  for (std::size_t j = 0; j < 88; ++j) scores[j] = -static_cast<float>(j);
  setScores(call, scores);
  const auto weights = call.run().weights;
  const auto expected = call.reference().weights;
  for (std::size_t j = 0; j < 87; ++j) CHECK(weights[j] == Catch::Approx(expected[j]).epsilon(1e-5));
  call.checkAgainstReference();
}

TEST_CASE("a weight that underflows is exactly 0") {
  Call call(Call::oneHead(1, 2, 1, 1));
  setScores(call, {0, -200});
  call.value = {1, 1e30F};
  const auto result = call.run();
  CHECK(result.weights == std::vector<float>{1, 0});
  CHECK(result.output[0] == 1);
}

TEST_CASE("A13 a score of +∞ makes its row NaN and no other") {
  Call call(Call::oneHead(3, 2, 1, 2));
  setScores(call, {1, 2});
  call.value = {1, 2, 3, 4};
  call.setBias({0, 0, 0, kInfinity, 0, 0}, {1, 1, 3, 2});
  const auto result = call.run();
  CHECK(allNaN(result.output, 2, 2));
  CHECK(allNaN(result.weights, 2, 2));
  CHECK(std::isnan(result.logSumExp[1]));
  CHECK_FALSE(anyNaN(result.output, 0, 2));
  CHECK_FALSE(anyNaN(result.output, 4, 2));
  call.checkAgainstReference();
}

TEST_CASE("F08 a NaN score is noticed whichever lane and row it is in, and stays in its row") {
  constexpr std::size_t kQueries = 9;
  constexpr std::size_t kKeys = 19;
  for (const bool causal : {false, true}) {
    for (std::size_t i = 0; i < kQueries; ++i) {
      for (std::size_t j = 0; j < kKeys; ++j) {
        Call call(Call::oneHead(kQueries, kKeys, 4, 3));
        randomise(call, 5);
        call.options.mask.causal = causal;
        std::vector<float> bias(kQueries * kKeys);
        bias[i * kKeys + j] = kNaN;
        call.setBias(std::move(bias), {1, 1, kQueries, kKeys});
        const auto result = call.run();
        const bool visible = !causal || j <= i + kKeys - kQueries;
        for (std::size_t row = 0; row < kQueries; ++row) {
          INFO("NaN at " << i << ", " << j << "; row " << row);
          CHECK(allNaN(result.output, row * 3, 3) == (row == i && visible));
          CHECK(anyNaN(result.output, row * 3, 3) == (row == i && visible));
        }
      }
    }
  }
}

TEST_CASE("a row of large scores keeps its digits beside any mix of small ones and NaN") {
  for (std::size_t mix = 0; mix < 81; ++mix) {
    INFO("mix " << mix);
    Call call(Call::oneHead(4, 40, 8, 4));
    randomise(call, 17);
    std::vector<float> bias(std::size_t{4} * 40);
    std::size_t digits = mix;
    for (std::size_t row = 0; row < 4; ++row, digits /= 3) {
      std::fill_n(&bias[row * 40], 40, std::array{0.0F, 2500.0F, kNaN}[digits % 3]);
    }
    call.setBias(std::move(bias), {1, 1, 4, 40});
    call.checkAgainstReference();
  }
}

TEST_CASE("a NaN in a query makes that row NaN; one in a key, the rows that see it") {
  Call call(Call::oneHead(10, 10, 8, 4));
  randomise(call, 6);
  call.query[3 * 8 + 5] = kNaN;
  auto result = call.run();
  for (std::size_t row = 0; row < 10; ++row) CHECK(anyNaN(result.output, row * 4, 4) == (row == 3));
  call.checkAgainstReference();

  randomise(call, 6);
  call.options.mask.causal = true;
  call.key[std::size_t{7} * 8] = kNaN;
  result = call.run();
  for (std::size_t row = 0; row < 10; ++row) CHECK(allNaN(result.output, row * 4, 4) == (row >= 7));
  for (std::size_t row = 0; row < 10; ++row) CHECK(anyNaN(result.output, row * 4, 4) == (row >= 7));
  call.checkAgainstReference();
}

TEST_CASE("masked keys and values have no influence, whatever they hold") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::size_t queries = random.between(1, 40);
    const std::size_t keys = random.between(1, 90);
    const std::size_t keyDim = random.between(1, 20);
    Call call(Call::oneHead(queries, keys, keyDim, random.between(1, 20)));
    randomise(call, seed);
    auto flags = random.flags(keys, 0.6);
    call.setAllowKeys(flags, false);
    call.options.mask.causal = random.chance(0.5);
    const auto clean = call.run();
    for (std::size_t j = 0; j < keys; ++j) {
      if (flags[j] != 0) continue;
      const float poison = random.oneOf<float>({kNaN, kInfinity, -kInfinity, kHuge, -kHuge});
      std::fill_n(&call.key[j * call.shape.keyDim], call.shape.keyDim, poison);
      std::fill_n(&call.value[j * call.shape.valueDim], call.shape.valueDim, poison);
    }
    const auto poisoned = call.run();
    // A row that was in doubt is computed again in float64, so equal to within rounding.
    for (std::size_t i = 0; i < clean.output.size(); ++i) {
      CHECK(std::fabs(clean.output[i] - poisoned.output[i]) <= 4e-6F);
    }
    call.checkAgainstReference();
  }
}

TEST_CASE("a bias of −∞ forbids, NaN and ∞ in the forbidden value included") {
  Call call(Call::oneHead(2, 3, 1, 1));
  call.value = {5, kNaN, 7};
  call.setBias({0, -kInfinity, 0}, {1, 1, 1, 3});
  const auto result = call.run();
  CHECK(result.output == std::vector<float>{6, 6});
  CHECK(result.weights == std::vector<float>{0.5F, 0, 0.5F, 0.5F, 0, 0.5F});
  call.checkAgainstReference();
}

TEST_CASE("a key or value that a bias of −∞ forbids has no influence, whatever it holds") {
  for (const float poison : {kNaN, kInfinity, -kInfinity, kHuge, -kHuge}) {
    for (const std::size_t keys : {std::size_t{1}, std::size_t{3}, std::size_t{70}}) {
      for (const bool capped : {false, true}) {
        INFO("poison " << poison << ", keys " << keys << ", capped " << capped);
        Call call(Call::oneHead(6, keys, 5, 4));
        randomise(call, 15);
        if (capped) call.options.softcap = 5;
        std::vector<float> bias(keys);
        for (std::size_t j = 0; j < keys; j += 2) bias[j] = -kInfinity;
        call.setBias(bias, {1, 1, 1, keys});
        const auto clean = call.run();
        for (std::size_t j = 0; j < keys; j += 2) {
          std::fill_n(&call.key[j * 5], 5, poison);
          std::fill_n(&call.value[j * 4], 4, poison);
        }
        const auto poisoned = call.run();
        CHECK(poisoned.scores == clean.scores);
        // A row that was in doubt is computed again in float64, so equal to within rounding.
        for (std::size_t i = 0; i < clean.output.size(); ++i) {
          CHECK(std::fabs(clean.output[i] - poisoned.output[i]) <= 4e-6F);
        }
        call.checkAgainstReference();
      }
    }
  }
}

TEST_CASE("a forbidden key that is not a number does not send its rows to float64") {
  Call call(Call::oneHead(20, 40, 8, 4));
  randomise(call, 16);
  std::vector<float> bias(40);
  bias[7] = -kInfinity;
  call.setBias(bias, {1, 1, 1, 40});
  call.key[std::size_t{7} * 8] = kNaN;
  CHECK(call.run().report.carefulRows == 0);
}

TEST_CASE("rows without a visible key follow the policy") {
  for (const bool byBias : {false, true}) {
    Call call(Call::oneHead(2, 4, 1, 2));
    call.value = {1, 10, 2, 20, 3, 30, kNaN, kNaN};
    call.setKeyLengths({3});
    if (byBias) {
      call.setBias({0, 0, 0, 0, -kInfinity, -kInfinity, -kInfinity, -kInfinity}, {1, 1, 2, 4});
    } else {
      call.setAllow({1, 1, 1, 1, 0, 0, 0, 0}, {1, 1, 2, 4});
    }
    INFO("by bias " << byBias);

    call.options.emptyRows = EmptyRows::zero;
    auto result = call.run();
    CHECK(result.output == std::vector<float>{2, 20, 0, 0});
    CHECK(result.logSumExp[1] == -kInfinity);
    call.checkAgainstReference();

    call.options.emptyRows = EmptyRows::nan;
    result = call.run();
    CHECK(result.output[0] == 2);
    CHECK(allNaN(result.output, 2, 2));
    CHECK(allNaN(result.weights, 4, 4));
    CHECK(std::isnan(result.logSumExp[1]));
    call.checkAgainstReference();

    call.options.emptyRows = EmptyRows::uniform;
    result = call.run();
    CHECK(result.output == std::vector<float>{2, 20, 2, 20});
    CHECK(result.weights[4] == 1.0F / 3);
    CHECK(result.weights[7] == 0);
    CHECK(result.logSumExp[1] == -kInfinity);
    call.checkAgainstReference();
  }
}

TEST_CASE("if all scores fit float32 the answer is finite, though sums on the way do not") {
  Call call(Call::oneHead(1, 2, 4, 1));
  call.options.scale = 1;
  call.value = {1, 3};
  // −3e38 − 3e38 + 3e38 + 3e38 = 0, by way of −∞
  call.query = {1, 1, 1, 1};
  call.key = {-kHuge, -kHuge, kHuge, kHuge, 0, 0, 0, 0};
  CHECK(call.run().output[0] == 2);
  call.checkAgainstReference();

  // q·k beyond float32, scale·q·k = 1
  call.options.scale = 1e-60;
  call.query = {1e30F, 0, 0, 0};
  call.key = {1e30F, 0, 0, 0, 0, 0, 0, 0};
  CHECK(call.run().weights[0] == Catch::Approx(1 / (1 + std::exp(-1.0))));
  call.checkAgainstReference();

  // a scale that makes the query subnormal
  call.options.scale = 1e-38;
  call.query = {1, 0, 0, 0};
  call.key = {1e38F, 0, 0, 0, 0, 0, 0, 0};
  call.checkAgainstReference();

  // values whose sum overflows, but not their mean
  call.options.scale = 1;
  call.query = {0, 0, 0, 0};
  call.value = {kHuge, kHuge};
  CHECK(call.run().output[0] == kHuge);
}

TEST_CASE("values that are not numbers show where their weight is not 0, and only in their column") {
  Call call(Call::oneHead(1, 2, 1, 3));
  call.value = {1, kInfinity, kNaN, 3, 5, 7};
  const auto result = call.run();
  CHECK(result.output[0] == 2);
  CHECK(result.output[1] == kInfinity);
  CHECK(std::isnan(result.output[2]));
  CHECK(result.weights == std::vector<float>{0.5F, 0.5F});
}

TEST_CASE("large scores that compete keep six digits") {
  for (const float size : {3.0F, 10.0F, 100.0F, 1000.0F}) {
    INFO("queries " << size << " times as long");
    Call call(Call::oneHead(50, 150, 64, 8));
    Random random(77);
    random.fillNormal(call.query, size);
    random.fillNormal(call.key);
    random.fillNormal(call.value);
    call.checkAgainstReference();
  }
  // Scores of ±1e6 that differ by little
  Call call(Call::oneHead(1, 3, 2, 1));
  call.options.scale = 1;
  call.query = {1000, 1};
  call.key = {1000, 0.25F, 1000, 0.75F, 999.999F, 1};
  call.value = {1, 2, 3};
  call.checkAgainstReference();
}

TEST_CASE("scores of any size compete as their differences say") {
  for (const float size : {10.0F, 1e3F, 1e4F, 3e4F, 1e5F, 3e5F, 1e6F, 1e8F, 1e12F}) {
    INFO("scores about " << size * size);
    Call call(Call::oneHead(3, 200, 2, 4));
    call.options.scale = 1;
    Random random(21);
    random.fillNormal(call.value);
    for (std::size_t i = 0; i < 3; ++i) {
      call.query[2 * i] = size;
      call.query[2 * i + 1] = 1;
    }
    for (std::size_t j = 0; j < 200; ++j) {
      call.key[2 * j] = size;
      call.key[2 * j + 1] = 700 * random.normal();
    }
    call.checkAgainstReference();
  }
}

TEST_CASE("sums over many keys do not drift") {
  for (const std::size_t keys : {std::size_t{1000}, std::size_t{65536}}) {
    INFO(keys << " keys");
    Call call(Call::oneHead(1, keys, 1, 2));
    for (std::size_t j = 0; j < keys; ++j) {
      call.value[2 * j] = 0.1F;
      call.value[2 * j + 1] = 0.7F;
    }
    const auto result = call.run();
    CHECK(std::fabs(result.output[0] - 0.1F) <= 1e-6F * 0.1F);
    CHECK(std::fabs(result.output[1] - 0.7F) <= 1e-6F * 0.7F);
  }
}

TEST_CASE("equal values are their own mean, for any number of rows and scores that rise within the slack") {
  Random random(11);
  for (const std::size_t keys : {std::size_t{64}, std::size_t{128}, std::size_t{512}, std::size_t{575}}) {
    for (const float rise : {0.0F, 2.0F, 3.7F, 3.99F, 4.01F}) {
      Call call(Call::oneHead(7, keys, 1, 500));
      call.options.scale = 1;
      std::ranges::fill(call.query, 1.0F);
      for (std::size_t j = 64; j < keys; ++j) call.key[j] = rise * std::numbers::ln2_v<float>;
      std::vector<float> constants(500);
      for (float& x : constants) x = static_cast<float>(1 + random.uniform());
      for (std::size_t j = 0; j < keys; ++j) std::ranges::copy(constants, &call.value[j * 500]);
      const auto result = call.run();
      float worst = 0;
      for (std::size_t c = 0; c < result.output.size(); ++c) {
        worst = std::max(worst, std::fabs(result.output[c] / constants[c % 500] - 1));
      }
      INFO(keys << " keys, the scores of all but 64 higher by " << rise);
      CHECK(worst <= 1e-6F);
    }
  }
}
