// The tiled kernel against the float64 reference, over the shapes, masks, tiles and numbers that libFuzzer comes upon.
// A difference stops the program as a memory error does; libFuzzer then writes the input to a file.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "attn/attention.h"
#include "attn/reference.h"
#include "bytes.h"

namespace attn::fuzz {
namespace {

/// One call, with all that it points to.
struct Call {
  Shape shape;
  TileSize tile;
  Options options;
  std::vector<float> query, key, value, bias;
  std::array<std::size_t, 4> biasStrides{};
  std::vector<std::uint8_t> allow, allowKeys, blocks;
  std::vector<std::uint32_t> keyLengths;

  [[nodiscard]] std::size_t rows() const { return shape.batch * shape.queryHeads * shape.queries; }
};

Shape readShape(Bytes& bytes) {
  Shape shape;
  shape.batch = bytes.between(1, 2);
  shape.kvHeads = bytes.between(1, 2);
  shape.queryHeads = shape.kvHeads * bytes.between(1, 3);
  shape.queries = bytes.between(0, 20);
  shape.keys = bytes.between(0, 80);
  shape.keyDim = bytes.between(1, 12);
  shape.valueDim = bytes.between(1, 12);
  return shape;
}

/// A shape that broadcasts to [B, Hq, nq, nk]; returns its strides and how many elements it has.
std::array<std::size_t, 4> readBroadcast(Bytes& bytes, const Shape& shape, std::size_t& count) {
  const std::array<std::size_t, 4> full{shape.batch, shape.queryHeads, shape.queries, shape.keys};
  const std::uint8_t repeated = bytes.next();
  std::array<std::size_t, 4> strides{};
  count = 1;
  for (std::size_t axis = 4; axis-- > 0;) {
    if ((repeated >> axis & 1) != 0 || full[axis] == 1) continue;
    strides[axis] = count;
    count *= full[axis];
  }
  count = std::max<std::size_t>(count, 1);  // a pointer to nothing would be "not given"
  return strides;
}

void readMasks(Bytes& bytes, Call& call) {
  const Shape& shape = call.shape;
  MaskOptions& mask = call.options.mask;
  const std::uint8_t given = bytes.next();
  mask.causal = (given & 1) != 0;
  if ((given & 2) != 0) mask.queryOffset = static_cast<std::int8_t>(bytes.next());
  if ((given & 4) != 0) {
    const auto reach = [&] { return bytes.flag() ? bytes.between(0, 50) : Window::kUnbounded; };
    mask.window = Window{reach(), reach()};
  }
  if ((given & 8) != 0) {
    call.keyLengths.resize(shape.batch);
    for (std::uint32_t& length : call.keyLengths) length = static_cast<std::uint32_t>(bytes.between(0, shape.keys));
    mask.keyLengths = call.keyLengths.data();
  }
  if ((given & 16) != 0) {
    const bool perBatch = bytes.flag();
    call.allowKeys = bytes.flags(std::max<std::size_t>((perBatch ? shape.batch : 1) * shape.keys, 1));
    mask.allowKeys = {call.allowKeys.data(), perBatch ? shape.keys : 0};
  }
  if ((given & 32) != 0) {
    std::size_t count = 0;
    mask.allow.strides = readBroadcast(bytes, shape, count);
    call.allow = bytes.flags(count);
    mask.allow.data = call.allow.data();
  }
  if ((given & 64) != 0) {
    mask.blocks.queriesPerBlock = bytes.between(1, 40);
    mask.blocks.keysPerBlock = bytes.between(1, 70);
    const auto blocksOf = [](std::size_t length, std::size_t size) { return (length + size - 1) / size; };
    const std::size_t count =
        blocksOf(shape.queries, mask.blocks.queriesPerBlock) * blocksOf(shape.keys, mask.blocks.keysPerBlock);
    call.blocks = bytes.flags(std::max<std::size_t>(count, 1));
    mask.blocks.allow = call.blocks.data();
  }
  if ((given & 128) != 0) {
    std::size_t count = 0;
    call.biasStrides = readBroadcast(bytes, shape, count);
    call.bias = bytes.numbers(count, bytes.oneOf<float, 2>({1.0F, 1e3F}));
  }
}

void readCall(Bytes& bytes, Call& call) {
  call.shape = readShape(bytes);
  call.tile = {bytes.between(0, 24), bytes.between(0, 90)};
  readMasks(bytes, call);
  const std::uint8_t given = bytes.next();
  if ((given & 1) != 0) call.options.scale = bytes.oneOf<double, 5>({0.0, 1.0, 0.125, -0.5, 8.0});
  if ((given & 2) != 0) call.options.softcap = bytes.oneOf<double, 3>({0.5, 5.0, 50.0});
  call.options.emptyRows = bytes.oneOf<EmptyRows, 3>({EmptyRows::zero, EmptyRows::nan, EmptyRows::uniform});
  const Shape& shape = call.shape;
  // Up to scores whose differences float64 still knows: beyond, the reference has no answer either.
  const float queryMagnitude = bytes.oneOf<float, 4>({1.0F, 1e-3F, 1e2F, 1e-30F});
  const float keyMagnitude = bytes.oneOf<float, 3>({1.0F, 1e2F, 1e-20F});
  const float valueMagnitude = bytes.oneOf<float, 4>({1.0F, 1e-3F, 1e30F, 1e-40F});
  call.query = bytes.numbers(shape.batch * shape.queryHeads * shape.queries * shape.keyDim, queryMagnitude);
  call.key = bytes.numbers(shape.batch * shape.kvHeads * shape.keys * shape.keyDim, keyMagnitude);
  call.value = bytes.numbers(shape.batch * shape.kvHeads * shape.keys * shape.valueDim, valueMagnitude);
}

template <class T>
struct Result {
  explicit Result(const Call& call)
      : output(call.rows() * call.shape.valueDim),
        weights(call.rows() * call.shape.keys),
        scores(call.rows() * call.shape.keys),
        logSumExp(call.rows()) {}
  std::vector<T> output, weights, scores, logSumExp;
};

void compute(const Call& call, Result<float>& result) {
  Arena arena;
  const float* const bias = call.bias.empty() ? nullptr : call.bias.data();
  const Report report = attention(
      call.shape, {call.query.data(), call.key.data(), call.value.data(), {bias, call.biasStrides}}, call.options,
      {result.output.data(), result.weights.data(), result.scores.data(), result.logSumExp.data()}, call.tile, arena);
  if (report.status != Status::ok) std::abort();
}

void compute(const Call& call, Result<double>& result) {
  const auto wide = [](const std::vector<float>& x) { return std::vector<double>(x.begin(), x.end()); };
  const auto query = wide(call.query);
  const auto key = wide(call.key);
  const auto value = wide(call.value);
  const auto bias = wide(call.bias);
  Arena arena;
  const Status status = reference::attention(
      call.shape, {query.data(), key.data(), value.data(), {bias.empty() ? nullptr : bias.data(), call.biasStrides}},
      call.options, {result.output.data(), result.weights.data(), result.scores.data(), result.logSumExp.data()},
      arena);
  if (status != Status::ok) std::abort();
}

/// Stops unless the numbers agree: NaN with NaN, ∞ with ∞, others within `tolerance`.
void require(const char* name, std::size_t at, double got, double want, double tolerance) {
  if (std::isnan(want) ? std::isnan(got) : got == want || std::fabs(got - want) <= tolerance) return;
  std::fprintf(stderr, "%s[%zu]: expected %.9g, got %.9g\n", name, at, want, got);
  std::abort();
}

/// Four times the 1e-6 that holds for ordinary numbers: in a sum of like terms, which a fuzzer is fond of,
/// roundings go in one direction and add up.
constexpr double kTolerance = 4e-6;

/// What float32 may lose where its numbers have no more digits to lose: one step for each number that is added.
constexpr double kSmallest = std::numeric_limits<float>::denorm_min();

/// Whether float32 can hold all that a row's result is made of; beyond that nothing is promised.
bool fitsFloat32(const double* scores, std::size_t count) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return std::none_of(scores, scores + count, [](double s) { return std::isfinite(s) && std::fabs(s) > kLargest; });
}

/// An infinite value under a weight that only float64 tells from 0: ∞ in one precision, NaN in the other.
bool dependsOnPrecision(double score, double weight, double value) {
  return std::isinf(value) && std::isfinite(score) && weight < double{std::numeric_limits<float>::min()};
}

void compare(const Call& call, const Result<float>& got, const Result<double>& want) {
  const Shape& shape = call.shape;
  for (std::size_t row = 0; row < call.rows(); ++row) {
    const std::size_t cells = row * shape.keys;
    if (!fitsFloat32(want.scores.data() + cells, shape.keys)) continue;
    const std::size_t batch = row / (shape.queryHeads * shape.queries);
    const std::size_t head = shape.kvHeadOf(row / shape.queries % shape.queryHeads);
    const float* const values = call.value.data() + (batch * shape.kvHeads + head) * shape.keys * shape.valueDim;
    double largest = 0;
    std::vector<bool> promised(shape.valueDim, true);
    for (std::size_t j = 0; j < shape.keys; ++j) {
      require("weights", cells + j, got.weights[cells + j], want.weights[cells + j], kTolerance);
      const double score = want.scores[cells + j];
      require("scores", cells + j, got.scores[cells + j], score, std::max(1e-6 * std::fabs(score), 1e-44));
      const double weight = want.weights[cells + j];
      for (std::size_t c = 0; c < shape.valueDim; ++c) {
        const double value = double{values[j * shape.valueDim + c]};
        if (weight != 0 && std::isfinite(value)) largest = std::max(largest, std::fabs(value));
        if (dependsOnPrecision(score, weight, value)) promised[c] = false;
      }
    }
    const double steps = static_cast<double>(shape.keys + 1) * kSmallest;
    for (std::size_t c = 0; c < shape.valueDim; ++c) {
      const std::size_t at = row * shape.valueDim + c;
      if (promised[c]) require("output", at, got.output[at], want.output[at], std::max(kTolerance * largest, steps));
    }
    const double lse = want.logSumExp[row];
    require("logSumExp", row, got.logSumExp[row], lse, kTolerance * std::max(1.0, std::fabs(lse)));
  }
}

}  // namespace
}  // namespace attn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::fuzz::Bytes bytes({data, size});
  attn::fuzz::Call call;
  attn::fuzz::readCall(bytes, call);
  attn::fuzz::Result<float> got(call);
  attn::fuzz::Result<double> want(call);
  attn::fuzz::compute(call, got);
  attn::fuzz::compute(call, want);
  attn::fuzz::compare(call, got, want);
  return 0;
}
