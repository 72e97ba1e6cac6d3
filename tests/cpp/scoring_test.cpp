// What each scoring means, written down once more; and its numbers at the edges.

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "attn/reference.h"
#include "attn/scores.h"
#include "support/random_call.h"

using namespace attn;
using test::Call;
using test::Kind;
using test::kKinds;
using test::Random;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// score(q, k) of one pair, by the words of attn/scoring.h alone.
struct Formula {
  const float* q;
  const float* k;
  std::size_t d;
  std::size_t dk;

  [[nodiscard]] double product(const double* a, std::size_t count, const float* x) const {
    double sum = 0;
    for (std::size_t c = 0; c < count; ++c) sum += a[c] * double{x[c]};
    return sum;
  }
  [[nodiscard]] double dot() const {
    double sum = 0;
    for (std::size_t c = 0; c < d; ++c) sum += double{q[c]} * double{k[c]};
    return sum;
  }

  double operator()(const scoring::ScaledDot& /*kind*/) const { return dot() / std::sqrt(static_cast<double>(d)); }
  double operator()(const scoring::Dot& /*kind*/) const { return dot(); }
  double operator()(const scoring::General& kind) const {
    double sum = kind.b;
    for (std::size_t r = 0; r < d; ++r) sum += double{q[r]} * product(kind.w + r * dk, dk, k);
    return sum;
  }
  double operator()(const scoring::Additive& kind) const {
    double sum = 0;
    for (std::size_t a = 0; a < kind.width; ++a) {
      sum += kind.v[a] * std::tanh(product(kind.wq + a * d, d, q) + product(kind.wk + a * dk, dk, k));
    }
    return sum;
  }
  double operator()(const scoring::Cosine& /*kind*/) const {
    double qq = 0;
    double kk = 0;
    for (std::size_t c = 0; c < d; ++c) {
      qq += double{q[c]} * double{q[c]};
      kk += double{k[c]} * double{k[c]};
    }
    return qq == 0 || kk == 0 ? 0 : dot() / std::sqrt(qq * kk);
  }
  double operator()(const scoring::Linear& kind) const {
    return product(kind.w, d, q) + product(kind.w + d, dk, k) + kind.b;
  }
  double operator()(const scoring::Trilinear& kind) const {
    double sum = product(kind.w, d, q) + product(kind.w + d, d, k) + kind.b;
    for (std::size_t c = 0; c < d; ++c) sum += kind.w[2 * d + c] * double{q[c]} * double{k[c]};
    return sum;
  }
  double operator()(const scoring::Given& /*kind*/) const { return 0; }
};

/// s of one row and key, from the formula and the options.
double scoreOf(const Call& call, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
  const Shape& shape = call.shape;
  const std::size_t query = ((b * shape.queryHeads + h) * shape.queries + i) * shape.queryWidth();
  const std::size_t key = ((b * shape.kvHeads + shape.kvHeadOf(h)) * shape.keys + j) * shape.keyDim;
  double s =
      std::visit(Formula{&call.query[query], &call.key[key], shape.queryWidth(), shape.keyDim}, call.options.scoring);
  if (const auto* const given = std::get_if<scoring::Given>(&call.options.scoring)) {
    s = given->scores[((b * shape.queryHeads + h) * shape.queries + i) * shape.keys + j];
  }
  if (call.options.scale) s *= *call.options.scale;
  if (call.options.softcap) s = *call.options.softcap * std::tanh(s / *call.options.softcap);
  return s;
}

std::vector<float> kernelScores(const Call& call) {
  std::vector<float> result(call.shape.batch * call.shape.queryHeads * call.shape.queries * call.shape.keys);
  Arena arena;
  REQUIRE(scores(call.shape, call.inputs(), call.options, result.data(), arena) == Status::ok);
  CHECK(arena.capacity() == (call.shape.hasCells() ? scoresWorkingBytes(call.shape, call.options) : 0));
  return result;
}

void randomiseTensors(Random& random, Call& call) {
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value);
}

/// A causal head of 10 queries and 12 keys, with different widths where they may differ.
Shape someShape(Kind kind) {
  Shape shape = Call::oneHead(10, 12, 5, 4);
  if (test::widthsMayDiffer(kind)) shape.queryDim = 7;
  return shape;
}

