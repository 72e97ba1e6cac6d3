// Worked examples: numbers that can be checked by hand, and those printed in notes on attention.

#include "attn/attention.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/call.h"
#include "support/numpy_example.h"

using namespace attn;
using test::Call;
using test::Result;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class T, class U>
void checkNear(const std::vector<T>& got, const std::vector<U>& want, double tolerance = 1e-6) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("number " << i);
    CHECK(std::fabs(double{got[i]} - double{want[i]}) <= tolerance);
  }
}

/// One head with zero queries and keys, so that the output is the mean of the visible values.
Call& withValues(Call& call, std::vector<float> values) {
  REQUIRE(call.value.size() == values.size());
  call.value = std::move(values);
  return call;
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

Result<float> checked(const Call& call) {
  call.checkAgainstReference();
  return call.run();
}

}  // namespace

TEST_CASE("two keys: 67 % and 33 %") {
  Call call(Call::oneHead(3, 2, 2, 2));
  call.query = {1, 0, 0, 1, 0, 0};
  call.key = {1, 0, 0, 1};
  call.value = {2, 0, 0, 4};
  const auto result = checked(call);
  checkNear(result.scores, std::vector<double>{std::sqrt(0.5), 0, 0, std::sqrt(0.5), 0, 0}, 1e-7);
  checkNear(result.weights, std::vector<double>{0.6697615493266569, 0.3302384506733431, 0.3302384506733431,
                                                0.6697615493266569, 0.5, 0.5});
  checkNear(result.output, std::vector<double>{1.3395230986533138, 1.3209538026933725, 0.6604769013466862,
                                               2.6790461973066275, 1.0, 2.0});
  CHECK(result.output[4] == 1);
  CHECK(result.output[5] == 2);
}

TEST_CASE("causal mask on equal scores: 1, ½ ½, ⅓ ⅓ ⅓") {
  Call call(Call::oneHead(3, 3, 1, 1));
  call.options.mask.causal = true;
  const auto result = checked(withValues(call, {3, 6, 9}));
  const double third = 1.0 / 3;
  checkNear(result.weights, std::vector<double>{1, 0, 0, 0.5, 0.5, 0, third, third, third}, 1e-7);
  checkNear(result.output, std::vector<double>{3, 4.5, 6});
  checkNear(result.scores, std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0}, double{kInfinity});
  CHECK(result.scores[1] == -kInfinity);
  CHECK(result.scores[3] == 0);
}

TEST_CASE("causal self-attention of n = 4, d = 8, as numpy computes it") {
  namespace example = test::numpy_example;
  Call call(Call::oneHead(4, 4, 8, 8));
  call.query.assign(example::kQuery.begin(), example::kQuery.end());
  call.key.assign(example::kKey.begin(), example::kKey.end());
  call.value.assign(example::kValue.begin(), example::kValue.end());
  const auto unmasked = checked(call);
  checkNear(unmasked.weights, example::kUnmaskedWeights);
  call.options.mask.causal = true;
  const auto result = checked(call);
  checkNear(result.output, example::kOutput);
  checkNear(result.weights, example::kWeights);
  for (std::size_t cell = 0; cell < 16; ++cell) {
    if (std::isinf(example::kScores[cell])) {
      CHECK(result.scores[cell] == -kInfinity);
      CHECK(result.weights[cell] == 0);
    } else {
      CHECK(std::fabs(result.scores[cell] - example::kScores[cell]) < 1e-6);
    }
  }
}

TEST_CASE("A01 a query with nothing to attend to: zeros, and no other row suffers") {
  Call call(Call::oneHead(2, 2, 1, 1));
  call.setAllow({1, 1, 0, 0}, {1, 1, 2, 2});
  const auto result = checked(withValues(call, {3, 5}));
  CHECK(result.output == std::vector<float>{4, 0});
  CHECK(result.weights == std::vector<float>{0.5F, 0.5F, 0, 0});
  CHECK(result.logSumExp[0] == Catch::Approx(0.693147));
  CHECK(result.logSumExp[1] == -kInfinity);
}

