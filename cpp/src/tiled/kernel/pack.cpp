#include "tiled/kernel/pack.h"

#include <algorithm>
#include <cmath>

namespace attn::tiled {

using simd::F32x4;
using simd::kLanes;

namespace {

/// Calls `use(c, columns)` for every c < dim with the column c of four rows in one vector; rows beyond
/// `rows` are zeros.
template <class Use>
void forEachColumn(const float* matrix, std::size_t rows, std::size_t dim, Use use) {
  std::size_t c = 0;
  if (rows == kLanes) {
    for (; c + kLanes <= dim; c += kLanes) {
      F32x4 v0 = simd::load(matrix + c);
      F32x4 v1 = simd::load(matrix + dim + c);
      F32x4 v2 = simd::load(matrix + 2 * dim + c);
      F32x4 v3 = simd::load(matrix + 3 * dim + c);
      simd::transpose(v0, v1, v2, v3);
      use(c, v0);
      use(c + 1, v1);
      use(c + 2, v2);
      use(c + 3, v3);
    }
  }
  for (; c < dim; ++c) {
    // Not by way of memory: a vector that was just stored a number at a time has to be waited for.
    const auto number = [&](std::size_t r) { return r < rows ? matrix[r * dim + c] : 0.0F; };
    use(c, simd::vectorOf(number(0), number(1), number(2), number(3)));
  }
}

}  // namespace

void packQueries(const float* queries, std::size_t rows, std::size_t dim, float factor, float* packed, float* norms) {
  F32x4 squares = simd::zero();
  forEachColumn(queries, rows, dim, [&](std::size_t c, F32x4 column) {
    const F32x4 scaled = simd::mul(column, simd::splat(factor));
    squares = simd::mulAdd(scaled, scaled, squares);
    simd::store(scaled, packed + c * kMicroRows);
  });
  simd::store(simd::squareRoot(squares), norms);
}

float packKeys(const float* keys, std::size_t count, std::size_t dim, float* packed) {
  F32x4 largest = simd::zero();
  for (std::size_t first = 0; first < count; first += kMicroColumns, packed += dim * kMicroColumns) {
    for (std::size_t half = 0; half < kMicroColumns; half += kLanes) {
      const std::size_t row = std::min(count, first + half);
      F32x4 squares = simd::zero();
      forEachColumn(keys + row * dim, std::min(kLanes, count - row), dim, [&](std::size_t c, F32x4 column) {
        const F32x4 finite = simd::finiteOrZero(column);
        squares = simd::mulAdd(finite, finite, squares);
        simd::store(column, packed + c * kMicroColumns + half);
      });
      largest = simd::maxOrSecond(squares, largest);
    }
  }
  return std::sqrt(simd::maxOfLanes(largest));
}

void panelNorms(const float* panels, std::size_t panelCount, std::size_t dim, float* norms) {
  for (std::size_t panel = 0; panel < panelCount; ++panel, panels += dim * kMicroColumns, norms += kMicroColumns) {
    for (std::size_t half = 0; half < kMicroColumns; half += kLanes) {
      F32x4 squares = simd::zero();
      for (std::size_t c = 0; c < dim; ++c) {
        const F32x4 finite = simd::finiteOrZero(simd::load(panels + c * kMicroColumns + half));
        squares = simd::mulAdd(finite, finite, squares);
      }
      simd::store(simd::squareRoot(squares), norms + half);
    }
  }
}

float largestMagnitude(const float* numbers, std::size_t count) {
  F32x4 largest = simd::zero();
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    largest = simd::maxOrSecond(simd::abs(simd::finiteOrZero(simd::load(numbers + i))), largest);
  }
  float last[kLanes] = {};
  std::copy_n(numbers + i, count - i, last);
  return simd::maxOfLanes(simd::maxOrSecond(simd::abs(simd::finiteOrZero(simd::load(last))), largest));
}

void packColumns(const float* matrix, std::size_t rows, std::size_t dim, std::size_t stride, float* packed) {
  for (std::size_t c = 0; c < dim; c += kMicroColumns, packed += stride * kMicroColumns) {
    const std::size_t columns = std::min(kMicroColumns, dim - c);
    for (std::size_t r = 0; r < rows; ++r) {
      const float* const row = matrix + r * dim + c;
      float* const place = packed + r * kMicroColumns;
      if (columns == kMicroColumns) {
        simd::store(simd::load(row), place);
        simd::store(simd::load(row + kLanes), place + kLanes);
      } else {
        std::copy_n(row, columns, place);
        std::fill(place + columns, place + kMicroColumns, 0.0F);
      }
    }
  }
}

void packFiniteColumns(const float* matrix, std::size_t rows, std::size_t dim, std::size_t stride, float* packed) {
  packColumns(matrix, rows, dim, stride, packed);
  for (std::size_t c = 0; c < dim; c += kMicroColumns, packed += stride * kMicroColumns) {
    for (std::size_t i = 0; i < rows * kMicroColumns; i += kLanes) {
      simd::store(simd::finiteOrZero(simd::load(packed + i)), packed + i);
    }
  }
}

}  // namespace attn::tiled
