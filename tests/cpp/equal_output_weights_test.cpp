// Other weights with the same output: valid, and as far away as any vertex that can be found by trying them all.

#include "attn/equal_output_weights.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/random.h"

using namespace attn;
using test::Random;

namespace {

struct Found {
  EqualOutputWeights result;
  std::vector<double> weights;
  std::vector<double> output;
};

Found find(const std::vector<double>& weights, const std::vector<double>& values,
           const std::vector<std::uint8_t>& allow = {}) {
  const std::size_t keys = weights.size();
  Arena arena;
  Found found{{}, std::vector<double>(keys, 12345), std::vector<double>(values.size() / keys, 12345)};
  found.result = equalOutputWeights(weights.data(), values.data(), allow.empty() ? nullptr : allow.data(), keys,
                                    values.size() / keys, found.weights.data(), found.output.data(), arena);
  REQUIRE(found.result.status == Status::ok);
  CHECK(arena.capacity() == equalOutputWeightsWorkingBytes(keys, values.size() / keys));
  return found;
}

double distanceBetween(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += std::fabs(a[j] - b[j]);
  return sum / 2;
}

/// Weights they are, and their output is the same.
void checkValid(const Found& found, const std::vector<double>& weights, const std::vector<double>& values) {
  const std::size_t keys = weights.size();
  const std::size_t dim = values.size() / keys;
  for (const double x : found.weights) CHECK(x >= 0);
  CHECK(std::accumulate(found.weights.begin(), found.weights.end(), 0.0) == Catch::Approx(1).epsilon(1e-12));
  CHECK(found.result.distance == Catch::Approx(distanceBetween(found.weights, weights)).margin(1e-9));
  for (std::size_t c = 0; c < dim; ++c) {
    double difference = 0;
    double largest = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      if (found.weights[j] == weights[j]) continue;
      difference += (found.weights[j] - weights[j]) * values[j * dim + c];
      largest = std::max(largest, std::fabs(values[j * dim + c]));
    }
    CHECK(std::fabs(difference) <= 1e-9 * largest);
    double output = 0;
    for (std::size_t j = 0; j < keys; ++j) output += found.weights[j] * values[j * dim + c];
    CHECK(found.output[c] == Catch::Approx(output).epsilon(1e-13));
  }
}

struct Draw {
  std::vector<double> weights;
  std::vector<double> values;

  Draw(Random& random, std::size_t keys, std::size_t dim, double sparsity = 0) : weights(keys), values(keys * dim) {
    for (double& w : weights) w = random.chance(sparsity) ? 0 : std::exp(1.5 * double{random.normal()});
    weights[0] += 0.1;
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) w /= sum;
    for (double& v : values) v = double{random.normal()};
  }
};

/// Solves A x = b [n, n] in place; false if A is singular.
bool solve(std::vector<std::vector<double>> a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t best = i;
    for (std::size_t r = i; r < n; ++r) best = std::fabs(a[r][i]) > std::fabs(a[best][i]) ? r : best;
    if (std::fabs(a[best][i]) < 1e-9) return false;
    std::swap(a[i], a[best]);
    std::swap(b[i], b[best]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < n; ++c) a[r][c] -= factor * a[i][c];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return true;
}

/// The distance to the farthest vertex, by trying every set of dim + 1 keys; values in general position.
double farthestByTrying(const Draw& draw) {
  const std::size_t keys = draw.weights.size();
  const std::size_t conditions = draw.values.size() / keys + 1;
  const auto column = [&](std::size_t j) {
    std::vector<double> condition{1};
    condition.insert(condition.end(), &draw.values[j * (conditions - 1)],
                     &draw.values[j * (conditions - 1)] + conditions - 1);
    return condition;
  };
  std::vector<double> wanted(conditions);
  for (std::size_t j = 0; j < keys; ++j) {
    for (std::size_t c = 0; c < conditions; ++c) wanted[c] += draw.weights[j] * column(j)[c];
  }
  std::vector<bool> chosen(keys);
  std::fill_n(chosen.begin(), conditions, true);
  double farthest = 0;
  do {
    std::vector<std::vector<double>> a(conditions, std::vector<double>(conditions));
    std::vector<std::size_t> basis;
    for (std::size_t j = 0; j < keys; ++j) {
      if (!chosen[j]) continue;
      for (std::size_t c = 0; c < conditions; ++c) a[c][basis.size()] = column(j)[c];
      basis.push_back(j);
    }
    std::vector<double> x = wanted;
    if (!solve(a, x) || *std::min_element(x.begin(), x.end()) < -1e-12) continue;
    std::vector<double> weights(keys);
    for (std::size_t i = 0; i < conditions; ++i) weights[basis[i]] = x[i];
    farthest = std::max(farthest, distanceBetween(weights, draw.weights));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return farthest;
}

}  // namespace

TEST_CASE("one key in the middle: its weight goes to both ends") {
  const auto found = find({0, 1, 0}, {1, 2, 3});
  CHECK(found.result.exists);
  CHECK(found.result.farthest);
  CHECK(found.result.distance == Catch::Approx(1));
  CHECK(found.weights[0] == Catch::Approx(0.5));
  CHECK(found.weights[1] == 0);
  CHECK(found.weights[2] == Catch::Approx(0.5));
}

