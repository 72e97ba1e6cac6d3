#include "support/call.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <sstream>

#include "attn/mask.h"
#include "attn/reference.h"

namespace attn::test {

namespace {

std::array<std::size_t, 4> stridesOf(const std::array<std::size_t, 4>& sizes) {
  std::array<std::size_t, 4> strides{};
  std::size_t stride = 1;
  for (std::size_t axis = 4; axis-- > 0; stride *= sizes[axis]) strides[axis] = sizes[axis] == 1 ? 0 : stride;
  return strides;
}

bool agree(double got, double want, double tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  return got == want || std::fabs(got - want) <= tolerance;
}

}  // namespace

Call::Call(const Shape& s)
    : shape(s),
      query(s.batch * s.queryHeads * s.queries * s.queryWidth()),
      key(s.batch * s.kvHeads * s.keys * s.keyDim),
      value(s.batch * s.kvHeads * s.keys * s.valueDim) {}

Shape Call::oneHead(std::size_t queries, std::size_t keys, std::size_t keyDim, std::size_t valueDim) {
  Shape shape;
  shape.queries = queries;
  shape.keys = keys;
  shape.keyDim = keyDim;
  shape.valueDim = valueDim;
  return shape;
}

void Call::setAllow(std::vector<std::uint8_t> data, std::array<std::size_t, 4> sizes) {
  allow = std::move(data);
  options.mask.allow = {allow.data(), stridesOf(sizes)};
}

void Call::setBias(std::vector<float> data, std::array<std::size_t, 4> sizes) {
  bias = std::move(data);
  biasStrides = stridesOf(sizes);
}

void Call::setAllowKeys(std::vector<std::uint8_t> data, bool perBatch) {
  allowKeys = std::move(data);
  options.mask.allowKeys = {allowKeys.data(), perBatch ? shape.keys : 0};
}

void Call::setKeyLengths(std::vector<std::uint32_t> lengths) {
  keyLengths = std::move(lengths);
  options.mask.keyLengths = keyLengths.data();
}

void Call::setBlocks(std::vector<std::uint8_t> data, std::size_t queriesPerBlock, std::size_t keysPerBlock) {
  blocks = std::move(data);
  options.mask.blocks = {blocks.data(), queriesPerBlock, keysPerBlock};
}

void Call::setGeneral(std::vector<double> w, double b) {
  parameters = {std::move(w)};
  options.scoring = scoring::General{parameters[0].data(), b};
}

void Call::setAdditive(std::vector<double> wq, std::vector<double> wk, std::vector<double> v) {
  parameters = {std::move(wq), std::move(wk), std::move(v)};
  options.scoring =
      scoring::Additive{parameters[0].data(), parameters[1].data(), parameters[2].data(), parameters[2].size()};
}

void Call::setLinear(std::vector<double> w, double b) {
  parameters = {std::move(w)};
  options.scoring = scoring::Linear{parameters[0].data(), b};
}

void Call::setTrilinear(std::vector<double> w, double b) {
  parameters = {std::move(w)};
  options.scoring = scoring::Trilinear{parameters[0].data(), b};
}

void Call::setGiven(std::vector<double> scores) {
  parameters = {std::move(scores)};
  options.scoring = scoring::Given{parameters[0].data()};
}

Inputs Call::inputs() const {
  return {query.data(), key.data(), value.data(), {bias.empty() ? nullptr : bias.data(), biasStrides}};
}

Result<float> Call::unwritten() const {
  const std::size_t rows = shape.batch * shape.queryHeads * shape.queries;
  // Not zeros, which an output that was never written might pass for.
  constexpr float kUnwritten = 12345.0F;
  Result<float> result;
  result.output.assign(rows * shape.valueDim, kUnwritten);
  result.weights.assign(rows * shape.keys, kUnwritten);
  result.scores.assign(rows * shape.keys, kUnwritten);
  result.logSumExp.assign(rows, kUnwritten);
  return result;
}

Report Call::runPart(Part part, Result<float>& result) const {
  Arena arena;
  return attention(shape, inputs(), options,
                   {result.output.data(), result.weights.data(), result.scores.data(), result.logSumExp.data()}, tile,
                   arena, part);
}

Result<float> Call::run() const {
  Result<float> result = unwritten();
  result.report = runPart({}, result);
  return result;
}

Result<float> Call::runInParts(const std::vector<std::size_t>& order) const {
  Result<float> result = unwritten();
  for (const std::size_t first : order) {
    const Report part = runPart({first, first + 1}, result);
    result.report.status = std::max(result.report.status, part.status);
    result.report.flops += part.flops;
    result.report.tilesVisited += part.tilesVisited;
    result.report.tilesSkipped += part.tilesSkipped;
    result.report.carefulRows += part.carefulRows;
    result.report.workingBytes = part.workingBytes;
  }
  return result;
}

Result<double> Call::reference() const {
  const std::size_t rows = shape.batch * shape.queryHeads * shape.queries;
  const std::vector<double> q(query.begin(), query.end());
  const std::vector<double> k(key.begin(), key.end());
  const std::vector<double> v(value.begin(), value.end());
  const std::vector<double> wideBias(bias.begin(), bias.end());
  Result<double> result;
  result.output.resize(rows * shape.valueDim);
  result.weights.resize(rows * shape.keys);
  result.scores.resize(rows * shape.keys);
  result.logSumExp.resize(rows);
  Arena arena;
  result.report.status = reference::attention(
      shape, {q.data(), k.data(), v.data(), {bias.empty() ? nullptr : wideBias.data(), biasStrides}}, options,
      {result.output.data(), result.weights.data(), result.scores.data(), result.logSumExp.data()}, arena);
  return result;
}

std::vector<double> Call::referenceScores() const {
  const std::vector<double> q(query.begin(), query.end());
  const std::vector<double> k(key.begin(), key.end());
  const std::vector<double> wideBias(bias.begin(), bias.end());
  std::vector<double> result(shape.batch * shape.queryHeads * shape.queries * shape.keys);
  Arena arena;
  const Status status =
      reference::scores(shape, {q.data(), k.data(), nullptr, {bias.empty() ? nullptr : wideBias.data(), biasStrides}},
                        options, result.data(), arena);
  REQUIRE(status == Status::ok);
  return result;
}

void Call::checkAgainstReference() const {
  INFO(describe());
  const Result<float> got = run();
  const Result<double> want = reference();
  REQUIRE(got.report.status == Status::ok);
  REQUIRE(want.report.status == Status::ok);

  const std::size_t headRows = shape.queryHeads * shape.queries;
  for (std::size_t r = 0; r < want.logSumExp.size(); ++r) {
    const std::size_t b = r / headRows;
    const std::size_t kvHead = shape.kvHeadOf(r / shape.queries % shape.queryHeads);
    const float* const values = value.data() + (b * shape.kvHeads + kvHead) * shape.keys * shape.valueDim;

    double largest = 0;
    for (std::size_t j = 0; j < shape.keys; ++j) {
      const std::size_t cell = r * shape.keys + j;
      INFO("row " << r << " key " << j);
      if (!agree(got.weights[cell], want.weights[cell], 1e-6)) CHECK(got.weights[cell] == want.weights[cell]);
      const double score = want.scores[cell];
      if (!agree(got.scores[cell], score, 1e-6 * std::fabs(score))) CHECK(got.scores[cell] == score);
      if (want.weights[cell] == 0) continue;
      for (std::size_t c = 0; c < shape.valueDim; ++c) {
        const double size = std::fabs(double{values[j * shape.valueDim + c]});
        if (std::isfinite(size)) largest = std::max(largest, size);
      }
    }
    INFO("row " << r << ", largest |v| " << largest);
    for (std::size_t c = 0; c < shape.valueDim; ++c) {
      const std::size_t place = r * shape.valueDim + c;
      INFO("column " << c);
      if (!agree(got.output[place], want.output[place], 1e-6 * largest)) CHECK(got.output[place] == want.output[place]);
    }
    const double lse = want.logSumExp[r];
    if (!agree(got.logSumExp[r], lse, 2e-6 * std::max(1.0, std::fabs(lse)))) CHECK(got.logSumExp[r] == lse);
  }
}

std::string Call::describe() const {
  std::ostringstream text;
  text << "B " << shape.batch << ", Hq " << shape.queryHeads << ", Hk " << shape.kvHeads << ", nq " << shape.queries
       << ", nk " << shape.keys << ", d " << shape.keyDim << ", dv " << shape.valueDim << ", tile " << tile.queries
       << "x" << tile.keys << ", emptyRows " << static_cast<int>(options.emptyRows);
  if (shape.queryDim != 0) text << ", width of queries " << shape.queryDim;
  if (options.scoring.index() != 0) text << ", scoring " << options.scoring.index();
  if (options.scale) text << ", scale " << *options.scale;
  if (options.softcap) text << ", softcap " << *options.softcap;
  if (options.mask.causal) text << ", causal";
  if (options.mask.queryOffset) text << ", queryOffset " << *options.mask.queryOffset;
  if (options.mask.window) text << ", window " << options.mask.window->left << "/" << options.mask.window->right;
  if (!keyLengths.empty()) text << ", keyLengths";
  if (!allowKeys.empty()) text << ", allowKeys";
  if (!allow.empty()) text << ", allow";
  if (!blocks.empty()) {
    text << ", blocks " << options.mask.blocks.queriesPerBlock << "x" << options.mask.blocks.keysPerBlock;
  }
  if (!bias.empty()) text << ", bias";
  return text.str();
}

}  // namespace attn::test
