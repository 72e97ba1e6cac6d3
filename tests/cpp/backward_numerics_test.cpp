// The gradient at the edges: masked content, broken and empty rows, huge and tiny numbers.

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "attn/backward.h"
#include "support/gradient_call.h"
#include "support/random_call.h"

using namespace attn;
using test::Call;
using test::Random;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kHuge = 3e38F;

void randomise(Call& call, std::uint64_t seed) {
  Random random(seed);
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value);
}

/// Which rows of a matrix hold a NaN in every place, and that the others hold none.
std::vector<bool> rowsOfNaN(const std::vector<float>& matrix, std::size_t width) {
  std::vector<bool> rows(matrix.size() / width);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r] = std::isnan(matrix[r * width]);
    for (std::size_t c = 0; c < width; ++c) CHECK(std::isnan(matrix[r * width + c]) == rows[r]);
  }
  return rows;
}

bool allZero(const std::vector<float>& matrix, std::size_t row, std::size_t width) {
  return std::all_of(&matrix[row * width], &matrix[row * width] + width, [](float x) { return x == 0; });
}

void checkClose(const std::vector<float>& got, const std::vector<float>& want) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    // A row that was in doubt is computed again in float64, so equal to within rounding.
    if (!(std::fabs(got[i] - want[i]) <= 1e-5F)) CHECK(got[i] == want[i]);
  }
}

}  // namespace

TEST_CASE("a masked key or value has no influence on gradients, whatever it holds, and gets one of 0") {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::size_t keys = random.between(1, 90);
    Call call(Call::oneHead(random.between(1, 80), keys, random.between(1, 20), random.between(1, 20)));
    randomise(call, seed);
    auto flags = random.flags(keys, 0.6);
    if (random.chance(0.5)) {
      call.setAllowKeys(flags, false);
    } else {
      std::vector<float> bias(keys);
      for (std::size_t j = 0; j < keys; ++j) bias[j] = flags[j] != 0 ? 0 : -kInfinity;
      call.setBias(std::move(bias), {1, 1, 1, keys});
    }
    call.options.mask.causal = random.chance(0.5);
    if (random.chance(0.3)) call.options.softcap = 2;
    const auto dOutput = test::randomOutputGradient(call, seed + 1);
    const auto clean = test::gradientsOf(call, dOutput);
    const auto [d, dv] = std::array{call.shape.keyDim, call.shape.valueDim};
    for (std::size_t j = 0; j < keys; ++j) {
      if (flags[j] != 0) continue;
      const float poison = random.oneOf<float>({kNaN, kInfinity, -kInfinity, kHuge, -kHuge});
      if (random.chance(0.7)) std::fill_n(&call.key[j * d], d, poison);
      if (random.chance(0.7)) std::fill_n(&call.value[j * dv], dv, poison);
    }
    const auto poisoned = test::gradientsOf(call, dOutput);
    checkClose(poisoned.query, clean.query);
    checkClose(poisoned.key, clean.key);
    checkClose(poisoned.value, clean.value);
    for (std::size_t j = 0; j < keys; ++j) {
      if (flags[j] == 0) CHECK((allZero(poisoned.key, j, d) && allZero(poisoned.value, j, dv)));
    }
    test::checkGradientsAgainstReference(call, dOutput);
  }
}

TEST_CASE("a forbidden key that is not a number does not send its rows' gradients to float64") {
  Call call(Call::oneHead(20, 40, 8, 4));
  randomise(call, 16);
  call.setAllowKeys(std::vector<std::uint8_t>(40, 1), false);
  call.allowKeys[7] = 0;
  std::fill_n(&call.key[7 * 8], 8, kNaN);
  std::fill_n(&call.value[7 * 4], 4, kNaN);
  CHECK(test::gradientsOf(call, test::randomOutputGradient(call, 17)).report.carefulRows == 0);
}

TEST_CASE("a NaN reaches the gradients of what its row sees, and no others") {
  enum class Place : std::uint8_t { query, dOutput, key, value, bias };
  for (const Place place : {Place::query, Place::dOutput, Place::key, Place::value, Place::bias}) {
    for (const bool capped : {false, true}) {
      INFO("place " << static_cast<int>(place) << ", capped " << capped);
      Call call(Call::oneHead(12, 12, 5, 3));
      randomise(call, 6);
      call.options.mask.causal = true;
      if (capped) call.options.softcap = 4;
      auto dOutput = test::randomOutputGradient(call, 7);
      constexpr std::size_t kRow = 6;
      switch (place) {
        case Place::query:
          call.query[kRow * 5 + 2] = kNaN;
          break;
        case Place::dOutput:
          std::fill_n(&dOutput[kRow * 3], 3, kNaN);
          break;
        case Place::key:
          call.key[kRow * 5 + 2] = kNaN;
          break;
        case Place::value:
          call.value[kRow * 3 + 1] = kNaN;
          break;
        case Place::bias:
          call.setBias(std::vector<float>(144), {1, 1, 12, 12});
          call.bias[kRow * 12 + 2] = kInfinity;
          break;
      }
      const auto got = test::gradientsOf(call, dOutput);
      const bool oneRow = place == Place::query || place == Place::dOutput || place == Place::bias;
      const auto queries = rowsOfNaN(got.query, 5);
      const auto keys = rowsOfNaN(got.key, 5);
      const auto values = rowsOfNaN(got.value, 3);
      for (std::size_t r = 0; r < 12; ++r) {
        INFO("row " << r);
        CHECK(queries[r] == (oneRow ? r == kRow : r >= kRow));
        CHECK(keys[r] == (!oneRow || r <= kRow));
        // A value does not turn up in the weights, so not in the gradients of values.
        CHECK(values[r] == (place != Place::value && (!oneRow || r <= kRow)));
      }
      test::checkGradientsAgainstReference(call, dOutput);
    }
  }
}

