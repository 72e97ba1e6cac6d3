#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/shape.h"
#include "scoring/projection.h"
#include "tiled/kernel/simd.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// The queries of one tile as the score kernels read them, in blocks of four rows.
class QueryTile {
 public:
  static std::uint64_t workingBytes(const Plan& plan, const scoring::Projection& projection);

  /// Takes `workingBytes` from the arena. `factor` is that of the products.
  QueryTile(const Shape& shape, const Plan& plan, const scoring::Projection& projection, double factor, Arena& arena);

  /// Turns to other queries [count, d].
  void load(const float* queries, std::size_t count);

  /// The block's queries as [w, 4], times the factor.
  [[nodiscard]] const float* packed(std::size_t block) const {
    return packed_.data() + block * projection_.width() * kMicroRows;
  }

  /// How large their scores may be: no sum on the way to one is larger than this times the largest norm
  /// among the keys (see KeyValueTiles). [4], one per row.
  [[nodiscard]] const float* norms(std::size_t block) const { return norms_.data() + block * kMicroRows; }

  /// Whether float32 holds the factor and every digit of the queries that can matter.
  [[nodiscard]] bool holds(std::size_t block, std::size_t r) const;

  /// A query as projected in float64 [w].
  [[nodiscard]] const double* projected(std::size_t row) const {
    return projected_.data() + row * projection_.projectedWidth();
  }

 private:
  void project(const float* queries, std::size_t block, std::size_t rows, float* packed, float* norms);

  const scoring::Projection& projection_;
  std::size_t queryDim_;
  double factor_;
  std::span<float> packed_;      ///< [blocks, w, 4]
  std::span<float> norms_;       ///< [blocks, 4]
  std::span<double> projected_;  ///< [blocks · 4, w], if the scoring projects
  std::span<float> narrowed_;    ///< [4, w], likewise: the block at hand
};

}  // namespace attn::tiled
