// Multi-head attention: the reference against projections written down once more, the kernel against the reference.

#include "attn/multi_head.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "attn/reference.h"
#include "support/call.h"
#include "support/random_call.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

template <class T>
struct Results {
  std::vector<T> output;
  std::vector<T> heads;
  std::vector<T> weights;
  std::vector<T> logSumExp;
  Report report;
};

struct Layer {
  std::vector<float> weights;
  std::vector<float> bias;

  void draw(Random& random, std::size_t in, std::size_t out, bool biased) {
    weights.resize(in * out);
    random.fillNormal(weights, 1 / std::sqrt(static_cast<float>(in)));
    bias.resize(biased ? out : 0);
    random.fillNormal(bias);
  }
};

/// One call with all that it points to. The masks and the bias of the scores are those of `attention`.
struct MultiHeadCall {
  MultiHeadShape shape;
  Call attention;
  std::vector<float> x;
  std::vector<float> context;
  std::vector<float> contextValues;
  Layer query;
  Layer key;
  Layer value;
  Layer output;

  MultiHeadCall(const MultiHeadShape& s, Random& random, bool biased)
      : shape(s),
        attention(s.attention),
        x(s.attention.batch * s.attention.queries * s.queryWidth),
        context(s.attention.batch * s.attention.keys * s.keyWidth),
        contextValues(s.attention.batch * s.attention.keys * s.valueWidth) {
    random.fillNormal(x);
    random.fillNormal(context);
    random.fillNormal(contextValues);
    query.draw(random, s.queryWidth, s.attention.queryHeads * s.attention.keyDim, biased);
    key.draw(random, s.keyWidth, s.attention.kvHeads * s.attention.keyDim, biased);
    value.draw(random, s.valueWidth, s.attention.kvHeads * s.attention.valueDim, biased);
    output.draw(random, s.attention.queryHeads * s.attention.valueDim, s.outputWidth, biased && s.outputWidth != 0);
  }

  template <class T, class Run>
  [[nodiscard]] Results<T> results(Run run) const {
    const Shape& s = shape.attention;
    const std::size_t rows = s.batch * s.queryHeads * s.queries;
    const std::size_t width = shape.outputWidth == 0 ? s.queryHeads * s.valueDim : shape.outputWidth;
    Results<T> to{std::vector<T>(s.batch * s.queries * width, T{12345}),
                  std::vector<T>(rows * s.valueDim, T{12345}),
                  std::vector<T>(rows * s.keys, T{12345}),
                  std::vector<T>(rows, T{12345}),
                  {}};
    // Copies in the precision of the call; those of the float32 call are made for nothing.
    const auto copy = [](const std::vector<float>& numbers) { return std::vector<T>(numbers.begin(), numbers.end()); };
    const std::vector<T> all[] = {copy(x), copy(context), copy(contextValues), copy(attention.bias)};
    const std::vector<T> layers[] = {copy(query.weights), copy(query.bias), copy(key.weights),    copy(key.bias),
                                     copy(value.weights), copy(value.bias), copy(output.weights), copy(output.bias)};
    const auto layer = [&](std::size_t i) {
      return LinearLayer<T>{layers[2 * i].data(), layers[2 * i + 1].empty() ? nullptr : layers[2 * i + 1].data()};
    };
    const MultiHeadInputs<T> inputs{
        all[0].data(), all[1].data(), all[2].data(), layer(0),
        layer(1),      layer(2),      layer(3),      {all[3].empty() ? nullptr : all[3].data(), attention.biasStrides}};
    run(inputs, MultiHeadOutputs<T>{to.output.data(), to.heads.data(), to.weights.data(), nullptr, to.logSumExp.data()},
        to.report);
    REQUIRE(to.report.status == Status::ok);
    return to;
  }

  [[nodiscard]] Results<float> run() const {
    return results<float>([&](const auto& inputs, const auto& outputs, Report& report) {
      Arena arena;
      report = multiHeadAttention(shape, inputs, attention.options, outputs, attention.tile, arena);
      CHECK(arena.capacity() == multiHeadWorkingBytes(shape, attention.options, attention.tile));
      CHECK(arena.used() == 0);
    });
  }

  [[nodiscard]] Results<double> reference() const {
    return results<double>([&](const auto& inputs, const auto& outputs, Report& report) {
      Arena arena;
      report.status = reference::multiHeadAttention(shape, inputs, attention.options, outputs, arena);
      CHECK(arena.capacity() == reference::multiHeadWorkingBytes(shape, attention.options));
    });
  }
};

