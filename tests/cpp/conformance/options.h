#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "attn/broadcast.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "conformance/cases.h"

namespace attn::test::conformance {

/// The sizes of a call with queries, keys and perhaps values of rank 4; nothing if no Shape can say them.
[[nodiscard]] std::optional<Shape> shapeOf(const Call& call);

/// Row-major strides of a tensor that is broadcast from the right to rank 4.
[[nodiscard]] std::array<std::size_t, 4> broadcastStrides(const std::vector<std::size_t>& sizes);

template <class T>
[[nodiscard]] Tensor tensor(std::vector<std::size_t> sizes, const std::vector<T>& values) {
  return {std::move(sizes), {values.begin(), values.end()}};
}

/// The options of a call and the arrays that they point to.
class CallOptions {
 public:
  CallOptions(const Call& call, const Shape& shape);
  CallOptions(const CallOptions&) = delete;
  CallOptions& operator=(const CallOptions&) = delete;

  Options options;

 private:
  void setScoring(const Call& call);
  void setScoreMod(const Call& call, const Shape& shape);
  void setMask(const Call& call, const Shape& shape);

  const double* keep(const Tensor* parameter);

  std::vector<std::vector<double>> parameters_;

  std::vector<std::uint8_t> allow_;
  std::vector<std::uint8_t> allowKeys_;
  std::vector<std::uint32_t> keyLengths_;
};

/// An option of a call that is broadcast, in the precision of its inputs.
template <class T>
class CallBroadcast {
 public:
  CallBroadcast(const Call& call, const std::string& name) {
    const Tensor* const given = call.option(name);
    if (given == nullptr) return;
    data_ = given->as<T>();
    broadcast = {data_.data(), broadcastStrides(given->sizes)};
  }
  CallBroadcast(const CallBroadcast&) = delete;
  CallBroadcast& operator=(const CallBroadcast&) = delete;

  Broadcast<T> broadcast;

 private:
  std::vector<T> data_;
};

}  // namespace attn::test::conformance
