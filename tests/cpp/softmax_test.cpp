#include "attn/softmax.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/random.h"

using namespace attn;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<float> softmaxOf(std::vector<float> row, SoftmaxOptions options = {}) {
  softmax(row.data(), 1, row.size(), row.data(), options);
  return row;
}

constexpr SoftmaxOptions kUnstable{Precision::f32, false};
constexpr SoftmaxOptions kHalf{Precision::f16, true};
constexpr SoftmaxOptions kUnstableHalf{Precision::f16, false};
constexpr SoftmaxOptions kBfloat16{Precision::bf16, true};
constexpr SoftmaxOptions kUnstableBfloat16{Precision::bf16, false};

bool allNaN(const std::vector<float>& row) {
  return std::all_of(row.begin(), row.end(), [](float y) { return std::isnan(y); });
}

/// The nearest multiple, ties to even, of the step between the numbers of a format around x.
double nearest(double x, int fractionBits, int smallestExponent, double largest) {
  if (x == 0 || !std::isfinite(x)) return x;
  const double step = std::ldexp(1.0, std::max(std::ilogb(x), smallestExponent) - fractionBits);
  const double rounded = std::nearbyint(x / step) * step;
  return std::fabs(rounded) > largest ? std::copysign(std::numeric_limits<double>::infinity(), rounded) : rounded;
}

double nearest(double x, Precision precision) {
  switch (precision) {
    case Precision::f16:
      return nearest(x, 10, -14, 65504);
    case Precision::bf16:
      return nearest(x, 7, -126, 0x1.FEp127);
    default:
      return nearest(x, 23, -126, 0x1.FFFFFEp127);
  }
}

std::vector<double> stepByStep(const std::vector<float>& row, const SoftmaxOptions& options) {
  const auto rounded = [&](double x) { return nearest(x, options.precision); };
  double max = -std::numeric_limits<double>::infinity();
  for (const float x : row) max = std::max(max, rounded(double{x}));
  std::vector<double> y;
  double sum = 0;
  for (const float x : row) {
    y.push_back(rounded(std::exp(options.stable ? rounded(rounded(double{x}) - max) : rounded(double{x}))));
    sum = rounded(sum + y.back());
  }
  for (double& p : y) p = rounded(p / sum);
  return y;
}

}  // namespace

TEST_CASE("softmax does not overflow where exp would") {
  CHECK(softmaxOf({800, 0, 0}) == std::vector<float>{1, 0, 0});
  CHECK(softmaxOf({1e30F, 1e30F, 1e30F, 1e30F}) == std::vector<float>{0.25F, 0.25F, 0.25F, 0.25F});
  CHECK(softmaxOf({-3e38F, -3e38F}) == std::vector<float>{0.5F, 0.5F});
}

TEST_CASE("softmax keeps small weights") {
  const auto weights = softmaxOf({-5.204F, 7.8325F});
  CHECK(weights[0] == Catch::Approx(2.1793e-6).epsilon(1e-4));
}

TEST_CASE("softmax equals the formula in float64, whatever the number of columns") {
  test::Random random(11);
  for (std::size_t columns = 1; columns < 40; ++columns) {
    std::vector<float> x(3 * columns);
    random.fillNormal(x, 4);
    std::vector<float> y(x.size());
    softmax(x.data(), 3, columns, y.data());
    for (std::size_t r = 0; r < 3; ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < columns; ++c) sum += std::exp(double{x[r * columns + c]});
      for (std::size_t c = 0; c < columns; ++c) {
        CHECK(std::fabs(y[r * columns + c] - std::exp(double{x[r * columns + c]}) / sum) < 3e-7);
      }
    }
  }
}

