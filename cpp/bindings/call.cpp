#include "call.h"

#include <emscripten/bind.h>

#include <optional>

namespace attn::bindings {
namespace {

std::optional<double> given(double number) { return std::isnan(number) ? std::nullopt : std::optional(number); }

std::size_t reach(double keys) { return std::isinf(keys) ? Window::kUnbounded : static_cast<std::size_t>(keys); }

}  // namespace

std::optional<Window> windowOf(double left, double right) {
  return given(left) ? std::optional(Window{reach(left), reach(right)}) : std::nullopt;
}

Call& prepared() {
  static Call call;
  return call;
}

Scoring Call::scoring() const {
  const CallScoring& from = options_.scoring;
  const auto* const w = at<const double>(from.w);
  switch (from.kind) {
    case 1:
      return scoring::Dot{};
    case 2:
      return scoring::General{w, from.b};
    case 3:
      return scoring::Additive{at<const double>(from.wq), at<const double>(from.wk), at<const double>(from.v),
                               from.width};
    case 4:
      return scoring::Cosine{};
    case 5:
      return scoring::Linear{w, from.b};
    case 6:
      return scoring::Trilinear{w, from.b};
    case 7:
      return scoring::Given{at<const double>(from.scores)};
    default:
      return scoring::ScaledDot{};
  }
}

Options Call::options() const {
  const CallOptions& from = options_;
  Options to;
  to.scoring = scoring();
  to.scale = given(from.scale);
  to.softcap = given(from.softcap);
  to.emptyRows = static_cast<EmptyRows>(from.emptyRows);
  to.mask.causal = from.causal;
  if (const auto offset = given(from.queryOffset)) to.mask.queryOffset = static_cast<std::int64_t>(*offset);
  to.mask.window = windowOf(from.windowLeft, from.windowRight);
  to.mask.keyLengths = at<const std::uint32_t>(from.keyLengths);
  to.mask.allowKeys = {at<const std::uint8_t>(from.allowKeys), from.allowKeysStride};
  to.mask.allow = broadcast<std::uint8_t>(from.allow);
  to.mask.blocks = {at<const std::uint8_t>(from.blocks), from.blockQueries, from.blockKeys};
  return to;
}

EMSCRIPTEN_BINDINGS(call) {
  emscripten::value_object<Shape>("Shape")
      .field("batch", &Shape::batch)
      .field("queryHeads", &Shape::queryHeads)
      .field("kvHeads", &Shape::kvHeads)
      .field("queries", &Shape::queries)
      .field("keys", &Shape::keys)
      .field("keyDim", &Shape::keyDim)
      .field("valueDim", &Shape::valueDim);

  emscripten::value_object<BroadcastPlace>("BroadcastPlace")
      .field("place", &BroadcastPlace::place)
      .field("batch", &BroadcastPlace::batch)
      .field("head", &BroadcastPlace::head)
      .field("query", &BroadcastPlace::query)
      .field("key", &BroadcastPlace::key);

  emscripten::value_object<CallScoring>("CallScoring")
      .field("kind", &CallScoring::kind)
      .field("w", &CallScoring::w)
      .field("b", &CallScoring::b)
      .field("wq", &CallScoring::wq)
      .field("wk", &CallScoring::wk)
      .field("v", &CallScoring::v)
      .field("width", &CallScoring::width)
      .field("scores", &CallScoring::scores);

  emscripten::value_object<CallOptions>("CallOptions")
      .field("scoring", &CallOptions::scoring)
      .field("queryDim", &CallOptions::queryDim)
      .field("scale", &CallOptions::scale)
      .field("softcap", &CallOptions::softcap)
      .field("queryOffset", &CallOptions::queryOffset)
      .field("windowLeft", &CallOptions::windowLeft)
      .field("windowRight", &CallOptions::windowRight)
      .field("causal", &CallOptions::causal)
      .field("keyLengths", &CallOptions::keyLengths)
      .field("allowKeys", &CallOptions::allowKeys)
      .field("allowKeysStride", &CallOptions::allowKeysStride)
      .field("allow", &CallOptions::allow)
      .field("bias", &CallOptions::bias)
      .field("blocks", &CallOptions::blocks)
      .field("blockQueries", &CallOptions::blockQueries)
      .field("blockKeys", &CallOptions::blockKeys)
      .field("emptyRows", &CallOptions::emptyRows)
      .field("tileQueries", &CallOptions::tileQueries)
      .field("tileKeys", &CallOptions::tileKeys);

  emscripten::value_object<CallTensors>("CallTensors")
      .field("query", &CallTensors::query)
      .field("key", &CallTensors::key)
      .field("value", &CallTensors::value)
      .field("output", &CallTensors::output)
      .field("weights", &CallTensors::weights)
      .field("scores", &CallTensors::scores)
      .field("logSumExp", &CallTensors::logSumExp)
      .field("traceVisited", &CallTensors::traceVisited)
      .field("traceMax", &CallTensors::traceMax)
      .field("traceSum", &CallTensors::traceSum)
      .field("traceOutput", &CallTensors::traceOutput);
}

}  // namespace attn::bindings
