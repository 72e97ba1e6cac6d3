#include "attn/mask_after_softmax.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace {

struct Result {
  std::vector<double> weights;
  std::vector<double> sums;
  std::vector<double> renormalised;
};

Result maskAfterSoftmax(const std::vector<double>& scores, const std::vector<std::uint8_t>& allow, std::size_t rows) {
  const std::size_t columns = scores.size() / rows;
  Result result{std::vector<double>(scores.size()), std::vector<double>(rows), std::vector<double>(scores.size())};
  attn::maskAfterSoftmax(scores.data(), allow.data(), rows, columns, result.weights.data(), result.sums.data(),
                         result.renormalised.data());
  return result;
}

}  // namespace

TEST_CASE("masking after softmax leaves rows that do not sum to 1") {
  const auto [weights, sums, renormalised] =
      maskAfterSoftmax({0, 0, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 1, 0, 1, 1, 1}, 3);
  const double third = 1.0 / 3;
  const std::vector<double> expected{third, 0, 0, third, third, 0, third, third, third};
  for (std::size_t i = 0; i < 9; ++i) CHECK(weights[i] == Catch::Approx(expected[i]));
  CHECK(sums[0] == Catch::Approx(third));
  CHECK(sums[1] == Catch::Approx(2 * third));
  CHECK(sums[2] == Catch::Approx(1));
  CHECK(renormalised[0] == Catch::Approx(1));
  CHECK(renormalised[4] == Catch::Approx(0.5));
  CHECK(renormalised[1] == 0);
}

TEST_CASE("what is left depends on the masked score") {
  const auto small = maskAfterSoftmax({1, 0}, {1, 0}, 1);
  const auto large = maskAfterSoftmax({1, 3}, {1, 0}, 1);
  CHECK(small.weights[0] == Catch::Approx(std::exp(1.0) / (std::exp(1.0) + 1)));
  CHECK(large.weights[0] == Catch::Approx(std::exp(-2.0) / (std::exp(-2.0) + 1)));
  CHECK(large.renormalised[0] == Catch::Approx(1));
}

TEST_CASE("large scores and rows without a single allowed cell are no trouble") {
  const auto large = maskAfterSoftmax({1e6, 0}, {0, 1}, 1);
  CHECK(large.weights == std::vector<double>{0, 0});
  CHECK(large.sums[0] == 0);
  CHECK(large.renormalised == std::vector<double>{0, 0});

  constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
  const auto forbidden = maskAfterSoftmax({kMinusInfinity, kMinusInfinity}, {1, 1}, 1);
  CHECK(forbidden.weights == std::vector<double>{0, 0});

  attn::maskAfterSoftmax(nullptr, nullptr, 2, 0, nullptr, nullptr, nullptr);
}
