#include "support/cache.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "attn/reference.h"

namespace attn::test {

std::vector<float> rowsOf(const std::vector<float>& tensor, std::size_t heads, std::size_t width, std::size_t from,
                          std::size_t count) {
  const std::size_t length = tensor.size() / (heads * width);
  std::vector<float> rows;
  for (std::size_t head = 0; head < heads; ++head) {
    const auto begin = tensor.begin() + static_cast<std::ptrdiff_t>((head * length + from) * width);
    rows.insert(rows.end(), begin, begin + static_cast<std::ptrdiff_t>(count * width));
  }
  return rows;
}

KvCacheSettings settingsOf(const Shape& shape) {
  KvCacheSettings settings;
  settings.batch = shape.batch;
  settings.kvHeads = shape.kvHeads;
  settings.keyDim = shape.keyDim;
  settings.valueDim = shape.valueDim;
  return settings;
}

Status append(KvCache& cache, const Call& call, std::size_t from, std::size_t count) {
  const std::size_t heads = call.shape.batch * call.shape.kvHeads;
  const auto key = rowsOf(call.key, heads, call.shape.keyDim, from, count);
  const auto value = rowsOf(call.value, heads, call.shape.valueDim, from, count);
  return cache.append(key.data(), value.data(), count);
}

Result<float> attend(const KvCache& cache, const Call& call) {
  const Shape shape = cache.shape(call.shape.queryHeads, call.shape.queries);
  const std::size_t rows = shape.batch * shape.queryHeads * shape.queries;
  constexpr float kUnwritten = 12345.0F;
  Result<float> result;
  result.output.assign(rows * shape.valueDim, kUnwritten);
  result.weights.assign(rows * shape.keys, kUnwritten);
  result.scores.assign(rows * shape.keys, kUnwritten);
  result.logSumExp.assign(rows, kUnwritten);
  Arena arena;
  result.report = cache.attend(
      shape, call.query.data(), {call.bias.empty() ? nullptr : call.bias.data(), call.biasStrides}, call.options,
      {result.output.data(), result.weights.data(), result.scores.data(), result.logSumExp.data()}, arena);
  if (result.report.status == Status::ok && shape.hasRows()) {
    CHECK(arena.capacity() == cache.attendWorkingBytes(shape, call.options));
  }
  return result;
}

double largestOf(const std::vector<float>& numbers) {
  double largest = 1;
  for (const float x : numbers) {
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(double{x}));
  }
  return largest;
}

void checkClose(const char* name, const std::vector<float>& got, const std::vector<double>& want, double tolerance) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto a = static_cast<double>(got[i]);
    const auto b = want[i];
    const bool agree = std::isnan(b) ? std::isnan(a) : a == b || std::fabs(a - b) <= tolerance;
    if (!agree) {
      INFO(name << " " << i);
      CHECK(a == b);
      return;
    }
  }
}

void checkAgainstReference(const KvCache& cache, const Call& call) {
  INFO(call.describe() << ", held from " << cache.firstKey());
  const auto got = attend(cache, call);
  REQUIRE(got.report.status == Status::ok);
  Options options = call.options;
  if (const auto& window = cache.settings().window) {
    const Window own = options.mask.window.value_or(Window{});
    options.mask.window = Window{std::min(own.left, window->left), std::min(own.right, window->right)};
  }
  const std::size_t rows = got.logSumExp.size();
  Result<double> want;
  want.output.resize(rows * call.shape.valueDim);
  want.weights.resize(rows * call.shape.keys);
  want.scores.resize(rows * call.shape.keys);
  want.logSumExp.resize(rows);
  const std::vector<double> q(call.query.begin(), call.query.end());
  const std::vector<double> k(call.key.begin(), call.key.end());
  const std::vector<double> v(call.value.begin(), call.value.end());
  const std::vector<double> bias(call.bias.begin(), call.bias.end());
  Arena arena;
  REQUIRE(reference::attention(
              call.shape, {q.data(), k.data(), v.data(), {bias.empty() ? nullptr : bias.data(), call.biasStrides}},
              options, {want.output.data(), want.weights.data(), want.scores.data(), want.logSumExp.data()},
              arena) == Status::ok);
  checkClose("output", got.output, want.output, 1e-6 * largestOf(call.value));
  checkClose("weights", got.weights, want.weights, 1e-6);
  checkClose("scores", got.scores, want.scores, 1e-7 * largestOf(got.scores));
  checkClose("logSumExp", got.logSumExp, want.logSumExp, 4e-6 * largestOf(got.logSumExp));
}

void fillNormal(Call& call, Random& random) {
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value);
}

Shape randomCacheShape(Random& random, std::size_t most) {
  const std::vector<std::size_t> widths{1, 3, 4, 7, 8, 9, 16, 17, 40, 64};
  Shape shape;
  shape.batch = random.between(1, 2);
  shape.kvHeads = random.between(1, 3);
  shape.queryHeads = shape.kvHeads * random.between(1, 5);
  shape.keys = random.between(1, most);
  shape.queries = shape.keys;
  shape.keyDim = random.oneOf(widths);
  shape.valueDim = random.oneOf(widths);
  return shape;
}

std::size_t randomChunk(Random& random, std::size_t rest) {
  return std::min(rest, random.chance(0.4) ? 1 : random.between(1, random.chance(0.5) ? 10 : 150));
}

}  // namespace attn::test