MultiHeadShape randomMultiHeadShape(Random& random) {
  MultiHeadShape shape;
  shape.attention = test::randomShape(random);
  shape.queryWidth = random.between(1, 150);
  shape.keyWidth = random.between(1, 40);
  shape.valueWidth = random.between(1, 40);
  shape.outputWidth = random.chance(0.3) ? 0 : random.between(1, 40);
  return shape;
}

template <class T>
void checkClose(const char* name, const std::vector<T>& got, const std::vector<double>& want, double tolerance) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double x{got[i]};
    const bool same = std::isnan(want[i])
                          ? std::isnan(x)
                          : x == want[i] || std::fabs(x - want[i]) <= tolerance * std::max(1.0, std::fabs(want[i]));
    INFO(name << " number " << i);
    if (!same) CHECK(x == want[i]);
  }
}

/// rows [·, in] · layer → [heads, ·, width]
std::vector<double> project(const std::vector<float>& rows, std::size_t in, const Layer& layer, std::size_t heads,
                            std::size_t width) {
  const std::size_t count = rows.size() / in;
  std::vector<double> out;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < width; ++c) {
        const std::size_t column = h * width + c;
        double sum = layer.bias.empty() ? 0 : double{layer.bias[column]};
        for (std::size_t k = 0; k < in; ++k) {
          sum += double{rows[i * in + k]} * double{layer.weights[k * heads * width + column]};
        }
        out.push_back(sum);
      }
    }
  }
  return out;
}

}  // namespace

TEST_CASE("multi-head attention is attention between projections") {
  Random random(1);
  MultiHeadShape shape;
  shape.attention = Call::oneHead(5, 7, 3, 2);
  shape.attention.queryHeads = 4;
  shape.attention.kvHeads = 2;
  shape.queryWidth = 6;
  shape.keyWidth = 5;
  shape.valueWidth = 4;
  shape.outputWidth = 9;
  const MultiHeadCall call(shape, random, true);
  const auto got = call.reference();

  const auto q = project(call.x, 6, call.query, 4, 3);
  const auto k = project(call.context, 5, call.key, 2, 3);
  const auto v = project(call.contextValues, 4, call.value, 2, 2);
  std::vector<double> heads(40);
  std::vector<double> weights(140);
  std::vector<double> logSumExp(20);
  Arena arena;
  REQUIRE(reference::attention(shape.attention, {q.data(), k.data(), v.data()}, {},
                               {heads.data(), weights.data(), nullptr, logSumExp.data()}, arena) == Status::ok);
  checkClose("heads", got.heads, heads, 1e-14);
  checkClose("weights", got.weights, weights, 1e-14);
  checkClose("logSumExp", got.logSumExp, logSumExp, 1e-14);
  std::vector<double> output;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t c = 0; c < 9; ++c) {
      double sum{call.output.bias[c]};
      for (std::size_t h = 0; h < 4; ++h) {
        for (std::size_t w = 0; w < 2; ++w) {
          sum += heads[(h * 5 + i) * 2 + w] * double{call.output.weights[(h * 2 + w) * 9 + c]};
        }
      }
      output.push_back(sum);
    }
  }
  checkClose("output", got.output, output, 1e-14);
}

TEST_CASE("multi-head attention in float32 equals the reference, whatever the shape, the masks and the tile") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    MultiHeadCall call(randomMultiHeadShape(random), random, random.chance(0.5));
    test::setRandomMasks(random, call.attention);
    test::setRandomOptions(random, call.attention);
    test::randomiseTile(random, call.attention);
    INFO(call.attention.describe());
    const auto got = call.run();
    const auto want = call.reference();
    checkClose("output", got.output, want.output, 5e-6);
    checkClose("heads", got.heads, want.heads, 5e-6);
    checkClose("weights", got.weights, want.weights, 5e-6);
    checkClose("logSumExp", got.logSumExp, want.logSumExp, 5e-6);
  }
}

TEST_CASE("without weights for the output the heads stand side by side") {
  Random random(2);
  MultiHeadShape shape;
  shape.attention = Call::oneHead(3, 3, 2, 2);
  shape.attention.queryHeads = shape.attention.kvHeads = 2;
  shape.queryWidth = shape.keyWidth = shape.valueWidth = 4;
  const auto got = MultiHeadCall(shape, random, false).run();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t c = 0; c < 4; ++c) CHECK(got.output[i * 4 + c] == got.heads[(c / 2 * 3 + i) * 2 + c % 2]);
  }
}

