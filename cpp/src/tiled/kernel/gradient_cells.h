#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/simd.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// The cells of a tile of queries and all keys that any of them sees, key tile by key tile. For each cell
/// two numbers, in units of log 2 where they are scores, and with a softcap its derivative. Row by row
/// they become the weights and the gradients of the scores,
///
///   s → p = 2^(s − shift) → P = p / Σp
///   g = dP → dZ = P·(g − D)·slope      D = Σ P·g
///
/// where a score of −∞ has no part in anything, whatever g and slope are.
class GradientCells {
 public:
  /// Keys [key, key + keys) of tile `keyTile`; `columns` fills up whole panels.
  struct Visit {
    std::size_t keyTile;
    std::size_t key;
    std::size_t keys;
    std::size_t columns;
  };

  /// Σ p and Σ p·g of a row.
  struct Sums {
    double weights = 0;
    double products = 0;
  };

  static std::uint64_t workingBytes(const Plan& plan, std::size_t rows, bool slopes) {
    return sumOf(
        {Arena::paddedBytes<Visit>(plan.keyTiles),
         productOf({slopes ? 3U : 2U, Arena::paddedBytes<float>(productOf({plan.keyTiles, rows, kMaxTileKeys}))})});
  }

  /// For up to `rows` queries. Takes `workingBytes` from the arena.
  GradientCells(const Plan& plan, std::size_t rows, bool slopes, Arena& arena)
      : rows_(rows),
        visits_(arena.take<Visit>(plan.keyTiles)),
        scores_(arena.take<float>(plan.keyTiles * rows * kMaxTileKeys)),
        gradients_(arena.take<float>(plan.keyTiles * rows * kMaxTileKeys)),
        slopes_(arena.take<float>(slopes ? plan.keyTiles * rows * kMaxTileKeys : 0)) {}

  void clear() { visitCount_ = 0; }

  /// Makes room for one more key tile; its cells are to be filled in.
  void open(std::size_t keyTile, std::size_t key, std::size_t keys) {
    visits_[visitCount_++] = {keyTile, key, keys, roundUp(keys, kMicroColumns)};
  }

  [[nodiscard]] std::span<const Visit> visits() const { return visits_.first(visitCount_); }
  [[nodiscard]] bool hasSlopes() const { return !slopes_.empty(); }

  /// The cells of a row in a visit, rows kMaxTileKeys apart.
  [[nodiscard]] float* scores(std::size_t visit, std::size_t row) { return &scores_[place(visit, row)]; }
  [[nodiscard]] float* gradients(std::size_t visit, std::size_t row) { return &gradients_[place(visit, row)]; }
  [[nodiscard]] float* slopes(std::size_t visit, std::size_t row) { return &slopes_[place(visit, row)]; }

  /// The largest scores of up to four rows from `row` on.
  [[nodiscard]] simd::F32x4 rowMaxima(std::size_t row, std::size_t rows);

  /// p in place of s.
  Sums weighRow(std::size_t row, float shift);

  /// P in place of p and dZ in place of g.
  void differentiateRow(std::size_t row, const Sums& sums);

  /// Makes a row have no part in anything.
  void clearRow(std::size_t row);

 private:
  [[nodiscard]] std::size_t place(std::size_t visit, std::size_t row) const {
    return (visit * rows_ + row) * kMaxTileKeys;
  }

  std::size_t rows_;
  std::size_t visitCount_ = 0;
  std::span<Visit> visits_;
  std::span<float> scores_;
  std::span<float> gradients_;
  std::span<float> slopes_;
};

}  // namespace attn::tiled
