#include "attn/version.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

TEST_CASE("the version has three parts") {
  const auto version = attn::version();
  CHECK(std::count(version.begin(), version.end(), '.') == 2);
}
