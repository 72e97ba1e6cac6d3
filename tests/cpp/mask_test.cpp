#include "attn/mask.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>
#include <vector>

#include "mask/flags.h"
#include "mask/mask_set.h"
#include "support/call.h"
#include "support/random.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

using Cells8 = std::vector<std::uint8_t>;

Cells8 cellsOf(const Call& call) {
  const Shape& shape = call.shape;
  Cells8 cells(shape.batch * shape.queryHeads * shape.queries * shape.keys, 7);
  REQUIRE(visibleCells(shape, call.options.mask, cells.data()) == Status::ok);
  return cells;
}

/// The rules of attn/options.h, cell by cell.
bool allowed(const Call& call, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
  const MaskOptions& mask = call.options.mask;
  const auto key = static_cast<std::int64_t>(j);
  const std::int64_t offset =
      mask.queryOffset ? *mask.queryOffset
                       : static_cast<std::int64_t>(call.shape.keys) - static_cast<std::int64_t>(call.shape.queries);
  const std::int64_t position = static_cast<std::int64_t>(i) + offset;
  if (mask.causal && key > position) return false;
  if (mask.window) {
    const auto [left, right] = *mask.window;
    if (left != Window::kUnbounded && key < position - static_cast<std::int64_t>(left)) return false;
    if (right != Window::kUnbounded && key > position + static_cast<std::int64_t>(right)) return false;
  }
  if (mask.keyLengths != nullptr && j >= mask.keyLengths[b]) return false;
  if (mask.allowKeys.data != nullptr && mask.allowKeys.data[b * mask.allowKeys.batchStride + j] == 0) return false;
  if (mask.allow.data != nullptr) {
    const auto& strides = mask.allow.strides;
    if (mask.allow.data[b * strides[0] + h * strides[1] + i * strides[2] + j * strides[3]] == 0) return false;
  }
  if (mask.blocks.allow != nullptr) {
    const std::size_t columns = (call.shape.keys + mask.blocks.keysPerBlock - 1) / mask.blocks.keysPerBlock;
    if (mask.blocks.allow[i / mask.blocks.queriesPerBlock * columns + j / mask.blocks.keysPerBlock] == 0) return false;
  }
  return true;
}

Cells8 oneHead(std::size_t queries, std::size_t keys, const MaskOptions& mask) {
  Call call(Call::oneHead(queries, keys, 1, 1));
  call.options.mask = mask;
  return cellsOf(call);
}

void randomise(Random& random, Call& call) {
  MaskOptions& mask = call.options.mask;
  const Shape& shape = call.shape;
  mask.causal = random.chance(0.5);
  if (random.chance(0.5)) mask.queryOffset = static_cast<std::int64_t>(random.between(0, 30)) - 15;
  if (random.chance(0.5)) {
    mask.window = Window{random.chance(0.2) ? Window::kUnbounded : random.between(0, 12),
                         random.chance(0.2) ? Window::kUnbounded : random.between(0, 12)};
  }
  if (random.chance(0.4)) {
    call.setKeyLengths(
        {static_cast<std::uint32_t>(random.between(0, 20)), static_cast<std::uint32_t>(random.between(0, 20))});
  }
  if (random.chance(0.4)) call.setAllowKeys(random.flags(2 * shape.keys, 0.7), true);
  if (random.chance(0.4))
    call.setAllow(random.flags(shape.queries * shape.keys, 0.7), {1, 1, shape.queries, shape.keys});
  if (random.chance(0.4)) {
    const std::size_t rows = random.between(1, 9);
    const std::size_t columns = random.between(1, 9);
    call.setBlocks(random.flags((shape.queries / rows + 1) * (shape.keys / columns + 1), 0.6), rows, columns);
  }
}

}  // namespace

TEST_CASE("visible cells follow the rules for every combination of masks") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Call call(Shape{2, 2, 1, random.between(1, 20), random.between(1, 20), 1, 1});
    randomise(random, call);
    INFO("seed " << seed << ": " << call.describe());
    const Cells8 cells = cellsOf(call);
    std::size_t place = 0;
    bool same = true;
    for (std::size_t b = 0; b < 2; ++b) {
      for (std::size_t h = 0; h < 2; ++h) {
        for (std::size_t i = 0; i < call.shape.queries; ++i) {
          for (std::size_t j = 0; j < call.shape.keys; ++j) {
            same = same && cells[place++] == static_cast<std::uint8_t>(allowed(call, b, h, i, j));
          }
        }
      }
    }
    CHECK(same);
  }
}

