#pragma once

#include <cstddef>

namespace attn {

/// A matrix [rows, heads · width], whole or with its columns split among heads: number (row, c) is
/// `data[c / width · headStride + row · rowStride + c % width]`.
template <class T>
struct SplitRows {
  T* data;
  std::size_t width;
  std::size_t headStride;
  std::size_t rowStride;

  [[nodiscard]] T* at(std::size_t row, std::size_t c) const {
    return data + c / width * headStride + row * rowStride + c % width;
  }

  /// [rows, width]
  static SplitRows whole(T* data, std::size_t width) { return {data, width, 0, width}; }

  /// [heads, rows, width]
  static SplitRows byHead(T* data, std::size_t rows, std::size_t width) { return {data, width, rows * width, width}; }
};

}  // namespace attn
