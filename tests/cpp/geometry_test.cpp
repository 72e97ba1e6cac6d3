#include "attn/geometry.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <vector>

namespace {

struct Result {
  double queryLength = 0;
  std::vector<double> keyLengths;
  std::vector<double> dots;
  std::vector<double> angles;
};

Result geometry(const std::vector<double>& query, const std::vector<double>& keys) {
  const std::size_t count = keys.size() / query.size();
  Result result{0, std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
  attn::geometry(query.data(), keys.data(), count, query.size(), &result.queryLength, result.keyLengths.data(),
                 result.dots.data(), result.angles.data());
  return result;
}

}  // namespace

TEST_CASE("lengths, dot products and angles of vectors in the plane") {
  const auto result = geometry({3, 4}, {1, 0, 0, 2, -3, -4, 6, 8, 4, -3});
  CHECK(result.queryLength == 5);
  CHECK(result.keyLengths == std::vector<double>{1, 2, 5, 10, 5});
  CHECK(result.dots == std::vector<double>{3, 8, -25, 50, 0});
  CHECK(result.angles[0] == Catch::Approx(std::acos(0.6)));
  CHECK(result.angles[1] == Catch::Approx(std::acos(0.8)));
  CHECK(result.angles[2] == Catch::Approx(std::numbers::pi));
  CHECK(result.angles[3] == 0);
  CHECK(result.angles[4] == Catch::Approx(std::numbers::pi / 2));
}

TEST_CASE("a zero vector has length 0 and no angle") {
  const auto result = geometry({0, 0}, {1, 0});
  CHECK(result.queryLength == 0);
  CHECK(result.dots[0] == 0);
  CHECK(std::isnan(result.angles[0]));
  CHECK(std::isnan(geometry({1, 0}, {0, 0}).angles[0]));
}

TEST_CASE("tiny angles and huge vectors keep their digits") {
  CHECK(geometry({1, 0}, {1, 1e-9}).angles[0] == Catch::Approx(1e-9).epsilon(1e-12));
  CHECK(geometry({3e200, 4e200}, {1, 0}).queryLength == Catch::Approx(5e200));
}
