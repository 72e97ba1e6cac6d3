#include "support/random_call.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attn::test {

namespace {

std::array<std::size_t, 4> randomBroadcast(Random& random, const Shape& shape) {
  std::array<std::size_t, 4> sizes{shape.batch, shape.queryHeads, shape.queries, shape.keys};
  for (std::size_t& size : sizes) {
    if (random.chance(0.3)) size = 1;
  }
  return sizes;
}

std::size_t elements(const std::array<std::size_t, 4>& sizes) { return sizes[0] * sizes[1] * sizes[2] * sizes[3]; }

// Exactly as large as the tensor, so that a read beyond its end is one beyond the buffer's; but an
// empty one would be "not given".
std::size_t atLeastOne(std::size_t count) { return std::max<std::size_t>(count, 1); }

std::vector<double> normals(Random& random, std::size_t count, double deviation) {
  std::vector<double> numbers(count);
  for (double& x : numbers) x = deviation * double{random.normal()};
  return numbers;
}

}  // namespace

Shape randomShape(Random& random) {
  const std::vector<std::size_t> lengths{0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 33, 64, 65, 100, 130, 200};
  Shape shape;
  shape.batch = random.between(1, 2);
  shape.kvHeads = random.between(1, 3);
  shape.queryHeads = shape.kvHeads * random.between(1, 3);
  shape.queries = random.oneOf(lengths);
  shape.keys = random.oneOf(lengths);
  shape.keyDim = randomWidth(random);
  shape.valueDim = randomWidth(random);
  return shape;
}

std::size_t randomWidth(Random& random) {
  return random.oneOf<std::size_t>({1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 32, 40, 64, 65, 80});
}

void setRandomMasks(Random& random, Call& call) {
  const Shape& shape = call.shape;
  MaskOptions& mask = call.options.mask;
  mask.causal = random.chance(0.4);
  if (random.chance(0.3)) {
    mask.queryOffset = static_cast<std::int64_t>(random.between(0, 40)) - 20;
  }
  if (random.chance(0.3)) {
    const auto reach = [&] { return random.chance(0.2) ? Window::kUnbounded : random.between(0, 40); };
    mask.window = Window{reach(), reach()};
  }
  if (random.chance(0.3)) {
    std::vector<std::uint32_t> lengths(shape.batch);
    for (auto& length : lengths) length = static_cast<std::uint32_t>(random.between(0, shape.keys + 3));
    call.setKeyLengths(std::move(lengths));
  }
  const double density = random.oneOf<double>({0.02, 0.5, 0.9, 1.0});
  if (random.chance(0.3)) {
    const bool perBatch = random.chance(0.5);
    call.setAllowKeys(random.flags(atLeastOne((perBatch ? shape.batch : 1) * shape.keys), density), perBatch);
  }
  if (random.chance(0.4)) {
    const auto sizes = randomBroadcast(random, shape);
    call.setAllow(random.flags(atLeastOne(elements(sizes)), density), sizes);
  }
  if (random.chance(0.3)) {
    const std::size_t rows = random.between(1, 40);
    const std::size_t columns = random.between(1, 40);
    const std::size_t count = (shape.queries / rows + 1) * (shape.keys / columns + 1);
    call.setBlocks(random.flags(count, 0.6), rows, columns);
  }
}

void setRandomOptions(Random& random, Call& call) {
  if (random.chance(0.3)) call.options.scale = random.oneOf<double>({0.0, 1.0, 0.25, -0.5});
  if (random.chance(0.2)) call.options.softcap = random.oneOf<double>({0.5, 5.0, 30.0});
  if (random.chance(0.3)) {
    const auto sizes = randomBroadcast(random, call.shape);
    std::vector<float> bias(atLeastOne(elements(sizes)));
    random.fillNormal(bias);
    if (random.chance(0.5)) {
      for (float& x : bias) x = random.chance(0.3) ? -std::numeric_limits<float>::infinity() : x;
    }
    call.setBias(std::move(bias), sizes);
  }
  call.options.emptyRows = random.oneOf<EmptyRows>({EmptyRows::zero, EmptyRows::nan, EmptyRows::uniform});
}

void randomiseTile(Random& random, Call& call) {
  const std::vector<std::size_t> sizes{0, 0, 1, 2, 3, 5, 8, 13, 16, 64, 127, 128, 1000};
  call.tile = {random.oneOf(sizes), random.oneOf(sizes)};
}

void randomise(Random& random, Call& call) {
  random.fillNormal(call.query);
  random.fillNormal(call.key);
  random.fillNormal(call.value, random.oneOf<float>({1e-3F, 1.0F, 1e3F}));
  setRandomMasks(random, call);
  setRandomOptions(random, call);
  randomiseTile(random, call);
}

void setRandomScoring(Random& random, Call& call, Kind kind) {
  const Shape& shape = call.shape;
  const std::size_t d = shape.queryWidth();
  const std::size_t dk = shape.keyDim;
  // Scores of about 1, or far too large for float32 to tell apart.
  const double size = random.oneOf<double>({1, 1, 1, 30});
  const double b = random.chance(0.5) ? 0 : 10 * double{random.normal()};
  const auto unit = [](std::size_t width) { return 1 / std::sqrt(static_cast<double>(width)); };
  switch (kind) {
    case Kind::dot:
      call.options.scoring = scoring::Dot{};
      call.options.scale = unit(d);
      break;
    case Kind::general:
      call.setGeneral(normals(random, d * dk, size * unit(d * dk)), b);
      break;
    case Kind::additive: {
      const std::size_t width = random.oneOf<std::size_t>({1, 2, 3, 7, 8, 16, 33, 64, 65, 90});
      call.setAdditive(normals(random, width * d, size * unit(d)), normals(random, width * dk, size * unit(dk)),
                       normals(random, width, size * unit(width)));
      break;
    }
    case Kind::cosine:
      call.options.scoring = scoring::Cosine{};
      call.options.scale = size;
      break;
    case Kind::linear:
      call.setLinear(normals(random, d + dk, size * unit(d + dk)), b);
      break;
    case Kind::trilinear:
      call.setTrilinear(normals(random, 3 * d, size * unit(3 * d)), b);
      break;
    case Kind::given:
      call.setGiven(normals(random, shape.batch * shape.queryHeads * shape.queries * shape.keys, size));
      break;
  }
}

bool widthsMayDiffer(Kind kind) {
  return kind == Kind::general || kind == Kind::additive || kind == Kind::linear || kind == Kind::given;
}

}  // namespace attn::test