TEST_CASE("softmax of rows that are not all numbers") {
  CHECK(softmaxOf({0, -kInfinity}) == std::vector<float>{1, 0});
  CHECK(softmaxOf({-kInfinity, -kInfinity}) == std::vector<float>{0, 0});
  CHECK(softmaxOf({}).empty());
  for (const float bad : {kNaN, kInfinity}) {
    for (std::size_t place = 0; place < 9; ++place) {
      std::vector<float> row(9, 1.0F);
      row[place] = bad;
      for (const float y : softmaxOf(row)) CHECK(std::isnan(y));
    }
  }
}

TEST_CASE("softmax without the maximum overflows where exp does") {
  CHECK(softmaxOf({0, 0}, kUnstable) == std::vector<float>{0.5F, 0.5F});
  CHECK(allNaN(softmaxOf({89}, kUnstable)));
  const auto half = softmaxOf({12, 0}, kUnstableHalf);  // exp(12) = 162755 > 65504
  CHECK(std::isnan(half[0]));
  CHECK(half[1] == 0);
  CHECK(softmaxOf({11, 11}, kUnstableHalf) == std::vector<float>{0, 0});  // exp(11) = 59874 fits, the sum does not
  CHECK(softmaxOf({88, 0}, kUnstableBfloat16)[0] == 1);                   // bfloat16 has the range of float32
  CHECK(allNaN(softmaxOf({-20, -20}, kUnstableHalf)));                    // both exponentials round to 0
  CHECK(softmaxOf({12, 0}, kHalf)[0] == 1);
  CHECK(softmaxOf({-20, -20}, kHalf) == std::vector<float>{0.5F, 0.5F});
}

TEST_CASE("softmax in 16 bits rounds its input") {
  CHECK(softmaxOf({1, 1.0003F}, kHalf) == std::vector<float>{0.5F, 0.5F});
  CHECK(softmaxOf({100, 100.2F}, kBfloat16) == std::vector<float>{0.5F, 0.5F});
  CHECK(allNaN(softmaxOf({70000, 0}, kHalf)));
  CHECK(softmaxOf({70000, 0}, kBfloat16) == std::vector<float>{1, 0});
}

TEST_CASE("a sum of ones in 16 bits stands still at the end of its digits") {
  CHECK(softmaxOf(std::vector<float>(3000), kHalf)[0] == 1.0F / 2048);
  CHECK(softmaxOf(std::vector<float>(3000), kBfloat16)[0] == 1.0F / 256);
}

TEST_CASE("softmax in a precision equals rounding after every step") {
  test::Random random(12);
  for (const SoftmaxOptions& options : {kUnstable, kHalf, kUnstableHalf, kBfloat16, kUnstableBfloat16}) {
    for (int run = 0; run < 300; ++run) {
      CAPTURE(static_cast<int>(options.precision), options.stable, run);
      std::vector<float> row(random.between(1, 40));
      random.fillNormal(row, random.oneOf<float>({0.1F, 1, 5, 20}));
      const auto expected = stepByStep(row, options);
      const auto weights = softmaxOf(row, options);
      for (std::size_t c = 0; c < row.size(); ++c) {
        CHECK((double{weights[c]} == expected[c] || (std::isnan(weights[c]) && std::isnan(expected[c]))));
      }
    }
  }
}

TEST_CASE("rows that are not all numbers in every precision") {
  for (const SoftmaxOptions& options : {kUnstable, kHalf, kUnstableHalf, kBfloat16, kUnstableBfloat16}) {
    CAPTURE(static_cast<int>(options.precision), options.stable);
    CHECK(softmaxOf({}, options).empty());
    CHECK(softmaxOf({0, -kInfinity}, options) == std::vector<float>{1, 0});
    CHECK(allNaN(softmaxOf({0, kNaN, -kInfinity}, options)));
    CHECK(std::isnan(softmaxOf({0, kInfinity}, options)[1]));
    CHECK(allNaN(softmaxOf({kNaN, -kInfinity}, options)));
    const auto nothing = softmaxOf({-kInfinity, -kInfinity}, options);
    CHECK((options.stable ? nothing == std::vector<float>{0, 0} : allNaN(nothing)));
  }
}