bool allFinite(const std::vector<float>& numbers) {
  return std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); });
}

}  // namespace

TEST_CASE("scores are those of the formula, in the kernel and in the reference") {
  for (const Kind kind : kKinds) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      INFO("kind " << static_cast<int>(kind) << ", seed " << seed);
      Random random(seed);
      Shape shape = test::randomShape(random);
      if (test::widthsMayDiffer(kind)) shape.queryDim = test::randomWidth(random);
      Call call(shape);
      randomiseTensors(random, call);
      test::setRandomScoring(random, call, kind);
      if (random.chance(0.3)) call.options.scale = -0.5;
      if (random.chance(0.3)) call.options.softcap = 2;
      const auto kernel = kernelScores(call);
      const auto reference = call.referenceScores();
      std::size_t cell = 0;
      bool agree = true;
      for (std::size_t b = 0; b < shape.batch; ++b) {
        for (std::size_t h = 0; h < shape.queryHeads; ++h) {
          for (std::size_t i = 0; i < shape.queries; ++i) {
            for (std::size_t j = 0; j < shape.keys; ++j, ++cell) {
              const double want = scoreOf(call, b, h, i, j);
              agree = agree && std::fabs(reference[cell] - want) <= 1e-12 * std::max(1.0, std::fabs(want));
              agree = agree && std::fabs(double{kernel[cell]} - want) <= 1e-7 * std::max(1.0, std::fabs(want));
            }
          }
        }
      }
      CHECK(agree);
    }
  }
}

TEST_CASE("the scale replaces 1, and is that of b as well") {
  Call call(Call::oneHead(1, 2, 1, 1));
  call.query = {3};
  call.key = {1, 2};
  call.setGeneral({10}, 5);
  CHECK(call.referenceScores() == std::vector<double>{35, 65});
  call.options.scale = 0.5;
  CHECK(call.referenceScores() == std::vector<double>{17.5, 32.5});
  CHECK(kernelScores(call) == std::vector<float>{17.5F, 32.5F});
  call.options.scale.reset();
  call.options.scoring = scoring::Dot{};
  CHECK(call.referenceScores() == std::vector<double>{3, 6});
  call.options.scoring = scoring::ScaledDot{};
  call.query = {3};
  CHECK(call.referenceScores() == std::vector<double>{3, 6});
}

TEST_CASE("the cosine of a zero vector is 0, of any others within 1") {
  Call call(Call::oneHead(3, 4, 2, 1));
  call.query = {0, 0, 3e38F, 3e38F, 1e-45F, 0};
  call.key = {0, 0, 1, 1, -2e-40F, -2e-40F, 5, 0};
  call.value = {1, 2, 4, 8};
  call.options.scoring = scoring::Cosine{};
  const double half = std::sqrt(0.5);
  const std::vector<double> want{0, 0, 0, 0, 0, 1, -1, half, 0, half, -half, 1};
  const auto got = call.referenceScores();
  for (std::size_t cell = 0; cell < want.size(); ++cell) CHECK(got[cell] == Catch::Approx(want[cell]).margin(1e-15));
  CHECK(call.run().output[0] == 3.75F);
  call.checkAgainstReference();
}

TEST_CASE("a linear scoring weighs keys alike for every query") {
  Call call(Call::oneHead(2, 2, 2, 1));
  call.query = {1, 2, -30, 40};
  call.key = {0, 0, 1, 1};
  call.value = {0, 1};
  call.setLinear({1, 1, std::log(3.0), 0}, 7);
  const auto result = call.run();
  CHECK(result.output[0] == Catch::Approx(0.75));
  CHECK(result.output[1] == Catch::Approx(0.75));
  CHECK(result.scores[0] == 10);
  call.checkAgainstReference();
}

TEST_CASE("a masked key has no influence though it is projected, whatever it and its value hold") {
  for (const Kind kind : kKinds) {
    for (const float poison : {kNaN, kInfinity, -kInfinity, 3e38F}) {
      INFO("kind " << static_cast<int>(kind) << ", poison " << poison);
      Call call(someShape(kind));
      Random random(4);
      randomiseTensors(random, call);
      test::setRandomScoring(random, call, kind);
      call.setAllowKeys({1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0}, false);
      call.options.mask.causal = true;
      const auto clean = call.run();
      for (const std::size_t j : {1U, 5U, 11U}) {
        std::fill_n(&call.key[j * 5], 5, poison);
        std::fill_n(&call.value[j * 4], 4, poison);
      }
      const auto poisoned = call.run();
      CHECK(poisoned.scores == clean.scores);
      for (std::size_t i = 0; i < clean.output.size(); ++i) {
        CHECK(std::fabs(clean.output[i] - poisoned.output[i]) <= 4e-6F);
      }
      call.checkAgainstReference();
    }
  }
}

