#include "attn/row_sums.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

TEST_CASE("row sums") {
  const std::vector<double> matrix{1, 2, 3, -4, 5, 0.5};
  std::vector<double> sums(2);
  attn::rowSums(matrix.data(), 2, 3, sums.data());
  CHECK(sums == std::vector<double>{6, 1.5});
  attn::rowSums(matrix.data(), 2, 0, sums.data());
  CHECK(sums == std::vector<double>{0, 0});
}
