#include "conformance/options.h"

#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "attn/reference.h"

namespace attn::test::conformance {
namespace {

std::size_t reach(double keys) { return std::isinf(keys) ? Window::kUnbounded : static_cast<std::size_t>(keys); }

/// An option that a test did not hand over would make it pass by accident, or fail for no visible reason.
void requireKnown(const Call& call) {
  static const std::set<std::string> known{"scale",
                                           "softcap",
                                           "bias",
                                           "causal",
                                           "queryOffset",
                                           "window",
                                           "window.left",
                                           "window.right",
                                           "keyLengths",
                                           "allowKeys",
                                           "allow",
                                           "returnWeights",
                                           "returnScores",
                                           "queries",
                                           "keys",
                                           "heads",
                                           "batch",
                                           "scoring.w",
                                           "scoring.b",
                                           "scoring.wq",
                                           "scoring.wk",
                                           "scoring.v",
                                           "scoreMod.value",
                                           "chunk",
                                           "wq",
                                           "wk",
                                           "wv",
                                           "wo",
                                           "bq",
                                           "bk",
                                           "bv",
                                           "bo",
                                           "kvHeads",
                                           "context",
                                           "contextValues"};
  static const std::set<std::string> choices{"dtype", "scoring.kind", "scoreMod.kind"};
  for (const auto& [name, value] : call.options) {
    if (known.count(name) == 0) throw std::runtime_error("option " + name + ": expected a known one");
  }
  for (const auto& [name, value] : call.choices) {
    if (choices.count(name) == 0) throw std::runtime_error("option " + name + ": expected a known one");
  }
}

}  // namespace

std::optional<Shape> shapeOf(const Call& call) {
  const auto& q = call.inputs.at("q").sizes;
  const auto& k = call.inputs.at("k").sizes;
  Shape shape{q[0], q[1], k[1], q[2], k[2], k[3], 1, q[3]};
  if (k[0] != q[0]) return std::nullopt;
  if (const auto v = call.inputs.find("v"); v != call.inputs.end()) {
    const auto& sizes = v->second.sizes;
    if (sizes[0] != k[0] || sizes[1] != k[1] || sizes[2] != k[2]) return std::nullopt;
    shape.valueDim = sizes[3];
  }
  return shape;
}

std::array<std::size_t, 4> broadcastStrides(const std::vector<std::size_t>& sizes) {
  std::array<std::size_t, 4> strides{};
  std::size_t stride = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0; stride *= sizes[axis]) {
    strides[axis + 4 - sizes.size()] = sizes[axis] == 1 ? 0 : stride;
  }
  return strides;
}

CallOptions::CallOptions(const Call& call, const Shape& shape) {
  requireKnown(call);
  if (const Tensor* const scale = call.option("scale")) options.scale = scale->values[0];
  if (const Tensor* const softcap = call.option("softcap")) options.softcap = softcap->values[0];
  setMask(call, shape);
  if (call.choices.count("scoring.kind") != 0) setScoring(call);
  if (call.choices.count("scoreMod.kind") != 0) setScoreMod(call, shape);
}

const double* CallOptions::keep(const Tensor* parameter) {
  return parameter == nullptr ? nullptr : parameters_.emplace_back(parameter->values).data();
}

void CallOptions::setScoring(const Call& call) {
  const std::string& kind = call.choices.at("scoring.kind");
  const Tensor* const constant = call.option("scoring.b");
  const double b = constant == nullptr ? 0 : constant->values[0];
  const double* const w = keep(call.option("scoring.w"));
  if (kind == "scaled-dot") {
    options.scoring = scoring::ScaledDot{};
  } else if (kind == "dot") {
    options.scoring = scoring::Dot{};
  } else if (kind == "general") {
    options.scoring = scoring::General{w, b};
  } else if (kind == "additive") {
    const Tensor* const v = call.option("scoring.v");
    options.scoring =
        scoring::Additive{keep(call.option("scoring.wq")), keep(call.option("scoring.wk")), keep(v), v->values.size()};
  } else if (kind == "cosine") {
    options.scoring = scoring::Cosine{};
  } else if (kind == "linear") {
    options.scoring = scoring::Linear{w, b};
  } else if (kind == "trilinear") {
    options.scoring = scoring::Trilinear{w, b};
  } else {
    throw std::runtime_error("scoring.kind " + kind + ": expected a known one");
  }
}

/// What JavaScript does with a function of scores: it changes those that the reference gives without
/// masks, and gives them to the call.
void CallOptions::setScoreMod(const Call& call, const Shape& shape) {
  const std::string& kind = call.choices.at("scoreMod.kind");
  const double value = call.option("scoreMod.value")->values[0];
  Options plain;
  plain.scale = options.scale;
  std::vector<double>& scores = parameters_.emplace_back(shape.batch * shape.queryHeads * shape.queries * shape.keys);
  Arena arena;
  const reference::Inputs inputs{call.inputs.at("q").values.data(), call.inputs.at("k").values.data()};
  if (reference::scores(shape, inputs, plain, scores.data(), arena) != Status::ok) return;
  for (std::size_t cell = 0; cell < scores.size(); ++cell) {
    const std::size_t i = cell / shape.keys % shape.queries;
    const std::size_t j = cell % shape.keys;
    double& score = scores[cell];
    if (kind == "add") {
      score += value;
    } else if (kind == "relative_position") {
      score += static_cast<double>(i) - static_cast<double>(j);
    } else if (kind == "softcap") {
      score = value * std::tanh(score / value);
    } else if (kind == "causal") {
      score = i >= j ? score : -std::numeric_limits<double>::infinity();
    } else {
      throw std::runtime_error("scoreMod.kind " + kind + ": expected a known one");
    }
  }
  options.scale = 1;
  options.scoring = scoring::Given{scores.data()};
}

void CallOptions::setMask(const Call& call, const Shape& shape) {
  MaskOptions& mask = options.mask;
  mask.causal = call.flag("causal");
  if (const Tensor* const offset = call.option("queryOffset")) {
    mask.queryOffset = static_cast<std::int64_t>(offset->values[0]);
  }
  if (const Tensor* const width = call.option("window")) {
    const std::size_t beside = reach(width->values[0]) - 1;
    mask.window = Window{beside, beside};
  }
  if (const Tensor* const left = call.option("window.left")) {
    mask.window = Window{reach(left->values[0]), reach(call.option("window.right")->values[0])};
  }
  if (const Tensor* const lengths = call.option("keyLengths")) {
    keyLengths_ = lengths->as<std::uint32_t>();
    mask.keyLengths = keyLengths_.data();
  }
  if (const Tensor* const keys = call.option("allowKeys")) {
    allowKeys_ = keys->as<std::uint8_t>();
    mask.allowKeys = {allowKeys_.data(), keys->sizes.size() == 2 ? shape.keys : 0};
  }
  if (const Tensor* const cells = call.option("allow")) {
    allow_ = cells->as<std::uint8_t>();
    mask.allow = {allow_.data(), broadcastStrides(cells->sizes)};
  }
}

}  // namespace attn::test::conformance