TEST_CASE("what a mask says of a tile is true of its cells") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Call call(Shape{2, 1, 1, random.between(1, 20), random.between(1, 20), 1, 1});
    randomise(random, call);
    INFO("seed " << seed << ": " << call.describe());
    const MaskSet masks(call.shape, call.options.mask);
    for (int trial = 0; trial < 20; ++trial) {
      Tile tile{random.between(0, 1),
                0,
                random.between(0, call.shape.queries - 1),
                0,
                random.between(0, call.shape.keys - 1),
                0};
      tile.queries = random.between(1, call.shape.queries - tile.query);
      tile.keys = random.between(1, call.shape.keys - tile.key);
      Cells8 cells(tile.queries * tile.keys);
      masks.visible(tile, {cells.data(), tile.keys});
      std::size_t visible = 0;
      bool same = true;
      for (std::size_t r = 0; r < tile.queries; ++r) {
        for (std::size_t c = 0; c < tile.keys; ++c) {
          const bool cell = cells[r * tile.keys + c] != 0;
          same = same && cell == allowed(call, tile.batch, 0, tile.query + r, tile.key + c);
          visible += static_cast<std::size_t>(cell);
        }
      }
      CHECK(same);
      const Coverage coverage = masks.coverage(tile);
      if (coverage == Coverage::none) CHECK(visible == 0);
      if (coverage == Coverage::all) CHECK(visible == cells.size());
    }
  }
}

TEST_CASE("any byte but 0 is a yes, at any place of a row and in rows of any length") {
  for (std::size_t count = 1; count <= 20; ++count) {
    for (std::size_t stride = 1; stride <= 2; ++stride) {
      for (unsigned value = 1; value < 256; ++value) {
        const Cells8 yes(count * stride, static_cast<std::uint8_t>(value));
        REQUIRE(coverageOf(yes.data(), count, stride) == Coverage::all);
        Cells8 row(count, 1);
        narrowTo(yes.data(), count, stride, row.data());
        REQUIRE(row == Cells8(count, 1));
      }
      for (std::size_t place = 0; place < count; ++place) {
        Cells8 one(count * stride, 0);
        one[place * stride] = 0x80;
        Cells8 row(count, 1);
        narrowTo(one.data(), count, stride, row.data());
        Cells8 wanted(count, 0);
        wanted[place] = 1;
        REQUIRE(row == wanted);
        REQUIRE(coverageOf(one.data(), count, stride) == (count == 1 ? Coverage::all : Coverage::some));
        one[place * stride] = 0;
        REQUIRE(coverageOf(one.data(), count, stride) == Coverage::none);
      }
    }
  }
}

TEST_CASE("causal masks are aligned to the tail of the keys, unless an offset says otherwise") {
  MaskOptions causal;
  causal.causal = true;
  CHECK(oneHead(3, 3, causal) == Cells8{1, 0, 0, 1, 1, 0, 1, 1, 1});
  CHECK(oneHead(2, 5, causal) == Cells8{1, 1, 1, 1, 0, 1, 1, 1, 1, 1});
  CHECK(oneHead(4, 2, causal) == Cells8{0, 0, 0, 0, 1, 0, 1, 1});
  causal.queryOffset = 0;
  CHECK(oneHead(2, 5, causal) == Cells8{1, 0, 0, 0, 0, 1, 1, 0, 0, 0});
  causal.queryOffset = std::numeric_limits<std::int64_t>::max();
  CHECK(oneHead(1, 2, causal) == Cells8{1, 1});
  causal.queryOffset = std::numeric_limits<std::int64_t>::min();
  CHECK(oneHead(1, 2, causal) == Cells8{0, 0});
}

TEST_CASE("a window counts the query's own position") {
  MaskOptions window;
  window.window = Window{1, 0};
  CHECK(oneHead(3, 3, window) == Cells8{1, 0, 0, 1, 1, 0, 0, 1, 1});
  window.window = Window{0, 0};
  CHECK(oneHead(2, 2, window) == Cells8{1, 0, 0, 1});
  window.window = Window{Window::kUnbounded, Window::kUnbounded};
  window.queryOffset = std::numeric_limits<std::int64_t>::max();
  CHECK(oneHead(1, 2, window) == Cells8{1, 1});
  window.queryOffset = std::numeric_limits<std::int64_t>::min();
  CHECK(oneHead(1, 2, window) == Cells8{1, 1});
}

TEST_CASE("a mask that cannot exist is refused") {
  std::uint8_t untouched = 9;
  MaskOptions options;
  options.blocks = {&untouched, 0, 1};
  CHECK(visibleCells(Call::oneHead(1, 1, 1, 1), options, &untouched) == Status::invalidOptions);
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max() / 2;
  CHECK(visibleCells(Call::oneHead(kHuge, kHuge, 1, 1), {}, &untouched) == Status::tooLarge);
  CHECK(untouched == 9);
}
