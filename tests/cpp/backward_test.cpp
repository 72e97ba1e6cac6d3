// The gradient: the reference against finite differences, the kernel against the reference.

#include "attn/backward.h"

#include <algorithm>
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/gradient_call.h"
#include "support/random_call.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

void randomise(Call& call, std::uint64_t seed) {
  Random random(seed);
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value);
}

/// Σ dO·O by the reference, over the rows whose output is a number.
class Loss {
 public:
  Loss(const Call& call, const std::vector<float>& dOutput)
      : call_(call),
        inputs_{std::vector<double>(call.query.begin(), call.query.end()),
                std::vector<double>(call.key.begin(), call.key.end()),
                std::vector<double>(call.value.begin(), call.value.end())},
        bias_(call.bias.begin(), call.bias.end()),
        dOutput_(dOutput),
        output_(dOutput.size()) {}

  /// The central difference about number i of the query (0), key (1) or value (2).
  double slope(std::size_t input, std::size_t i) {
    constexpr double kStep = 1e-5;
    double& x = inputs_[input][i];
    const double middle = x;
    x = middle + kStep;
    const double after = loss();
    x = middle - kStep;
    const double before = loss();
    x = middle;
    return (after - before) / (2 * kStep);
  }

 private:
  double loss() {
    REQUIRE(reference::attention(call_.shape,
                                 {inputs_[0].data(),
                                  inputs_[1].data(),
                                  inputs_[2].data(),
                                  {bias_.empty() ? nullptr : bias_.data(), call_.biasStrides}},
                                 call_.options, {output_.data()}, arena_) == Status::ok);
    double sum = 0;
    for (std::size_t i = 0; i < output_.size(); ++i) {
      if (!std::isnan(output_[i])) sum += double{dOutput_[i]} * output_[i];
    }
    return sum;
  }

  const Call& call_;
  std::vector<double> inputs_[3];
  std::vector<double> bias_;
  const std::vector<float>& dOutput_;
  std::vector<double> output_;
  Arena arena_;
};

}  // namespace

TEST_CASE("the gradient is what finite differences give, over random shapes, masks and options") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Shape shape;
    shape.batch = random.between(1, 2);
    shape.kvHeads = random.between(1, 2);
    shape.queryHeads = shape.kvHeads * random.between(1, 3);
    shape.queries = random.between(1, 6);
    shape.keys = random.between(1, 6);
    shape.keyDim = random.between(1, 4);
    shape.valueDim = random.between(1, 4);
    Call call(shape);
    randomise(call, seed);
    test::setRandomMasks(random, call);
    test::setRandomOptions(random, call);
    INFO(call.describe());
    const auto dOutput = test::randomOutputGradient(call, seed + 1000);
    const auto gradients = test::referenceGradientsOf(call, dOutput);
    REQUIRE(gradients.report.status == Status::ok);
    Loss loss(call, dOutput);
    const std::vector<double>* const all[] = {&gradients.query, &gradients.key, &gradients.value};
    for (std::size_t input = 0; input < 3; ++input) {
      for (std::size_t i = 0; i < all[input]->size(); ++i) {
        INFO("input " << input << ", number " << i);
        const double difference = loss.slope(input, i);
        if (std::fabs((*all[input])[i] - difference) > 1e-8) CHECK((*all[input])[i] == difference);
      }
    }
  }
}

TEST_CASE("the kernel's gradient equals the reference's, whatever the shape, the masks and the tile") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Call call(test::randomShape(random));
    random.fillNormal(call.query);
    random.fillNormal(call.key);
    random.fillNormal(call.value, random.oneOf<float>({1e-3F, 1.0F, 1e3F}));
    test::setRandomMasks(random, call);
    test::setRandomOptions(random, call);
    test::randomiseTile(random, call);
    test::checkGradientsAgainstReference(call, test::randomOutputGradient(call, seed + 1000));
  }
}

TEST_CASE("two keys by hand: weights of 1/2 and the values' difference") {
  Call call(Call::oneHead(1, 2, 1, 1));
  call.options.scale = 3;
  call.query = {0};
  call.key = {1, -1};
  call.value = {5, 9};
  const auto result = test::gradientsOf(call, {2});
  // P = ½, dP = 10 and 18, D = 14, dS = ∓2
  CHECK(result.value == std::vector<float>{1, 1});
  CHECK(result.query == std::vector<float>{3 * (-2 * 1 + 2 * -1)});
  CHECK(result.key == std::vector<float>{0, 0});
}

