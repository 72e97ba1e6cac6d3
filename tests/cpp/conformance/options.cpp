#include "conformance/options.h"

#include <array>
#include <cmath>
#include <set>
#include <stdexcept>

namespace attn::test::conformance {
namespace {

std::size_t reach(double keys) { return std::isinf(keys) ? Window::kUnbounded : static_cast<std::size_t>(keys); }

/// An option that a test did not hand over would make it pass by accident, or fail for no visible reason.
void requireKnown(const Call& call) {
  static const std::set<std::string> known{"scale",  "softcap",       "bias",         "causal",     "queryOffset",
                                           "window", "window.left",   "window.right", "keyLengths", "allowKeys",
                                           "allow",  "returnWeights", "returnScores", "queries",    "keys",
                                           "heads",  "batch",         "chunk"};
  for (const auto& [name, value] : call.options) {
    if (known.count(name) == 0) throw std::runtime_error("option " + name + ": expected a known one");
  }
  for (const auto& [name, value] : call.choices) {
    if (name != "dtype") throw std::runtime_error("option " + name + ": expected a known one");
  }
}

}  // namespace

std::optional<Shape> shapeOf(const Call& call) {
  const auto& q = call.inputs.at("q").sizes;
  const auto& k = call.inputs.at("k").sizes;
  Shape shape{q[0], q[1], k[1], q[2], k[2], q[3], 1};
  if (k[0] != q[0] || k[3] != q[3]) return std::nullopt;
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
