#include "attn/shape.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>

#include "attn/exact_size.h"

using namespace attn;

namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("sizes are exact, and saturate instead of wrapping") {
  CHECK(productOf({65537, 65537}) == 4295098369);
  CHECK(productOf({32768, 32768, 4}) == 4294967296);
  CHECK(productOf({std::uint64_t{1} << 32, std::uint64_t{1} << 32}) == kMax);
  CHECK(productOf({kMax, 2, 0}) == 0);
  CHECK(productOf({}) == 1);
  CHECK(sumOf({kMax, 1}) == kMax);
  CHECK(sumOf({1, 2, 3}) == 6);
}

TEST_CASE("query heads share key/value heads in order") {
  Shape shape;
  shape.queryHeads = 4;
  shape.kvHeads = 2;
  CHECK(shape.kvHeadOf(0) == 0);
  CHECK(shape.kvHeadOf(1) == 0);
  CHECK(shape.kvHeadOf(2) == 1);
  CHECK(shape.kvHeadOf(3) == 1);
  shape.kvHeads = 1;
  CHECK(shape.kvHeadOf(3) == 0);
  shape.kvHeads = 4;
  CHECK(shape.kvHeadOf(3) == 3);
}

TEST_CASE("head counts that do not divide and widths of 0 are refused") {
  const auto status = [](std::size_t queryHeads, std::size_t kvHeads, std::size_t keyDim, std::size_t valueDim) {
    Shape shape;
    shape.queryHeads = queryHeads;
    shape.kvHeads = kvHeads;
    shape.keyDim = keyDim;
    shape.valueDim = valueDim;
    return check(shape, sizeof(float), false);
  };
  CHECK(status(4, 2, 1, 1) == Status::ok);
  CHECK(status(3, 2, 1, 1) == Status::invalidShape);
  CHECK(status(2, 4, 1, 1) == Status::invalidShape);
  CHECK(status(2, 0, 1, 1) == Status::invalidShape);
  CHECK(status(0, 1, 1, 1) == Status::invalidShape);
  CHECK(status(1, 1, 0, 1) == Status::invalidShape);
  CHECK(status(1, 1, 1, 0) == Status::invalidShape);
}

TEST_CASE("tensors beyond the address space are refused, and only those the call needs") {
  constexpr std::size_t kRoot = sizeof(std::size_t) == 4 ? 32768 : std::size_t{1} << 31;
  Shape shape;
  shape.queries = kRoot;
  shape.keys = kRoot;
  CHECK(check(shape, sizeof(float), false) == Status::ok);
  CHECK(check(shape, sizeof(float), true) == Status::tooLarge);
  shape.keyDim = kRoot;
  CHECK(check(shape, sizeof(float), false) == Status::tooLarge);
  shape.queries = 0;
  shape.keys = 0;
  CHECK(check(shape, sizeof(float), true) == Status::ok);
}
