#include "attn/linear_attention.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/linear_call.h"
#include "support/random.h"

using namespace attn;
using test::LinearCall;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

constexpr LinearAttentionOptions kKernelForm{};
constexpr LinearAttentionOptions kCausalKernelForm{FeatureMap::eluPlusOne, true, true, 1};
constexpr LinearAttentionOptions kRule{FeatureMap::identity, true, false, 1};

/// Of one head, one dimension and no randomness.
LinearCall narrow(const LinearAttentionOptions& options, std::vector<float> query, std::vector<float> key,
                  std::vector<float> value) {
  LinearCall call({1, 1, 1, query.size(), key.size(), 1, 1}, options);
  call.query = std::move(query);
  call.key = std::move(key);
  call.value = std::move(value);
  return call;
}

LinearCall drawn(test::Random& random) {
  const std::size_t kvHeads = random.between(1, 2);
  const Shape shape{random.between(1, 2), kvHeads * random.between(1, 3), kvHeads,
                    random.between(0, 9), random.between(0, 9),           random.between(1, 6),
                    random.between(1, 6)};
  LinearAttentionOptions options;
  options.featureMap = random.oneOf<FeatureMap>({FeatureMap::eluPlusOne, FeatureMap::relu, FeatureMap::identity});
  options.causal = random.chance(0.6);
  // Sums of weights of both signs may come close to 0, and then no two ways of summing agree.
  options.normalize = options.featureMap == FeatureMap::eluPlusOne && random.chance(0.5);
  options.scale = random.oneOf<double>({1, 0.25, -2, 0});
  LinearCall call(shape, options);
  call.draw(random);
  if (random.chance(0.5)) call.drawDecay(random);
  if (random.chance(0.5) && !options.normalize) call.drawBeta(random);
  if (random.chance(0.5)) call.drawState(random);
  return call;
}

}  // namespace

TEST_CASE("linear attention with equal features is the mean of the values seen") {
  CHECK(narrow(kKernelForm, {0, 0}, {0, 0, 0}, {3, 6, 12}).run().output == std::vector<float>{7, 7});
  CHECK(narrow(kCausalKernelForm, {0, 0, 0}, {0, 0, 0}, {3, 6, 12}).run().output == std::vector<float>{3, 4.5F, 7});
}

TEST_CASE("linear attention weights values by the products of features") {
  // φ(1) = 2, φ(−ln 4) = 1/4, φ(0) = 1
  const float quarter = -std::log(4.0F);
  const auto output = narrow(kKernelForm, {5}, {1, quarter, 0}, {1, 10, 100}).run().output;
  CHECK(std::fabs(output[0] - (2 * 1 + 10 / 4.0 + 100) / (2 + 0.25 + 1)) < 1e-5);
  const LinearAttentionOptions relu{FeatureMap::relu, false, true, 1};
  CHECK(narrow(relu, {5}, {1, -7, 3}, {1, 10, 100}).run().output[0] == (1.0F + 3 * 100) / 4);
}

TEST_CASE("the four rules, by hand") {
  const auto outputs = [](std::vector<float> decay, std::vector<float> beta) {
    LinearCall call = narrow(kRule, {1, 1, 1}, {1, 1, 1}, {3, 5, 7});
    call.setDecay(std::move(decay), {1, 1, 3, 1});
    call.setBeta(std::move(beta), {1, 1, 3, 1});
    return call.run().output;
  };
  const float half = std::log(0.5F);
  CHECK(outputs({}, {}) == std::vector<float>{3, 8, 15});
  // The delta rule replaces what was stored for a key.
  CHECK(outputs({}, {1, 1, 1}) == std::vector<float>{3, 5, 7});
  CHECK(outputs({}, {1, 0.5F, 0}) == std::vector<float>{3, 4, 4});
  // A decay of −∞ forgets all.
  CHECK(outputs({0, -kInfinity, 0}, {}) == std::vector<float>{3, 5, 12});
  const auto gated = outputs({half, half, half}, {});
  const auto gatedDelta = outputs({half, half, half}, {1, 0.5F, 0});
  for (const auto& [got, expected] :
       {std::pair{gated[1], 6.5}, {gated[2], 10.25}, {gatedDelta[1], 3.25}, {gatedDelta[2], 1.625}}) {
    CHECK(std::fabs(got - expected) < 1e-6);
  }
}