TEST_CASE("NaN in a query or key breaks the rows that see it and no others") {
  for (const Kind kind : test::kKindsOfVectors) {
    INFO("kind " << static_cast<int>(kind));
    Call call(someShape(kind));
    Random random(5);
    randomiseTensors(random, call);
    test::setRandomScoring(random, call, kind);
    call.options.mask.causal = true;
    call.query[3 * call.shape.queryWidth() + 1] = kNaN;
    call.key[9 * 5 + 2] = kNaN;
    const auto result = call.run();
    for (std::size_t i = 0; i < 10; ++i) CHECK(std::isnan(result.output[i * 4]) == (i == 3 || i + 2 >= 9));
    call.checkAgainstReference();
  }
}

TEST_CASE("if all scores fit float32 the answer is finite, though projections do not") {
  Call call(Call::oneHead(2, 3, 2, 1));
  call.value = {1, 2, 4};
  // The parts of q W are ±1e60; of the products, ±1e20; they differ by little.
  call.query = {1e30F, 1, -1e30F, 2};
  call.key = {1e-40F, 0, 1e-40F, 1, 1e-40F, -1};
  call.setGeneral({1e30, 0, 0, 1}, 0);
  CHECK(allFinite(call.run().output));
  call.checkAgainstReference();

  call.options.scale = 1e-50;
  call.setGiven({1e50, 2e50, 3e50, -1e88, -1e88, -1e88});
  CHECK(allFinite(call.run().output));
  call.checkAgainstReference();
}

TEST_CASE("if all scores fit float32 the answer is finite, though their parts are far larger and cancel") {
  Call call(Call::oneHead(2, 3, 2, 1));
  call.value = {1, 2, 4};
  call.query = {0x1p100F, 0, 0x1p100F, 1};
  call.key = {0x1p100F, 1, 0x1p100F, 2, 0x1p100F, 4};
  call.setLinear({0x1p60, 1, -0x1p60, 1}, 0);
  CHECK(allFinite(call.run().output));
  call.setTrilinear({0x1p60, 1, -0x1p60, 1, 0, 1}, 0);
  CHECK(allFinite(call.run().output));

  // Hidden units whose halves cancel, and some that are saturated
  call.setAdditive({0x1p100, 0, 1, 1}, {-0x1p100, 0, 1, 1}, {1, 1});
  CHECK(call.run().scores == std::vector<float>(6, 1));
  call.checkAgainstReference();
}

TEST_CASE("what float32 cannot hold does not forbid") {
  // A part of −1e40 that the scale brings to −1
  Call call(Call::oneHead(1, 2, 1, 1));
  call.query = {0};
  call.key = {1e38F, 1e10F};
  call.value = {1, 2};
  call.options.scale = 1e-40;
  call.setLinear({0, -100}, 0);
  CHECK(call.run().output[0] == Catch::Approx(1 + 1 / (1 + std::exp(-1.0))));
  call.checkAgainstReference();

  // Scores beyond float32
  call.options.scale.reset();
  for (const double size : {1e39, -1e39}) {
    call.setGiven({size, size});
    CHECK(call.run().output[0] == 1.5F);
  }
}

TEST_CASE("where the query's and the key's part of a hidden unit cancel, no digits are lost") {
  for (const float size : {10.0F, 1e3F, 1e5F}) {
    INFO("parts of " << size);
    Call call(Call::oneHead(20, 60, 3, 4));
    Random random(6);
    random.fillNormal(call.query, size);
    random.fillNormal(call.value);
    for (std::size_t j = 0; j < call.key.size(); ++j) call.key[j] = call.query[j % 60] + random.normal();
    std::vector<double> w(8 * 3);
    for (double& x : w) x = double{random.normal()};
    std::vector<double> opposite(w);
    for (double& x : opposite) x = -x;
    call.setAdditive(w, opposite, {1, -1, 2, 0.5, 1, -2, 1, 1});
    call.checkAgainstReference();
  }
}