TEST_CASE("A03 true means may attend: all true is no mask, a lower triangle is the causal mask, bit for bit") {
  Call plain(Call::oneHead(9, 9, 3, 5));
  for (std::size_t i = 0; i < plain.query.size(); ++i) plain.query[i] = std::sin(static_cast<float>(i));
  plain.key = plain.query;
  for (std::size_t i = 0; i < plain.value.size(); ++i) plain.value[i] = std::cos(static_cast<float>(i));
  const auto without = plain.run();
  plain.setAllow(std::vector<std::uint8_t>(81, 1), {1, 1, 9, 9});
  CHECK(plain.run().output == without.output);

  std::vector<std::uint8_t> triangle(81);
  for (std::size_t i = 0; i < 9; ++i) std::fill_n(&triangle[i * 9], i + 1, std::uint8_t{1});
  plain.setAllow(triangle, {1, 1, 9, 9});
  const auto masked = plain.run();
  plain.options.mask = {};
  plain.options.mask.causal = true;
  const auto causal = plain.run();
  CHECK(masked.output == causal.output);
  CHECK(masked.weights == causal.weights);
}

TEST_CASE("A04 a boolean selects, a bias adds") {
  Call call(Call::oneHead(1, 2, 1, 1));
  call.setAllow({1, 0}, {1, 1, 1, 2});
  CHECK(checked(withValues(call, {0, 10})).output[0] == 0);
  call.options.mask = {};
  call.setBias({1, 0}, {1, 1, 1, 2});
  CHECK(checked(call).output[0] == Catch::Approx(2.689414).epsilon(1e-6));
}

TEST_CASE("A05 fewer queries than keys: the queries are the tail") {
  Call call(Call::oneHead(2, 5, 1, 1));
  call.options.mask.causal = true;
  CHECK(checked(withValues(call, counting(5))).output == std::vector<float>{2.5F, 3});
  call.options.mask.queryOffset = 0;
  CHECK(checked(call).output == std::vector<float>{1, 1.5F});
  Call decode(Call::oneHead(1, 5, 1, 1));
  decode.options.mask.causal = true;
  CHECK(checked(withValues(decode, counting(5))).output == std::vector<float>{3});
}

TEST_CASE("A06 more queries than keys: the same rule, so the first rows are empty") {
  Call call(Call::oneHead(5, 2, 1, 1));
  call.options.mask.causal = true;
  CHECK(checked(withValues(call, {1, 2})).output == std::vector<float>{0, 0, 0, 1, 1.5F});
}

TEST_CASE("A07 a window of w keys counts the query's own") {
  const auto output = [](std::size_t queries, std::size_t keys, std::size_t w) {
    Call call(Call::oneHead(queries, keys, 1, 1));
    call.options.mask.causal = true;
    call.options.mask.window = Window{w - 1, w - 1};
    return checked(withValues(call, counting(keys))).output;
  };
  CHECK(output(5, 5, 1) == std::vector<float>{1, 2, 3, 4, 5});
  CHECK(output(5, 5, 2) == std::vector<float>{1, 1.5F, 2.5F, 3.5F, 4.5F});
  CHECK(output(5, 5, 5) == std::vector<float>{1, 1.5F, 2, 2.5F, 3});
  CHECK(output(5, 5, 99) == std::vector<float>{1, 1.5F, 2, 2.5F, 3});
  CHECK(output(2, 6, 3) == std::vector<float>{4, 5});
}

