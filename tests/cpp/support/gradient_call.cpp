#include "support/gradient_call.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "scale.h"
#include "support/random.h"

namespace attn::test {

namespace {

std::vector<double> widened(const std::vector<float>& numbers) { return {numbers.begin(), numbers.end()}; }

bool agree(double got, double want, double tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  return got == want || std::fabs(got - want) <= tolerance;
}

/// The largest finite |x|.
double largestOf(const float* numbers, std::size_t count) {
  double largest = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (std::isfinite(numbers[c])) largest = std::max(largest, std::fabs(double{numbers[c]}));
  }
  return largest;
}

/// What each row of a gradient may be off by.
struct Tolerances {
  std::vector<double> query;
  std::vector<double> key;
  std::vector<double> value;
};

Tolerances tolerancesOf(const Call& call, const std::vector<float>& dOutput, const Result<double>& forward) {
  constexpr double kTolerance = 1e-6;
  const auto& [batch, queryHeads, kvHeads, nq, nk, d, dv, queryDim] = call.shape;
  const double scale = std::fabs(scaleOf(call.shape, call.options));
  Tolerances at{std::vector<double>(batch * queryHeads * nq), std::vector<double>(batch * kvHeads * nk),
                std::vector<double>(batch * kvHeads * nk)};
  for (std::size_t r = 0; r < at.query.size(); ++r) {
    const std::size_t source = (r / nq / queryHeads * kvHeads + call.shape.kvHeadOf(r / nq % queryHeads)) * nk;
    const double query = largestOf(&call.query[r * d], d);
    const double largestDOutput = largestOf(&dOutput[r * dv], dv);
    double key = 0;
    double value = 0;
    for (std::size_t j = 0; j < nk; ++j) {
      if (!(forward.weights[r * nk + j] > 0)) continue;
      key = std::max(key, largestOf(&call.key[(source + j) * d], d));
      value = std::max(value, largestOf(&call.value[(source + j) * dv], dv));
    }
    // |dO·v| without what the signs of its terms take away, but with what chance does.
    const double gradient = 2 * largestDOutput * value * std::sqrt(static_cast<double>(dv));
    at.query[r] = kTolerance * scale * gradient * key;
    for (std::size_t j = 0; j < nk; ++j) {
      const double weight = forward.weights[r * nk + j];
      if (!(weight > 0)) continue;
      const double share = kTolerance * weight * (1 + std::fabs(std::log(weight)));
      at.key[source + j] += share * scale * gradient * query;
      at.value[source + j] += share * largestDOutput;
    }
  }
  return at;
}

void compare(const char* name, const std::vector<float>& got, const std::vector<double>& want,
             const std::vector<double>& tolerances) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t row = i / (got.size() / tolerances.size());
    // Below this float32 has fewer digits.
    const double tolerance = tolerances[row] + 1e-37;
    INFO(name << " row " << row << " number " << i << ", tolerance " << tolerance);
    if (!agree(got[i], want[i], tolerance)) CHECK(got[i] == want[i]);
  }
}

}  // namespace

GradientResult<float> gradientsOf(const Call& call, const std::vector<float>& dOutput) {
  // Not zeros, which a gradient that was never written might pass for.
  constexpr float kUnwritten = 12345.0F;
  GradientResult<float> result;
  result.query.assign(call.query.size(), kUnwritten);
  result.key.assign(call.key.size(), kUnwritten);
  result.value.assign(call.value.size(), kUnwritten);
  Arena arena;
  result.report = attentionBackward(call.shape, call.inputs(), dOutput.data(), call.options,
                                    {result.query.data(), result.key.data(), result.value.data()}, call.tile, arena);
  return result;
}

GradientResult<double> referenceGradientsOf(const Call& call, const std::vector<float>& dOutput) {
  const std::vector<double> q = widened(call.query);
  const std::vector<double> k = widened(call.key);
  const std::vector<double> v = widened(call.value);
  const std::vector<double> bias = widened(call.bias);
  const std::vector<double> gradient = widened(dOutput);
  GradientResult<double> result;
  result.query.resize(q.size());
  result.key.resize(k.size());
  result.value.resize(v.size());
  Arena arena;
  result.report.status = reference::attentionBackward(
      call.shape, {q.data(), k.data(), v.data(), {bias.empty() ? nullptr : bias.data(), call.biasStrides}},
      gradient.data(), call.options, {result.query.data(), result.key.data(), result.value.data()}, arena);
  return result;
}

std::vector<float> randomOutputGradient(const Call& call, std::uint64_t seed) {
  std::vector<float> dOutput(call.shape.batch * call.shape.queryHeads * call.shape.queries * call.shape.valueDim);
  Random random(seed);
  random.fillNormal(dOutput);
  return dOutput;
}

void checkGradientsAgainstReference(const Call& call, const std::vector<float>& dOutput) {
  INFO(call.describe());
  const auto got = gradientsOf(call, dOutput);
  const auto want = referenceGradientsOf(call, dOutput);
  REQUIRE(got.report.status == Status::ok);
  REQUIRE(want.report.status == Status::ok);
  const Tolerances tolerances = tolerancesOf(call, dOutput, call.reference());
  compare("dQuery", got.query, want.query, tolerances.query);
  compare("dKey", got.key, want.key, tolerances.key);
  compare("dValue", got.value, want.value, tolerances.value);
}

}  // namespace attn::test
