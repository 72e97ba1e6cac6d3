#include "tiled/kernel/tanh.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

using namespace attn;

namespace {

float tanhAt(float x) {
  float lanes[simd::kLanes];
  simd::store(tiled::tanh(simd::splat(x)), lanes);
  return lanes[0];
}

}  // namespace

TEST_CASE("tanh keeps its error bound on both sides of where the formula changes") {
  double worst = 0;
  for (int i = -200'000; i <= 200'000; ++i) {
    if (i == 0) continue;
    const auto x = static_cast<float>(i * 5e-5);
    worst = std::max(worst, std::fabs(double{tanhAt(x)} / std::tanh(double{x}) - 1));
  }
  for (int power = 0; power < 64; ++power) {
    const auto x = static_cast<float>(std::pow(3.0, -power));
    worst = std::max(worst, std::fabs(double{tanhAt(x)} / std::tanh(double{x}) - 1));
  }
  CHECK(worst <= 3e-7);
}

TEST_CASE("tanh at the ends") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  CHECK(tanhAt(0) == 0);
  CHECK(tanhAt(kInfinity) == 1);
  CHECK(tanhAt(-kInfinity) == -1);
  CHECK(std::isnan(tanhAt(std::numeric_limits<float>::quiet_NaN())));
}