TEST_CASE("query heads of a group add up to the gradients of their key/value head") {
  Shape shape = Call::oneHead(7, 9, 4, 3);
  shape.queryHeads = 3;
  Call grouped(shape);
  randomise(grouped, 31);
  const auto dOutput = test::randomOutputGradient(grouped, 32);
  const auto together = test::gradientsOf(grouped, dOutput);
  std::vector<double> key(grouped.key.size());
  std::vector<double> value(grouped.value.size());
  for (std::size_t h = 0; h < 3; ++h) {
    Call alone(Call::oneHead(7, 9, 4, 3));
    alone.query.assign(&grouped.query[h * 28], &grouped.query[h * 28] + 28);
    alone.key = grouped.key;
    alone.value = grouped.value;
    const auto part = test::gradientsOf(alone, {&dOutput[h * 21], &dOutput[h * 21] + 21});
    for (std::size_t i = 0; i < key.size(); ++i) key[i] += double{part.key[i]};
    for (std::size_t i = 0; i < value.size(); ++i) value[i] += double{part.value[i]};
    CHECK(std::equal(part.query.begin(), part.query.end(), &together.query[h * 28]));
  }
  for (std::size_t i = 0; i < key.size(); ++i) CHECK(std::fabs(key[i] - double{together.key[i]}) < 1e-6);
  for (std::size_t i = 0; i < value.size(); ++i) CHECK(std::fabs(value[i] - double{together.value[i]}) < 1e-6);
}

TEST_CASE("without the scale of 1/√d the softmax saturates and hardly any gradient comes through") {
  // Vaswani et al. 2017, footnote 4: products of d random terms have variance d. With the identity as
  // values dP is dO, and dQ / scale shows the size of dS.
  constexpr std::size_t kKeys = 32;
  const auto comingThrough = [](std::size_t dim, double scale) {
    Call call(Call::oneHead(64, kKeys, dim, kKeys));
    randomise(call, 33);
    for (std::size_t j = 0; j < kKeys; ++j) {
      for (std::size_t c = 0; c < kKeys; ++c) call.value[j * kKeys + c] = j == c ? 1.0F : 0.0F;
    }
    call.options.scale = scale;
    const auto gradients = test::referenceGradientsOf(call, test::randomOutputGradient(call, 34));
    double squares = 0;
    for (const double x : gradients.query) squares += x * x;
    return std::sqrt(squares / static_cast<double>(gradients.query.size())) / scale;
  };
  std::vector<double> unscaled;
  for (const std::size_t dim : {std::size_t{16}, std::size_t{64}, std::size_t{256}, std::size_t{1024}}) {
    INFO("d " << dim);
    CHECK(comingThrough(dim, 1 / std::sqrt(static_cast<double>(dim))) == Catch::Approx(0.25).epsilon(0.06));
    unscaled.push_back(comingThrough(dim, 1));
  }
  CHECK(std::is_sorted(unscaled.rbegin(), unscaled.rend()));
  CHECK(unscaled[3] < 0.4 * unscaled[0]);
}

TEST_CASE("the gradient of plain dot products is that of a scale of 1; other scorings are refused") {
  Call call(Call::oneHead(6, 8, 5, 3));
  randomise(call, 41);
  const auto dOutput = test::randomOutputGradient(call, 42);
  call.options.scale = 1;
  const auto expected = test::gradientsOf(call, dOutput);
  call.options.scale.reset();
  call.options.scoring = scoring::Dot{};
  CHECK(test::gradientsOf(call, dOutput).key == expected.key);
  test::checkGradientsAgainstReference(call, dOutput);

  call.options.scoring = scoring::Cosine{};
  CHECK(test::gradientsOf(call, dOutput).report.status == Status::invalidOptions);
  CHECK(test::referenceGradientsOf(call, dOutput).report.status == Status::invalidOptions);
  CHECK(test::gradientsOf(call, dOutput).key[0] == 12345);
}