TEST_CASE("a masked row of the context has no influence, whatever it holds") {
  Random random(3);
  MultiHeadShape shape;
  shape.attention = Call::oneHead(6, 9, 4, 5);
  shape.attention.queryHeads = shape.attention.kvHeads = 2;
  shape.queryWidth = shape.keyWidth = shape.valueWidth = 7;
  shape.outputWidth = 3;
  MultiHeadCall call(shape, random, true);
  call.attention.setAllowKeys({1, 1, 0, 1, 1, 1, 1, 0, 1}, false);
  const auto clean = call.run();
  for (const std::size_t j : {std::size_t{2}, std::size_t{7}}) {
    call.context[j * 7 + 3] = kNaN;
    call.contextValues[j * 7 + 1] = std::numeric_limits<float>::infinity();
  }
  const auto poisoned = call.run();
  checkClose("output", poisoned.output, call.reference().output, 5e-6);
  for (std::size_t i = 0; i < clean.output.size(); ++i) {
    CHECK(std::fabs(poisoned.output[i] - clean.output[i]) <= 4e-6F);
  }

  call.x[2 * 7] = kNaN;
  const auto got = call.run();
  for (std::size_t i = 0; i < got.output.size(); ++i) CHECK(std::isnan(got.output[i]) == (i / 3 == 2));
}

TEST_CASE("a projection that fits float32 is finite, though its sum on the way is not") {
  Random random(4);
  MultiHeadShape shape;
  shape.attention = Call::oneHead(1, 1, 1, 1);
  shape.queryWidth = shape.keyWidth = 1;
  shape.valueWidth = 4;
  MultiHeadCall call(shape, random, false);
  call.contextValues = {3e38F, 3e38F, 3e38F, 3e38F};
  call.value.weights = {1, 1, -1, -1};
  CHECK(call.run().output[0] == 0);
  call.value.weights = {1, 1, 1, -1};
  CHECK(call.run().output[0] == std::numeric_limits<float>::infinity());
}

TEST_CASE("without keys every output is the bias of the last projection") {
  Random random(5);
  MultiHeadShape shape;
  shape.attention = Call::oneHead(2, 0, 3, 3);
  shape.queryWidth = shape.keyWidth = shape.valueWidth = 3;
  shape.outputWidth = 2;
  const MultiHeadCall call(shape, random, true);
  const auto& bias = call.output.bias;
  CHECK(call.run().output == std::vector<float>{bias[0], bias[1], bias[0], bias[1]});
}

TEST_CASE("multi-head attention counts the work of its projections") {
  Random random(6);
  MultiHeadShape shape;
  shape.attention = Call::oneHead(10, 20, 4, 3);
  shape.queryWidth = 5;
  shape.keyWidth = 6;
  shape.valueWidth = 7;
  shape.outputWidth = 8;
  const Report report = MultiHeadCall(shape, random, false).run().report;
  CHECK(report.flops == 2 * (10 * 20 * (4 + 3) + 10 * 5 * 4 + 20 * 6 * 4 + 20 * 7 * 3 + 10 * 3 * 8));
}

TEST_CASE("multi-head attention that cannot be computed is refused before anything is written") {
  float sentinel = 17;
  Arena arena;
  const auto status = [&](const MultiHeadShape& shape) {
    const float one = 1;
    const LinearLayer<float> layer{&one};
    return multiHeadAttention(shape, {&one, &one, &one, layer, layer, layer, layer}, {}, {&sentinel}, {}, arena).status;
  };
  MultiHeadShape shape;
  shape.attention = Call::oneHead(1, 1, 1, 1);
  shape.keyWidth = 0;
  CHECK(status(shape) == Status::invalidShape);
  shape.keyWidth = std::numeric_limits<std::size_t>::max() / 2;
  CHECK(status(shape) == Status::tooLarge);
  shape.keyWidth = std::numeric_limits<std::size_t>::max() / 512;
  CHECK(status(shape) == Status::outOfMemory);
  CHECK(sentinel == 17);
  shape.keyWidth = 1;
  CHECK(status(shape) == Status::ok);
  CHECK(sentinel == 1);
}