TEST_CASE("linear attention equals its formula in float64") {
  test::Random random(21);
  for (int run = 0; run < 1500; ++run) {
    const LinearCall call = drawn(random);
    CAPTURE(run, call.describe());
    const auto fast = call.run();
    const auto exact = call.reference();
    REQUIRE(fast.status == Status::ok);
    REQUIRE(exact.status == Status::ok);
    for (std::size_t n = 0; n < fast.output.size(); ++n) {
      CHECK(std::fabs(fast.output[n] - exact.output[n]) <= 2e-7 * std::fabs(exact.output[n]) + 1e-11);
    }
    for (std::size_t n = 0; n < fast.state.size(); ++n) {
      CHECK(std::fabs(fast.state[n] - exact.state[n]) <= 1e-12 * (1 + std::fabs(exact.state[n])));
    }
  }
}

TEST_CASE("a sequence in chunks gives the bits of one pass") {
  test::Random random(22);
  for (int run = 0; run < 300; ++run) {
    LinearCall whole = drawn(random);
    whole.options.causal = true;
    whole.shape.queries = whole.shape.keys = random.between(1, 12);
    whole.draw(random);
    whole.redrawGates(random);
    CAPTURE(run, whole.describe());
    const auto expected = whole.run();

    std::vector<double> state = whole.state;
    std::size_t from = 0;
    while (from < whole.shape.keys) {
      const std::size_t to = random.between(from, whole.shape.keys);
      LinearCall chunk = whole.part(from, to);
      chunk.state = state;
      const auto result = chunk.run();
      CHECK(result.output == whole.rowsOf(expected.output, from, to));
      state = result.state;
      from = to;
    }
    CHECK(state == expected.state);
  }
}

TEST_CASE("normalised weights sum to 1 under every rule") {
  test::Random random(23);
  for (int run = 0; run < 200; ++run) {
    const std::size_t n = random.between(1, 9);
    LinearCall call({1, 1, 1, n, n, 3, 2}, kCausalKernelForm);
    call.draw(random);
    std::fill(call.value.begin(), call.value.end(), 4.0F);
    if (random.chance(0.5)) call.drawDecay(random);
    if (random.chance(0.5)) call.drawBeta(random);
    for (const float o : call.run().output) CHECK(std::fabs(o - 4) < 1e-5);
  }
}

TEST_CASE("where the weights sum to 0 the output is 0") {
  const LinearAttentionOptions relu{FeatureMap::relu, false, true, 1};
  CHECK(narrow(relu, {1, -1}, {-1, -2}, {3, 4}).run().output == std::vector<float>{0, 0});
  const LinearAttentionOptions identity{FeatureMap::identity, false, true, 1};
  CHECK(narrow(identity, {1}, {1, -1}, {3, 4}).run().output == std::vector<float>{0});
  CHECK(narrow(identity, {1}, {1, -1}, {3, 4}).reference().output == std::vector<double>{0});
  CHECK(narrow(kKernelForm, {1, 2}, {}, {}).run().output == std::vector<float>{0, 0});
  // Queries are the tail of the keys: with more of them, the first see nothing.
  CHECK(narrow(kCausalKernelForm, {0, 0, 0}, {0}, {5}).run().output == std::vector<float>{0, 0, 5});
  CHECK(narrow(kCausalKernelForm, {0}, {0, 0, 0}, {3, 6, 12}).run().output == std::vector<float>{7});
}

