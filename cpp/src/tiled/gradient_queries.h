#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "attn/shape.h"
#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/pack.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// A tile of queries and of the gradients of their outputs, in the two orders that matrix products read
/// them in: four rows at a time (times keys and values) and eight columns at a time (summed over queries).
class GradientQueries {
 public:
  static std::uint64_t workingBytes(const Shape& shape, std::size_t rows) {
    const auto bytes = [&](std::size_t width) {
      return sumOf({Arena::paddedBytes<float>(productOf({rows, width})),
                    Arena::paddedBytes<float>(productOf({rows, roundUp(width, kMicroColumns)}))});
    };
    return sumOf({bytes(shape.keyDim), bytes(shape.valueDim), productOf({3, Arena::paddedBytes<float>(rows)})});
  }

  /// For up to `rows` queries, a multiple of 4. Takes `workingBytes` from the arena.
  GradientQueries(const Shape& shape, std::size_t rows, Arena& arena)
      : keyDim_(shape.keyDim),
        valueDim_(shape.valueDim),
        rows_(rows),
        queries_(arena.take<float>(rows * keyDim_)),
        queryColumns_(arena.take<float>(rows * roundUp(keyDim_, kMicroColumns))),
        dOutputs_(arena.take<float>(rows * valueDim_)),
        dOutputColumns_(arena.take<float>(rows * roundUp(valueDim_, kMicroColumns))),
        norms_(arena.take<float>(rows)),
        largestQuery_(arena.take<float>(rows)),
        largestDOutput_(arena.take<float>(rows)) {}

  /// queries [count, d], dOutputs [count, dv]; the queries are multiplied by `factor` for their product
  /// with the keys.
  void load(const float* queries, const float* dOutputs, std::size_t count, float factor) {
    for (std::size_t row = 0; row < count; row += kMicroRows) {
      const std::size_t four = std::min(kMicroRows, count - row);
      float unused[kMicroRows];
      packQueries(queries + row * keyDim_, four, keyDim_, factor, &queries_[row * keyDim_], &norms_[row]);
      packQueries(dOutputs + row * valueDim_, four, valueDim_, 1, &dOutputs_[row * valueDim_], unused);
    }
    for (std::size_t row = 0; row < count; ++row) {
      largestQuery_[row] = largestMagnitude(queries + row * keyDim_, keyDim_);
      largestDOutput_[row] = largestMagnitude(dOutputs + row * valueDim_, valueDim_);
    }
    packFiniteColumns(queries, count, keyDim_, rows_, queryColumns_.data());
    packFiniteColumns(dOutputs, count, valueDim_, rows_, dOutputColumns_.data());
  }

  /// Rows [row, row + 4) as [d, 4] and [dv, 4].
  [[nodiscard]] const float* queries(std::size_t row) const { return &queries_[row * keyDim_]; }
  [[nodiscard]] const float* dOutputs(std::size_t row) const { return &dOutputs_[row * valueDim_]; }

  /// Columns [8·panel, 8·panel + 8) of all rows as [rows, 8], with 0 for what is not a finite number.
  [[nodiscard]] const float* queryColumns(std::size_t panel) const {
    return &queryColumns_[panel * rows_ * kMicroColumns];
  }
  [[nodiscard]] const float* dOutputColumns(std::size_t panel) const {
    return &dOutputColumns_[panel * rows_ * kMicroColumns];
  }

  /// |q·factor| of a row, and the largest finite number in its query and in the gradient of its output.
  [[nodiscard]] float norm(std::size_t row) const { return norms_[row]; }
  [[nodiscard]] float largestQuery(std::size_t row) const { return largestQuery_[row]; }
  [[nodiscard]] float largestDOutput(std::size_t row) const { return largestDOutput_[row]; }

 private:
  std::size_t keyDim_;
  std::size_t valueDim_;
  std::size_t rows_;
  std::span<float> queries_;
  std::span<float> queryColumns_;
  std::span<float> dOutputs_;
  std::span<float> dOutputColumns_;
  std::span<float> norms_;
  std::span<float> largestQuery_;
  std::span<float> largestDOutput_;
};

}  // namespace attn::tiled
