// Nothing to write: every operation returns at once, however many times it would do nothing. Each of
// these calls would go on for years if it looped over the axes that are not empty.

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "attn/attention.h"
#include "attn/mask.h"
#include "attn/reference.h"
#include "attn/scores.h"
#include "attn/softmax.h"

using namespace attn;

namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

/// As many batch entries as there can be with so many queries in each, and no keys.
Shape hugeBatch(std::size_t queries) {
  Shape shape;
  shape.batch = queries == 0 ? kMost : kMost / 32 / queries;
  shape.queries = queries;
  return shape;
}

}  // namespace

TEST_CASE("a huge batch without queries is done at once") {
  const Shape shape = hugeBatch(0);
  Arena arena;
  const Report report = attention(shape, {}, {}, {}, {}, arena);
  CHECK(report.status == Status::ok);
  CHECK(report.flops == 0);
  CHECK(report.workingBytes == 0);
  CHECK(reference::attention(shape, {}, {}, {}, arena) == Status::ok);
  CHECK(arena.capacity() == 0);
}

TEST_CASE("a huge batch without cells has no scores, no mask, and softmax of nothing") {
  for (const Shape& shape : {hugeBatch(0), hugeBatch(1)}) {
    Arena arena;
    CHECK(scores(shape, {}, {}, nullptr, arena) == Status::ok);
    CHECK(visibleCells(shape, {}, nullptr) == Status::ok);
  }
  softmax(nullptr, kMost, 0, nullptr);
}

TEST_CASE("a mask without cells may have any number of heads and keys: it has no tensors to be too large") {
  Shape shape = hugeBatch(0);
  shape.queryHeads = kMost;
  shape.keys = kMost;
  CHECK(visibleCells(shape, {}, nullptr) == Status::ok);
  shape.queryHeads = 0;
  CHECK(visibleCells(shape, {}, nullptr) == Status::invalidShape);
}

TEST_CASE("an empty result does not hide that the call is wrong") {
  Options options;
  options.softcap = -1;
  Arena arena;
  CHECK(attention(hugeBatch(0), {}, options, {}, {}, arena).status == Status::invalidOptions);
  CHECK(reference::attention(hugeBatch(0), {}, options, {}, arena) == Status::invalidOptions);
}