TEST_CASE("keys with the same value can change places") {
  const auto found = find({0.7, 0.3, 0}, {4, 5, 1, 2, 4, 5});
  CHECK(found.result.exists);
  CHECK(found.result.distance == Catch::Approx(0.7));
  CHECK(found.weights[2] == Catch::Approx(0.7));
}

TEST_CASE("no other weights give the output of independent values, of an extreme one, or of a single key") {
  const std::vector<double> given{0.2, 0.3, 0.5};
  const auto independent = find(given, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK_FALSE(independent.result.exists);
  CHECK(independent.result.farthest);
  CHECK(independent.result.distance == 0);
  CHECK(independent.weights == given);
  // A corner of a triangle: many conditions are missing, yet the other corners cannot help.
  CHECK_FALSE(find({1, 0, 0, 0}, {0, 0, 1, 0, 0, 1, 1, 1}).result.exists);
  // An edge: the other corners cannot help either.
  CHECK_FALSE(find({0.4, 0.6, 0, 0}, {0, 0, 1, 0, 0, 1, 1, 1}).result.exists);
  CHECK_FALSE(find({1}, {3}).result.exists);
  // The same for more keys than signs are tried for: points on a parabola, w on its first two.
  std::vector<double> values;
  std::vector<double> weights(40);
  for (int j = 0; j < 40; ++j) values.insert(values.end(), {0.1 * j, 0.01 * j * j});
  weights[0] = weights[1] = 0.5;
  CHECK_FALSE(find(weights, values).result.exists);
}

TEST_CASE("the weights found are valid and no vertex is farther, for up to 14 keys with weight") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::size_t keys = random.between(2, 11);
    const Draw draw(random, keys, random.between(1, 5), random.oneOf<double>({0, 0.4}));
    const auto found = find(draw.weights, draw.values);
    checkValid(found, draw.weights, draw.values);
    CHECK(found.result.farthest);
    const bool unique = keys <= draw.values.size() / keys + 1;
    const double farthest = unique ? 0 : farthestByTrying(draw);
    CHECK(found.result.exists == (farthest > kSameWeights));
    CHECK(found.result.distance == Catch::Approx(farthest).margin(1e-9));
  }
}

TEST_CASE("for more keys the weights found are valid and hardly nearer than the farthest") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    // 20 or 40 keys and two columns: the farthest can still be found by trying all.
    const Draw draw(random, seed % 2 == 0 ? 20 : 40, 2);
    const auto found = find(draw.weights, draw.values);
    checkValid(found, draw.weights, draw.values);
    CHECK(found.result.exists);
    CHECK_FALSE(found.result.farthest);
    CHECK(found.result.distance > 0.97 * farthestByTrying(draw));
  }
  for (const auto& [keys, dim] : {std::pair<std::size_t, std::size_t>{200, 16}, {66, 64}, {300, 1}}) {
    INFO(keys << " keys, " << dim << " columns");
    Random random(99);
    const Draw draw(random, keys, dim);
    const auto found = find(draw.weights, draw.values);
    checkValid(found, draw.weights, draw.values);
    CHECK(found.result.exists);
  }
}

TEST_CASE("values of any size, with columns that repeat or hold still") {
  for (const double size : {1e-200, 1e-12, 1.0, 1e12, 1e200}) {
    INFO("size " << size);
    Random random(7);
    const Draw draw(random, 9, 2);
    std::vector<double> values;
    for (std::size_t j = 0; j < 9; ++j) {
      const double x = size * draw.values[2 * j];
      const double y = draw.values[2 * j + 1];
      values.insert(values.end(), {x, y, 5, x, x + size * y, 0});
    }
    const auto found = find(draw.weights, values);
    checkValid(found, draw.weights, values);
    CHECK(found.result.distance == Catch::Approx(farthestByTrying(draw)));
  }
}

TEST_CASE("a key that is not allowed gets no weight, whatever its value") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto found = find({0.5, 0, 0.5, 0}, {1, 2, 3, nan}, {1, 1, 1, 0});
  CHECK(found.result.exists);
  CHECK(found.weights[1] == Catch::Approx(1));
  CHECK(found.weights[3] == 0);
  CHECK(found.output[0] == Catch::Approx(2));
  CHECK_FALSE(find({0.5, 0, 0.5, 0}, {1, 2, 3, nan}, {1, 0, 1, 0}).result.exists);
}

TEST_CASE("equal-output weights without keys or without memory are refused") {
  double others = 17;
  Arena arena;
  const double one = 1;
  CHECK(equalOutputWeights(&one, &one, nullptr, 0, 1, &others, &others, arena).status == Status::invalidShape);
  CHECK(
      equalOutputWeights(&one, &one, nullptr, std::numeric_limits<std::size_t>::max() / 64, 1, &others, &others, arena)
          .status == Status::outOfMemory);
  CHECK(others == 17);
}
