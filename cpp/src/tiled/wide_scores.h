#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "exact_scores.h"
#include "mask/mask.h"
#include "scoring/row_products.h"
#include "tiled/kernel/online_softmax.h"
#include "tiled/kernel/simd.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// A row's scores once more in float64, for when float32 has too few digits. The rounding of a sum of
/// d products grows with √d and with the sums on the way, whose size is about |q||k|/√d or that of the
/// score itself. It comes back as a relative error of the weights.
class WideScores {
 public:
  static std::uint64_t workingBytes() { return Arena::paddedBytes<double>(kMaxTileKeys); }

  /// Takes `workingBytes` from the arena. `width` is that of the vectors multiplied.
  WideScores(std::size_t width, const ExactScores& exact, Arena& arena);

  /// Which rows may have sums so large, and so few weights that count, that it would show within 1e-6
  /// of the output: as if every key were as long as the longest. `here`: the rows' largest scores in this
  /// tile; `softmax`: with the tile in it.
  [[nodiscard]] std::array<bool, kMicroRows> rowsInNeed(simd::F32x4 here, simd::F32x4 queryNorms, float keyNorm,
                                                        const SoftmaxState& softmax) const;

  /// The same of one of these rows, asking every key: those with long vectors may be those without weight.
  /// `largest`: the row's score in this tile; `p` and `keyNorms` [columns]; `sum`: of the row's p so far.
  [[nodiscard]] bool isInNeed(float largest, float queryNorm, const float* p, const float* keyNorms,
                              std::size_t columns, double sum) const;

  /// The scores of one row of cells in units of log 2, up to `columns`: from its query [d] and from key
  /// panels [⌈columns/8⌉, d, 8], both as they came. `cells` is null if all are visible. Gives the largest.
  double compute(const Tile& row, const float* query, const float* panels, std::size_t columns,
                 const std::uint8_t* cells);

  /// The same from products in float64.
  double compute(const Tile& row, const scoring::RowProducts& products, std::size_t columns, const std::uint8_t* cells);

  /// s − shift in float32, for every column of the row computed last.
  void relativeTo(float shift, std::size_t columns, float* s) const;

 private:
  /// From products, in place, to scores in units of log 2.
  double finish(const Tile& row, std::size_t columns, const std::uint8_t* cells);

  const ExactScores& exact_;
  std::size_t dim_;
  float large_;
  std::span<double> scores_;  ///< [kMaxTileKeys]
};

}  // namespace attn::tiled