TEST_CASE("scratch of the gradient grows with the lengths, not with their product, whatever the tile") {
  const auto bytes = [](std::size_t queries, std::size_t keys, TileSize tile = {}) {
    return attentionBackwardWorkingBytes(Call::oneHead(queries, keys, 64, 64), {}, tile);
  };
  CHECK(bytes(65536, 65536) < 120'000'000);
  CHECK(bytes(65536, 65536) < 2 * bytes(32768, 32768));
  CHECK(bytes(1 << 20, 8) < 1'000'000);
  CHECK(bytes(65536, 65536, {65536, 64}) < 2 * bytes(65536, 65536));
}

TEST_CASE("the gradient's scratch is what was announced, taken once and given back") {
  Call call(Call::oneHead(100, 300, 24, 10));
  randomise(call, 35);
  const auto dOutput = test::randomOutputGradient(call, 36);
  for (const bool capped : {false, true}) {
    if (capped) call.options.softcap = 3;
    Arena arena;
    std::vector<float> query(call.query.size());
    std::vector<float> key(call.key.size());
    std::vector<float> value(call.value.size());
    const Report report =
        attentionBackward(call.shape, {call.query.data(), call.key.data(), call.value.data()}, dOutput.data(),
                          call.options, {query.data(), key.data(), value.data()}, {}, arena);
    REQUIRE(report.status == Status::ok);
    CHECK(arena.capacity() == attentionBackwardWorkingBytes(call.shape, call.options, {}));
    CHECK(report.workingBytes == arena.capacity());
    CHECK(arena.used() == 0);
    CHECK(report.carefulRows == 0);
    // Twice the same bits, whatever the arena held.
    CHECK(test::gradientsOf(call, dOutput).key == key);
  }
}

TEST_CASE("the gradient's report counts tiles and the work of five products") {
  Call call(Call::oneHead(512, 512, 4, 3));
  randomise(call, 37);
  call.tile = {64, 64};
  call.options.mask.causal = true;
  const Report report = test::gradientsOf(call, test::randomOutputGradient(call, 38)).report;
  CHECK(report.tilesVisited == 36);
  CHECK(report.tilesSkipped == 28);
  CHECK(report.flops == 36 * 2 * 64 * 64 * (3 * 4 + 2 * 3));
}

TEST_CASE("a gradient that cannot be computed is refused before anything is written") {
  float sentinel = 17;
  double wideSentinel = 17;
  Arena arena;
  const auto statuses = [&](const Shape& shape, const Options& options) {
    const float number = 1;
    const double wide = 1;
    return std::array{attentionBackward(shape, {&number, &number, &number}, &number, options,
                                        {&sentinel, &sentinel, &sentinel}, {}, arena)
                          .status,
                      reference::attentionBackward(shape, {&wide, &wide, &wide}, &wide, options,
                                                   {&wideSentinel, &wideSentinel, &wideSentinel}, arena)};
  };
  const auto both = [](Status status) { return std::array{status, status}; };
  Shape bad = Call::oneHead(1, 1, 1, 1);
  bad.queryHeads = 3;
  bad.kvHeads = 2;
  CHECK(statuses(bad, {}) == both(Status::invalidShape));
  Options options;
  options.softcap = 0;
  CHECK(statuses(Call::oneHead(1, 1, 1, 1), options) == both(Status::invalidOptions));
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  CHECK(statuses(Call::oneHead(kMost / 2, 1, 1, 1), {}) == both(Status::tooLarge));
  CHECK(statuses(Call::oneHead(1, kMost / 32, 1, 1), {}) == both(Status::outOfMemory));
  CHECK(sentinel == 17);
  CHECK(wideSentinel == 17);
  CHECK(statuses(Call::oneHead(1, 1, 1, 1), {}) == both(Status::ok));
  CHECK(sentinel == 1);
}

TEST_CASE("without queries or without keys the gradients are 0") {
  for (const auto& [queries, keys] : {std::array<std::size_t, 2>{0, 5}, std::array<std::size_t, 2>{5, 0}}) {
    Call call(Call::oneHead(queries, keys, 3, 2));
    randomise(call, 39);
    const auto dOutput = test::randomOutputGradient(call, 40);
    const auto got = test::gradientsOf(call, dOutput);
    const auto want = test::referenceGradientsOf(call, dOutput);
    CHECK(got.query == std::vector<float>(queries * 3));
    CHECK(got.key == std::vector<float>(keys * 3));
    CHECK(got.value == std::vector<float>(keys * 2));
    CHECK(want.key == std::vector<double>(keys * 3));
    CHECK(want.value == std::vector<double>(keys * 2));
  }
}