TEST_CASE("a number that is none stays with the queries that see it") {
  test::Random random(24);
  const std::size_t n = 6;
  for (const bool gates : {false, true}) {
    LinearCall call({1, 2, 2, n, n, 3, 2}, gates ? kRule : kCausalKernelForm);
    call.draw(random);
    if (gates) {
      call.drawDecay(random);
      call.drawBeta(random);
    }
    const auto clean = call.run().output;
    const std::size_t head = 1;
    const std::size_t place = 3;
    const auto check = [&](const LinearCall& broken, auto concerned) {
      const auto output = broken.run().output;
      const auto exact = broken.reference().output;
      for (std::size_t cell = 0; cell < output.size(); ++cell) {
        const bool expected = concerned(cell / (n * 2), cell / 2 % n, cell % 2);
        CHECK(std::isnan(output[cell]) == expected);
        CHECK(std::isnan(exact[cell]) == expected);
        if (!expected) CHECK(output[cell] == clean[cell]);
      }
    };
    LinearCall query = call;
    query.query[(head * n + place) * 3] = kNaN;
    check(query, [&](auto h, auto i, auto) { return h == head && i == place; });
    LinearCall key = call;
    key.key[(head * n + place) * 3] = kNaN;
    check(key, [&](auto h, auto i, auto) { return h == head && i >= place; });
    if (!gates) {
      LinearCall value = call;
      value.value[(head * n + place) * 2 + 1] = kInfinity;
      const auto output = value.run().output;
      CHECK(output[(head * n + place - 1) * 2 + 1] == clean[(head * n + place - 1) * 2 + 1]);
      CHECK(std::isinf(output[(head * n + place) * 2 + 1]));
      value.value[(head * n + place) * 2 + 1] = kNaN;
      check(value, [&](auto h, auto i, auto w) { return h == head && i >= place && w == 1; });
    } else {
      LinearCall decay = call;
      decay.setDecay(std::vector<float>(2 * n, -0.1F), {1, 2, n, 1});
      const auto other = decay.run().output;
      decay.decay[head * n + place] = kNaN;
      const auto output = decay.run().output;
      for (std::size_t cell = 0; cell < output.size(); ++cell) {
        const bool concerned = cell / (n * 2) == head && cell / 2 % n >= place;
        CHECK(std::isnan(output[cell]) == concerned);
        if (!concerned) CHECK(output[cell] == other[cell]);
      }
    }
  }
}

TEST_CASE("no feature map loses a NaN") {
  for (const FeatureMap map : {FeatureMap::eluPlusOne, FeatureMap::relu, FeatureMap::identity}) {
    const LinearAttentionOptions options{map, false, true, 1};
    CHECK(std::isnan(narrow(options, {1}, {kNaN}, {1}).run().output[0]));
    CHECK(std::isnan(narrow(options, {kNaN}, {1}, {1}).run().output[0]));
    CHECK(std::isnan(narrow(options, {1}, {kNaN}, {1}).reference().output[0]));
  }
}

TEST_CASE("linear attention says what it cannot do, and takes no more memory twice") {
  CHECK(LinearCall({1, 3, 2, 1, 1, 1, 1}, kKernelForm).run().status == Status::invalidShape);
  CHECK(LinearCall({1, 1, 1, 1, 1, 0, 1}, kKernelForm).run().status == Status::invalidShape);
  for (const double scale : {double{kNaN}, double{kInfinity}}) {
    LinearCall call({1, 1, 1, 1, 1, 1, 1}, {FeatureMap::identity, true, false, scale});
    CHECK(call.run().status == Status::invalidOptions);
    CHECK(call.reference().status == Status::invalidOptions);
  }
  Arena arena;
  const Shape wide{1, 1, 1, 0, 0, std::size_t{1} << 31, std::size_t{1} << 31};
  CHECK(linearAttention(wide, {}, kKernelForm, {}, arena) == Status::tooLarge);
  CHECK(reference::linearAttention(wide, {}, kKernelForm, {}, arena) == Status::tooLarge);

  test::Random random(25);
  LinearCall call({2, 4, 2, 5, 5, 3, 4}, kCausalKernelForm);
  call.draw(random);
  const auto first = call.run(arena);
  const std::size_t capacity = arena.capacity();
  CHECK(capacity == linearAttentionWorkingBytes(call.shape));
  CHECK(call.run(arena).output == first.output);
  CHECK(arena.capacity() == capacity);
  CHECK(arena.used() == 0);
}
