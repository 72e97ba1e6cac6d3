#pragma once

#include <array>
#include <cstddef>

namespace attn {

/// A tensor broadcast to [B, Hq, nq, nk]: element (b, h, i, j) is
/// `data[b·strides[0] + h·strides[1] + i·strides[2] + j·strides[3]]`; stride 0 repeats along an axis.
template <class T>
struct Broadcast {
  const T* data = nullptr;  ///< null: not given
  std::array<std::size_t, 4> strides{};

  [[nodiscard]] const T* at(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
    return data + b * strides[0] + h * strides[1] + i * strides[2] + j * strides[3];
  }
};

}  // namespace attn
