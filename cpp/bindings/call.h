#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "attn/attention.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "workspace.h"

/// One call of the attention family, in two steps: JavaScript first describes it, with places as offsets
/// from an address that does not exist yet. `prepare` then sets aside all the memory the call needs and
/// says where it is, JavaScript copies the inputs there, and the operation runs on what was prepared. So
/// the memory grows at most once per call, and the description crosses over once: as numbers one after
/// another, in the order of `web/core/description.js`. Each on its own would take longer than a small call.
namespace attn::bindings {

/// An offset into the call's memory; 0: not there.
using Place = std::uintptr_t;

struct BroadcastPlace {
  Place place = 0;
  std::size_t batch = 0;  ///< strides
  std::size_t head = 0;
  std::size_t query = 0;
  std::size_t key = 0;
};

/// A kind of attn/scoring.h, by its place in the variant, and the parameters it has.
struct CallScoring {
  std::uint8_t kind = 0;
  Place w = 0;
  double b = 0;
  Place wq = 0;
  Place wk = 0;
  Place v = 0;
  std::size_t width = 0;
  Place scores = 0;
};

/// NaN stands for a number that was not given.
struct CallOptions {
  CallScoring scoring;
  double scale = NAN;
  double softcap = NAN;
  double queryOffset = NAN;
  double windowLeft = NAN;  ///< NaN: no window; ∞: no limit to the left
  double windowRight = NAN;
  bool causal = false;
  Place keyLengths = 0;
  Place allowKeys = 0;
  std::size_t allowKeysStride = 0;
  BroadcastPlace allow;
  BroadcastPlace bias;
  Place blocks = 0;
  std::size_t blockQueries = 1;
  std::size_t blockKeys = 1;
  std::uint8_t emptyRows = 0;
  std::size_t tileQueries = 0;
  std::size_t tileKeys = 0;
};

struct CallTensors {
  Place query = 0;
  Place key = 0;
  Place value = 0;
  Place output = 0;
  Place weights = 0;
  Place scores = 0;
  Place logSumExp = 0;
  Place traceVisited = 0;
  Place traceMax = 0;
  Place traceSum = 0;
  Place traceOutput = 0;
};

/// A window from its reaches; NaN: none, ∞: no limit to that side.
[[nodiscard]] std::optional<Window> windowOf(double left, double right);

/// The call being prepared or run.
class Call {
 public:
  Call() = default;
  Call(const Shape& shape, const CallOptions& options, const CallTensors& tensors)
      : shape_(shape), options_(options), tensors_(tensors) {}

  /// Where its places count from.
  void setBase(Address base) { base_ = base; }

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const CallTensors& tensors() const { return tensors_; }
  [[nodiscard]] Options options() const;
  [[nodiscard]] TileSize tile() const { return {options_.tileQueries, options_.tileKeys}; }

  template <class T>
  [[nodiscard]] TensorInputs<T> inputs() const {
    return {at<const T>(tensors_.query), at<const T>(tensors_.key), at<const T>(tensors_.value),
            broadcast<T>(options_.bias)};
  }

  template <class T>
  [[nodiscard]] T* at(Place place) const {
    return place == 0 ? nullptr : bindings::at<T>(base_ + place);
  }

  [[nodiscard]] Trace trace() const {
    return {at<std::uint8_t>(tensors_.traceVisited), at<double>(tensors_.traceMax), at<double>(tensors_.traceSum),
            at<double>(tensors_.traceOutput)};
  }

 private:
  [[nodiscard]] Scoring scoring() const;

  template <class T>
  [[nodiscard]] Broadcast<T> broadcast(const BroadcastPlace& b) const {
    return {at<const T>(b.place), {b.batch, b.head, b.query, b.key}};
  }

  Shape shape_;
  CallOptions options_;
  CallTensors tensors_;
  Address base_ = Arena::kAlignment;  ///< until there is one: only whether an array is there matters so far
};

/// The call that JavaScript has described.
[[nodiscard]] Call described();

/// The call that was prepared last.
[[nodiscard]] Call& prepared();

/// Reserves the memory of the call that was described and remembers it. The address that its places count from, or 0 if
/// the memory cannot be had. `workingBytes(call)` says how much scratch the operation takes.
template <class WorkingBytes>
[[nodiscard]] Address prepare(double tensorBytes, WorkingBytes workingBytes) {
  Call& call = prepared();
  call = described();
  const Address base = reserve(tensorBytes, workingBytes(std::as_const(call)));
  call.setBase(base);
  return base;
}

}  // namespace attn::bindings