TEST_CASE("given scores stand for queries and keys, which are not read") {
  Shape shape = Call::oneHead(2, 2, 3, 1);
  shape.queryHeads = shape.kvHeads = 2;
  shape.queryDim = 8;
  const std::vector<double> given{0, std::log(3.0), kMinusInfinity, 2, 1, 1, 0, kMinusInfinity};
  const std::vector<float> value{0, 4, 2, 6};
  const std::vector<double> expected{3, 4, 4, 2};
  Options options;
  options.scoring = scoring::Given{given.data()};
  Arena arena;
  const auto near = [](double got, double want) { return std::fabs(got - want) < 1e-6; };

  std::vector<float> output(4);
  std::vector<float> scores(8);
  Outputs outputs{output.data()};
  outputs.scores = scores.data();
  REQUIRE(attention(shape, {nullptr, nullptr, value.data()}, options, outputs, {1, 0}, arena).status == Status::ok);
  CHECK(std::ranges::equal(output, expected, near));
  CHECK(std::ranges::equal(scores, given, std::equal_to<>(), {}, [](double s) { return static_cast<float>(s); }));

  const std::vector<double> wideValue(value.begin(), value.end());
  std::vector<double> wideOutput(4);
  std::vector<double> wideScores(8);
  REQUIRE(reference::attention(shape, {nullptr, nullptr, wideValue.data()}, options, {wideOutput.data()}, arena) ==
          Status::ok);
  CHECK(std::ranges::equal(wideOutput, expected, near));
  REQUIRE(reference::scores(shape, {nullptr, nullptr, nullptr}, options, wideScores.data(), arena) == Status::ok);
  CHECK(wideScores == given);
}

TEST_CASE("ordinary rows of no scoring are computed twice, and the scratch is what was announced") {
  for (const Kind kind : kKinds) {
    INFO("kind " << static_cast<int>(kind));
    Shape shape = Call::oneHead(70, 90, 16, 9);
    if (test::widthsMayDiffer(kind)) shape.queryDim = 20;
    Call call(shape);
    Random random(7);
    randomiseTensors(random, call);
    test::setRandomScoring(random, call, kind);
    std::vector<float> output(70 * 9);
    Arena arena;
    const Report report = attention(shape, call.inputs(), call.options, {output.data()}, {}, arena);
    CHECK(report.carefulRows == 0);
    CHECK(report.workingBytes == arena.capacity());
    CHECK(report.workingBytes == attentionWorkingBytes(shape, call.options, {}));
  }
}

TEST_CASE("scorings that do not fit the call are refused") {
  Shape shape = Call::oneHead(1, 1, 2, 1);
  const std::vector<float> numbers(4, 1.0F);
  const std::vector<double> w(8, 1.0);
  float output = 17;
  const auto status = [&](const Scoring& scoring) {
    Options options;
    options.scoring = scoring;
    Arena arena;
    return attention(shape, {numbers.data(), numbers.data(), numbers.data()}, options, {&output}, {}, arena).status;
  };
  CHECK(status(scoring::General{}) == Status::invalidOptions);
  CHECK(status(scoring::General{w.data(), std::numeric_limits<double>::infinity()}) == Status::invalidOptions);
  CHECK(status(scoring::Additive{w.data(), w.data(), w.data(), 0}) == Status::invalidOptions);
  CHECK(status(scoring::Additive{w.data(), nullptr, w.data(), 1}) == Status::invalidOptions);
  CHECK(status(scoring::Linear{}) == Status::invalidOptions);
  CHECK(status(scoring::Trilinear{}) == Status::invalidOptions);
  shape.queryDim = 3;
  CHECK(status(scoring::ScaledDot{}) == Status::invalidShape);
  CHECK(status(scoring::Dot{}) == Status::invalidShape);
  CHECK(status(scoring::Cosine{}) == Status::invalidShape);
  CHECK(status(scoring::Trilinear{w.data()}) == Status::invalidShape);
  CHECK(output == 17);
  CHECK(status(scoring::Linear{w.data()}) == Status::ok);
  CHECK(output == 1);
}