TEST_CASE("rows without a visible key have no gradient, but share theirs if they are the mean of all values") {
  for (const EmptyRows policy : {EmptyRows::zero, EmptyRows::nan, EmptyRows::uniform}) {
    INFO("policy " << static_cast<int>(policy));
    Call call(Call::oneHead(2, 4, 3, 2));
    randomise(call, 8);
    call.value[6] = kNaN;
    call.setKeyLengths({3});
    call.setAllow(std::vector<std::uint8_t>(8, 0), {1, 1, 2, 4});
    call.options.emptyRows = policy;
    const auto got = test::gradientsOf(call, {3, 6, 9, 12});
    CHECK(got.query == std::vector<float>(6));
    CHECK(got.key == std::vector<float>(12));
    const bool shared = policy == EmptyRows::uniform;
    CHECK(got.value == (shared ? std::vector<float>{4, 6, 4, 6, 4, 6, 0, 0} : std::vector<float>(8)));
    test::checkGradientsAgainstReference(call, {3, 6, 9, 12});
  }
}

TEST_CASE("gradients of scores of any size") {
  for (const float size : {3.0F, 30.0F, 1e3F, 1e4F, 1e6F, 1e12F}) {
    INFO("queries " << size << " times as long");
    for (const std::size_t dim : {std::size_t{2}, std::size_t{64}}) {
      Call call(Call::oneHead(30, 150, dim, 8));
      Random random(77);
      random.fillNormal(call.query, size);
      random.fillNormal(call.key);
      random.fillNormal(call.value);
      test::checkGradientsAgainstReference(call, test::randomOutputGradient(call, 78));
    }
  }
}

TEST_CASE("scores of any size that compete give gradients as their differences say") {
  for (const float size : {10.0F, 1e3F, 3e4F, 3e5F, 1e8F}) {
    INFO("scores about " << size * size);
    Call call(Call::oneHead(3, 200, 2, 4));
    call.options.scale = 1;
    Random random(21);
    random.fillNormal(call.value);
    for (std::size_t i = 0; i < 3; ++i) {
      call.query[2 * i] = size;
      call.query[2 * i + 1] = 1;
    }
    for (std::size_t j = 0; j < 200; ++j) {
      call.key[2 * j] = size;
      call.key[2 * j + 1] = 10 * random.normal();
    }
    test::checkGradientsAgainstReference(call, test::randomOutputGradient(call, 22));
  }
}

TEST_CASE("gradients of huge and tiny inputs are neither ∞ nor 0 where they need not be") {
  const std::vector<float> sizes{1e-30F, 1e-18F, 1.0F, 1e18F, 1e30F};
  for (const float queries : sizes) {
    for (const float values : sizes) {
      for (const float gradients : sizes) {
        INFO("queries " << queries << ", values " << values << ", gradients " << gradients);
        Call call(Call::oneHead(5, 9, 3, 2));
        Random random(41);
        random.fillNormal(call.query, queries);
        random.fillNormal(call.key, 1 / queries);
        random.fillNormal(call.value, values);
        auto dOutput = test::randomOutputGradient(call, 42);
        for (float& x : dOutput) x *= gradients;
        const auto got = test::gradientsOf(call, dOutput);
        const auto want = test::referenceGradientsOf(call, dOutput);
        for (std::size_t i = 0; i < got.query.size(); ++i) {
          const double x = want.query[i];
          if (std::fabs(x) > 3.4e38) {
            CHECK(std::isinf(got.query[i]));
          } else if (std::fabs(x) > 1e-36) {
            CHECK(double{got.query[i]} == Catch::Approx(x).epsilon(1e-4));
          }
        }
        for (std::size_t i = 0; i < got.value.size(); ++i) {
          CHECK(double{got.value[i]} == Catch::Approx(want.value[i]).epsilon(1e-4));
        }
      }
    }
  }
}

TEST_CASE("gradients over many queries do not drift") {
  constexpr std::size_t kQueries = 40000;
  Call call(Call::oneHead(kQueries, 1, 1, 1));
  const auto got = test::gradientsOf(call, std::vector<float>(kQueries, 0.1F));
  CHECK(double{got.value[0]} == Catch::Approx(kQueries * double{0.1F}).epsilon(1e-6));
}

TEST_CASE("a score that the softcap has flattened lets nothing through, even from an infinite key") {
  Call call(Call::oneHead(1, 2, 1, 1));
  call.options.softcap = 2;
  call.query = {1};
  call.key = {kInfinity, 0.5F};
  call.value = {1, 2};
  const auto got = test::gradientsOf(call, {1});
  CHECK(got.key[0] == 0);
  CHECK(std::isfinite(got.query[0]));
  CHECK(got.query[0] != 0);
  test::checkGradientsAgainstReference(call, {1});
}
