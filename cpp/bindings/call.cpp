#include "call.h"

#include <emscripten/bind.h>

#include <array>
#include <optional>
#include <span>

namespace attn::bindings {
namespace {

std::optional<double> given(double number) { return std::isnan(number) ? std::nullopt : std::optional(number); }

std::size_t reach(double keys) { return std::isinf(keys) ? Window::kUnbounded : static_cast<std::size_t>(keys); }

std::array<double, 52> description;

Address descriptionAddress() { return reinterpret_cast<Address>(description.data()); }

/// Takes numbers one after another.
class Reader {
 public:
  explicit Reader(std::span<const double> numbers) : numbers_(numbers) {}

  template <class... T>
  void operator()(T&... to) {
    ((to = static_cast<T>(numbers_[next_++])), ...);
  }

  void operator()(BroadcastPlace& b) { (*this)(b.place, b.batch, b.head, b.query, b.key); }

 private:
  std::span<const double> numbers_;
  std::size_t next_ = 0;
};

}  // namespace

Call described() {
  Reader read(description);
  Shape s;
  read(s.batch, s.queryHeads, s.kvHeads, s.queries, s.keys, s.queryDim, s.keyDim, s.valueDim);
  CallOptions o;
  read(o.scoring.kind, o.scoring.w, o.scoring.b, o.scoring.wq, o.scoring.wk, o.scoring.v, o.scoring.width,
       o.scoring.scores);
  read(o.scale, o.softcap, o.causal, o.queryOffset, o.windowLeft, o.windowRight);
  read(o.keyLengths, o.allowKeys, o.allowKeysStride);
  read(o.allow);
  read(o.bias);
  read(o.blocks, o.blockQueries, o.blockKeys);
  read(o.emptyRows, o.tileQueries, o.tileKeys);
  CallTensors t;
  read(t.query, t.key, t.value, t.output, t.weights, t.scores, t.logSumExp);
  read(t.traceVisited, t.traceMax, t.traceSum, t.traceOutput);
  return {s, o, t};
}

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

  emscripten::function("_description", &descriptionAddress);
}

}  // namespace attn::bindings
