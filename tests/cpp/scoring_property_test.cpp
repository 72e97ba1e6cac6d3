// Every scoring in the kernel against the formula in float64, over random shapes, masks, tiles and options.

#include <catch2/catch_test_macros.hpp>

#include "attn/scores.h"
#include "support/random_call.h"

using namespace attn;
using test::Call;
using test::Kind;
using test::Random;

namespace {

Shape shapeFor(Kind kind, Random& random) {
  Shape shape = test::randomShape(random);
  if (test::widthsMayDiffer(kind) && random.chance(0.7)) shape.queryDim = test::randomWidth(random);
  return shape;
}

}  // namespace

TEST_CASE("attention equals the reference, whatever the scoring, the shape, the masks and the tile") {
  for (const Kind kind : test::kKinds) {
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
      INFO("kind " << static_cast<int>(kind) << ", seed " << seed);
      Random random(2000 + seed);
      Call call(shapeFor(kind, random));
      test::randomise(random, call);
      test::setRandomScoring(random, call, kind);
      call.checkAgainstReference();
    }
  }
}
