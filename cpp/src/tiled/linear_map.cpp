#include "tiled/linear_map.h"

#include <algorithm>
#include <cmath>

#include "attn/exact_size.h"
#include "tiled/kernel/dot_block.h"
#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/pack.h"
#include "tiled/plan.h"

namespace attn::tiled {

namespace {

/// Rows at a time: while they stay near, eight columns of the weights serve them all.
constexpr std::size_t kRows = 64;

/// One number of the product, by columns of packed rows and of the weights.
double exactly(const float* row, const float* column, std::size_t in) {
  double sum = 0;
  for (std::size_t c = 0; c < in; ++c) sum += double{row[c * kMicroRows]} * double{column[c * kMicroColumns]};
  return sum;
}

}  // namespace

std::uint64_t LinearMap::workingBytes(std::size_t in) {
  return sumOf(
      {Arena::paddedBytes<float>(productOf({kRows, in})), Arena::paddedBytes<float>(productOf({kMicroColumns, in}))});
}

LinearMap::LinearMap(std::size_t in, Arena& arena)
    : rows_(arena.take<float>(kRows * in)), columns_(arena.take<float>(kMicroColumns * in)) {}

void LinearMap::apply(const LayerSize& size, const SplitRows<const float>& x, const LinearLayer<float>& layer,
                      const SplitRows<float>& y) {
  for (std::size_t first = 0; first < size.rows; first += kRows) {
    applyToRows(size, first, std::min(kRows, size.rows - first), x, layer, y);
  }
}

void LinearMap::applyToRows(const LayerSize& size, std::size_t first, std::size_t count,
                            const SplitRows<const float>& x, const LinearLayer<float>& layer,
                            const SplitRows<float>& y) {
  for (std::size_t row = 0; row < count; row += kMicroRows) {
    float unused[kMicroRows];
    for (std::size_t c = 0; c < size.in; c += x.width) {
      packQueries(x.at(first + row, c), std::min(kMicroRows, count - row), x.width, 1,
                  &rows_[row * size.in + c * kMicroRows], unused);
    }
  }
  for (std::size_t column = 0; column < size.out; column += kMicroColumns) {
    const std::size_t columns = std::min(kMicroColumns, size.out - column);
    for (std::size_t c = 0; c < size.in; ++c) {
      float* const eight = &columns_[c * kMicroColumns];
      std::fill(std::copy_n(layer.weights + c * size.out + column, columns, eight), eight + kMicroColumns, 0.0F);
    }
    for (std::size_t row = 0; row < count; row += kMicroRows) {
      float sums[kMicroRows * kMaxTileKeys];
      dotBlock(&rows_[row * size.in], kMicroRows, columns_.data(), 1, size.in, sums);
      for (std::size_t r = 0; r < std::min(kMicroRows, count - row); ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
          const float bias = layer.bias == nullptr ? 0 : layer.bias[column + c];
          float sum = sums[r * kMaxTileKeys + c] + bias;
          if (!std::isfinite(sum)) {
            sum = static_cast<float>(exactly(&rows_[row * size.in + r], &columns_[c], size.in) + double{bias});
          }
          *y.at(first + row + r, column + c) = sum;
        }
      }
    }
  }
}

}  // namespace attn::tiled
