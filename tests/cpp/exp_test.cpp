#include "tiled/kernel/exp.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

using namespace attn;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

using Function = simd::F32x4 (*)(simd::F32x4);

float at(Function function, float x) {
  float lanes[simd::kLanes];
  simd::store(function(simd::splat(x)), lanes);
  CHECK((lanes[0] == lanes[3] || std::isnan(x)));
  return lanes[0];
}

float ulpOf(float y) { return std::nextafter(y, kInfinity) - y; }

/// A million points from `low` to 0: in [0, 1], never falling by more than one unit in the last
/// place, and within `error` of the truth wherever that is a normal number.
void sweep(Function function, double (*truth)(double), float low, float normalFrom, double error) {
  constexpr int kPoints = 1'000'000;
  double worst = 0;
  float before = 0;
  bool monotone = true;
  bool withinRange = true;
  for (int i = 0; i <= kPoints; ++i) {
    const auto x = static_cast<float>(double{low} * (1.0 - static_cast<double>(i) / kPoints));
    float lanes[simd::kLanes];
    simd::store(function(simd::splat(x)), lanes);
    const float y = lanes[0];
    withinRange = withinRange && y >= 0 && y <= 1;
    monotone = monotone && y >= before - ulpOf(y);
    before = y;
    if (x >= normalFrom) worst = std::max(worst, std::fabs(double{y} / truth(double{x}) - 1));
  }
  CHECK(withinRange);
  CHECK(monotone);
  CHECK(worst <= error);
}

}  // namespace

TEST_CASE("exp is right at the ends and in the band where results underflow") {
  CHECK(at(tiled::exp, 0.0F) == 1.0F);
  CHECK(at(tiled::exp, -0.0F) == 1.0F);
  for (const float x : {-kInfinity, -1e30F, -104.0F, -103.9F, -100.0F, -88.4F, -88.0F, -87.5F}) {
    CHECK(at(tiled::exp, x) == 0.0F);
  }
  CHECK(std::fabs(at(tiled::exp, -87.0F) / std::exp(-87.0) - 1) < 4e-7);
  CHECK(std::isnan(at(tiled::exp, kNaN)));
}

TEST_CASE("exp2 is right at the ends and in the band where results underflow") {
  CHECK(at(tiled::exp2, 0.0F) == 1.0F);
  CHECK(at(tiled::exp2, -1.0F) == 0.5F);
  CHECK(at(tiled::exp2, -126.0F) == 0x1p-126F);
  for (const float x : {-kInfinity, -1e30F, -149.0F, -127.0F, std::nextafter(-126.0F, -kInfinity)}) {
    CHECK(at(tiled::exp2, x) == 0.0F);
  }
  CHECK(std::isnan(at(tiled::exp2, kNaN)));
}

TEST_CASE("NaN stays NaN whatever its payload") {
  for (std::uint32_t payload = 1; payload < 512; ++payload) {
    float lanes[simd::kLanes];
    const std::uint32_t bits = 0x7FC00000U | payload;
    std::memcpy(&lanes[0], &bits, sizeof bits);
    lanes[1] = lanes[2] = lanes[3] = lanes[0];
    float results[simd::kLanes];
    simd::store(tiled::exp2(simd::load(lanes)), results);
    CHECK(std::isnan(results[2]));
    simd::store(tiled::exp(simd::load(lanes)), results);
    CHECK(std::isnan(results[2]));
  }
}

TEST_CASE("the stated error bounds hold over a million points") {
  sweep(tiled::exp, std::exp, -110.0F, -87.0F, 2e-7);
  sweep(tiled::exp2, std::exp2, -130.0F, -126.0F, 1.5e-7);
}