TEST_CASE("A14 the default scale is 1/√d of one head, and a given one replaces it") {
  Shape shape = Call::oneHead(1, 2, 4, 1);
  shape.queryHeads = shape.kvHeads = 2;
  Call call(shape);
  call.query = {2, 0, 0, 0, 2, 0, 0, 0};
  call.key = {2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
  CHECK(checked(call).weights[0] == Catch::Approx(0.880797).epsilon(1e-6));
  call.options.scale = 1;
  CHECK(checked(call).weights[0] == Catch::Approx(1 / (1 + std::exp(-4.0))).epsilon(1e-6));
  call.options.scale = 0;
  CHECK(checked(call).weights == std::vector<float>{0.5F, 0.5F, 0.5F, 0.5F});
}

TEST_CASE("A15 query head h reads key/value head h·Hk/Hq") {
  const auto heads = [](std::size_t kvHeads, std::vector<float> values) {
    Shape shape = Call::oneHead(1, 1, 1, 1);
    shape.queryHeads = 4;
    shape.kvHeads = kvHeads;
    Call call(shape);
    return checked(withValues(call, std::move(values))).output;
  };
  CHECK(heads(2, {10, 20}) == std::vector<float>{10, 10, 20, 20});
  CHECK(heads(1, {10}) == std::vector<float>{10, 10, 10, 10});
  CHECK(heads(4, {1, 2, 3, 4}) == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("A17 values may be wider or narrower than keys") {
  Call call(Call::oneHead(1, 2, 3, 2));
  call.query = {1, 0, 0};
  call.key = {1.902852F, 0, 0, 0, 0, 0};
  checkNear(checked(withValues(call, {4, 8, 0, -4})).output, std::vector<double>{3, 5}, 8e-6);
}

TEST_CASE("A20 a prompt fed in pieces equals one pass") {
  constexpr std::size_t kLength = 8;
  constexpr std::size_t kWidth = 5;
  const auto numbers = [](std::size_t count, float start) {
    std::vector<float> result(count);
    for (std::size_t i = 0; i < count; ++i) result[i] = std::sin(start + 1.7F * static_cast<float>(i));
    return result;
  };
  const auto q = numbers(kLength * kWidth, 1);
  const auto k = numbers(kLength * kWidth, 2);
  const auto v = numbers(kLength * kWidth, 3);
  const auto attend = [&](std::size_t from, std::size_t to, const MaskOptions& mask) {
    Call call(Call::oneHead(to - from, to, kWidth, kWidth));
    call.options.mask = mask;
    call.query.assign(q.data() + from * kWidth, q.data() + to * kWidth);
    call.key.assign(k.data(), k.data() + to * kWidth);
    call.value.assign(v.data(), v.data() + to * kWidth);
    return call.run().output;
  };
  for (const bool windowed : {false, true}) {
    MaskOptions mask;
    mask.causal = true;
    if (windowed) mask.window = Window{2, 0};
    const auto whole = attend(0, kLength, mask);
    for (const auto& pieces : {std::vector<std::size_t>{1, 1, 1, 1, 1, 1, 1, 1}, std::vector<std::size_t>{3, 1, 4}}) {
      std::vector<float> joined;
      std::size_t from = 0;
      for (const std::size_t piece : pieces) {
        const auto part = attend(from, from + piece, mask);
        joined.insert(joined.end(), part.begin(), part.end());
        from += piece;
      }
      checkNear(joined, whole);
    }
  }
}

TEST_CASE("A22 key flags hide columns, not rows") {
  Call call(Call::oneHead(2, 2, 1, 1));
  call.setAllowKeys({1, 0}, false);
  CHECK(checked(withValues(call, {7, 9})).output == std::vector<float>{7, 7});
}

TEST_CASE("A24 no keys, no queries, or a batch entry of length 0") {
  Call noKeys(Call::oneHead(2, 0, 3, 2));
  const auto result = checked(noKeys);
  CHECK(result.output == std::vector<float>{0, 0, 0, 0});
  CHECK(result.logSumExp == std::vector<float>{-kInfinity, -kInfinity});

  Call noQueries(Call::oneHead(0, 3, 3, 2));
  CHECK(checked(noQueries).output.empty());

  Shape shape = Call::oneHead(1, 2, 1, 1);
  shape.batch = 3;
  Call batch(shape);
  batch.setKeyLengths({2, 0, 1});
  CHECK(checked(withValues(batch, {1, 2, 3, 4, 5, 6})).output == std::vector<float>{1.5F, 0, 5});

  Shape none = Call::oneHead(2, 2, 1, 1);
  none.batch = 0;
  CHECK(checked(Call(none)).output.empty());
}

TEST_CASE("blocks that are not allowed are not attended to, and cost no tile") {
  Call call(Call::oneHead(4, 6, 1, 1));
  call.tile = {2, 3};
  call.setBlocks({1, 0, 0, 1}, 2, 3);
  const auto result = checked(withValues(call, {1, 2, 3, 10, 20, 30}));
  CHECK(result.output == std::vector<float>{2, 2, 20, 20});
  CHECK(result.report.tilesVisited == 2);
  CHECK(result.report.tilesSkipped == 2);
}
