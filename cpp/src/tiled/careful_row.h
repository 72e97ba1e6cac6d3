#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "exact_scores.h"
#include "scoring/row_products.h"
#include "tiled/key_value_tiles.h"
#include "tiled/trace_recorder.h"

namespace attn::tiled {

/// Where one row's results go; null means "not wanted".
struct RowOutputs {
  float* output;     ///< [dv]
  float* weights;    ///< [nk]
  float* logSumExp;  ///< one number
};

/// The net under the float32 path: one row at a time in float64, masked keys and values never read.
/// It decides every row whose float32 result is not plainly a number: rows with no visible key, with
/// a NaN or ∞ among scores or values, or with scores whose sums might have overflowed.
class CarefulRow {
 public:
  [[nodiscard]] static std::uint64_t workingBytes(const Shape& shape);

  /// Takes `workingBytes` from the arena.
  CarefulRow(const Shape& shape, const Options& options, const ExactScores& scores, Arena& arena);

  /// Query i of head h in batch entry b; `products` are its own, `head` is its key/value head.
  void compute(std::size_t b, std::size_t h, std::size_t i, const scoring::RowProducts& products, KeyValueTiles& head,
               const RowOutputs& row);

  /// The trace of such a row, by tiles of `tileKeys` keys.
  void trace(std::size_t b, std::size_t h, std::size_t i, const scoring::RowProducts& products, KeyValueTiles& head,
             std::size_t tileKeys, const RowTrace& to);

 private:
  void setScores(std::size_t b, std::size_t h, std::size_t i, const scoring::RowProducts& products,
                 KeyValueTiles& head);
  void empty(std::size_t b, KeyValueTiles& head, const RowOutputs& row);
  void mix(KeyValueTiles& head, double total, const RowOutputs& row);

  Shape shape_;
  EmptyRows emptyRows_;
  const std::uint32_t* keyLengths_;
  const ExactScores& scores_;
  std::span<double> weights_;        ///< [nk], scores first, then exp(score − max)
  std::span<double> output_;         ///< [dv]
  std::span<std::uint8_t> visible_;  ///< [nk]
};

}  // namespace attn::tiled
