#include "attn/positions.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "support/random.h"

using namespace attn;

namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 52;

/// One row at one position.
std::vector<float> turned(std::vector<float> row, std::int64_t position, RotaryPairs pairs = RotaryPairs::halves,
                          double base = 10000) {
  rope(row.data(), 1, 1, row.size(), row.size(), base, position, pairs, row.data());
  return row;
}

std::vector<float> drawn(test::Random& random, std::size_t count) {
  std::vector<float> row(count);
  random.fillNormal(row);
  return row;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += double{a[c]} * double{b[c]};
  return sum;
}

std::vector<float> biasOf(std::size_t heads, std::size_t queries, std::size_t keys, std::int64_t offset) {
  std::vector<float> bias(heads * queries * keys);
  alibi(heads, queries, keys, offset, bias.data());
  return bias;
}

std::vector<float> waves(std::size_t length, std::size_t width, std::int64_t offset, double base = 10000) {
  std::vector<float> y(length * width);
  sinusoidal(length, width, base, offset, y.data());
  return y;
}

}  // namespace

TEST_CASE("rope turns each pair by its frequency times the position") {
  const std::vector<float> x{1, 2, 3, 4};
  for (const std::int64_t p : {0, 1, 2, -5, 1000}) {
    const double fast = static_cast<double>(p);
    const double slow = static_cast<double>(p) / 100;  // 10000^(−2/4)
    const auto halves = turned(x, p);
    const auto neighbours = turned({1, 3, 2, 4}, p, RotaryPairs::interleaved);
    const double expected[]{std::cos(fast) - 3 * std::sin(fast), 2 * std::cos(slow) - 4 * std::sin(slow),
                            std::sin(fast) + 3 * std::cos(fast), 2 * std::sin(slow) + 4 * std::cos(slow)};
    for (std::size_t c = 0; c < 4; ++c) {
      CHECK(std::fabs(halves[c] - expected[c]) < 5e-7);
      CHECK(halves[c] == neighbours[c % 2 * 2 + c / 2]);
    }
  }
}

TEST_CASE("rope leaves position 0 and the components beyond dims as they are") {
  test::Random random(31);
  const auto x = drawn(random, 48);
  std::vector<float> y(x.size());
  rope(x.data(), 2, 3, 8, 4, 10000, 0, RotaryPairs::halves, y.data());
  for (std::size_t cell = 0; cell < x.size(); ++cell) {
    const bool turnedCell = cell / 8 % 3 > 0 && cell % 8 < 4;
    CHECK((y[cell] == x[cell]) != turnedCell);
  }
  // Every head and row by itself gives the same.
  for (std::size_t row = 0; row < 6; ++row) {
    std::vector<float> one(x.begin() + static_cast<std::ptrdiff_t>(row * 8),
                           x.begin() + static_cast<std::ptrdiff_t>(row * 8 + 8));
    rope(one.data(), 1, 1, 8, 4, 10000, static_cast<std::int64_t>(row % 3), RotaryPairs::halves, one.data());
    for (std::size_t c = 0; c < 8; ++c) CHECK(one[c] == y[row * 8 + c]);
  }
}

TEST_CASE("rope keeps lengths, and scores depend on distance alone, wherever the positions lie") {
  test::Random random(32);
  for (int run = 0; run < 200; ++run) {
    const std::size_t width = 2 * random.between(1, 16);
    const auto q = drawn(random, width);
    const auto k = drawn(random, width);
    const auto pairs = random.oneOf<RotaryPairs>({RotaryPairs::halves, RotaryPairs::interleaved});
    const auto distance = static_cast<std::int64_t>(random.between(0, 1000));
    const double size = std::sqrt(dot(q, q) * dot(k, k));
    const double score = dot(turned(q, distance, pairs), turned(k, 0, pairs));
    CHECK(std::fabs(dot(turned(q, distance, pairs), turned(q, distance, pairs)) - dot(q, q)) < 1e-6 * dot(q, q));
    for (const std::int64_t start : {std::int64_t{3}, std::int64_t{-70}, std::int64_t{1'000'000'007}, kFar, -kFar}) {
      CAPTURE(run, width, start, distance);
      const double moved = dot(turned(q, start + distance, pairs), turned(k, start, pairs));
      CHECK(std::fabs(moved - score) < 1e-6 * size);
    }
  }
}

TEST_CASE("alibi's slopes, for numbers of heads that are powers of two and others") {
  const auto slopes = [](std::size_t heads) {
    std::vector<float> found;
    for (const float bias : biasOf(heads, 1, 1, 1)) found.push_back(-bias);
    return found;
  };
  CHECK(slopes(1) == std::vector<float>{0x1p-8F});
  CHECK(slopes(2) == std::vector<float>{0x1p-4F, 0x1p-8F});
  CHECK(slopes(3) == std::vector<float>{0x1p-4F, 0x1p-8F, 0x1p-2F});
  const std::vector<float> eight{0x1p-1F, 0x1p-2F, 0x1p-3F, 0x1p-4F, 0x1p-5F, 0x1p-6F, 0x1p-7F, 0x1p-8F};
  CHECK(slopes(8) == eight);
  auto twelve = eight;
  for (const double power : {-0.5, -1.5, -2.5, -3.5}) twelve.push_back(static_cast<float>(std::exp2(power)));
  CHECK(slopes(12) == twelve);
}

TEST_CASE("alibi grows with the distance to both sides") {
  CHECK(biasOf(1, 2, 3, 1) == std::vector<float>{-0x1p-8F, 0, -0x1p-8F, -0x1p-7F, -0x1p-8F, 0});
  CHECK_FALSE(std::signbit(biasOf(1, 1, 1, 0)[0]));
  CHECK(biasOf(2, 1, 2, -10) == std::vector<float>{-10 * 0x1p-4F, -11 * 0x1p-4F, -10 * 0x1p-8F, -11 * 0x1p-8F});
  CHECK(biasOf(1, 1, 1, kFar)[0] == -0x1p44F);
}

TEST_CASE("sinusoidal encodings are sines and cosines of one frequency each") {
  for (const std::size_t width : {1U, 2U, 5U, 8U}) {
    const auto y = waves(20, width, -4, 100);
    for (std::size_t i = 0; i < 20; ++i) {
      for (std::size_t column = 0; column < width; ++column) {
        const std::size_t pair = column / 2;
        const double angle =
            (static_cast<double>(i) - 4) / std::pow(100, 2 * static_cast<double>(pair) / static_cast<double>(width));
        CHECK(std::fabs(y[i * width + column] - (column % 2 == 0 ? std::sin(angle) : std::cos(angle))) < 1e-7);
      }
    }
  }
  CHECK(waves(1, 4, 0) == std::vector<float>{0, 1, 0, 1});
}

TEST_CASE("sinusoidal encodings far away are the near ones, turned") {
  for (const std::int64_t start : {std::int64_t{12345678}, kFar, -kFar}) {
    const auto first = waves(1, 16, start);
    const auto later = waves(1, 16, start + 77);
    const auto step = waves(1, 16, 77);
    for (std::size_t c = 0; c < 16; c += 2) {
      CHECK(std::fabs(later[c] - (first[c] * step[c + 1] + first[c + 1] * step[c])) < 5e-7);
      CHECK(std::fabs(later[c + 1] - (first[c + 1] * step[c + 1] - first[c] * step[c])) < 5e-7);
    }
  }
}
