#include "attn/softmax.h"

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

std::vector<float> softmaxOf(std::vector<float> row) {
  softmax(row.data(), 1, row.size(), row.data());
  return row;
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
