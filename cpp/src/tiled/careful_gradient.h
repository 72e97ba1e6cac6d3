#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "exact_scores.h"
#include "tiled/kernel/gradient_sum.h"

namespace attn::tiled {

/// One query with its gradient of the output, and the keys and values of its head.
struct GradientRow {
  const float* query;    ///< [d]
  const float* dOutput;  ///< [dv]
  const float* keys;     ///< [nk, d]
  const float* values;   ///< [nk, dv]
  float* dQuery;         ///< [d]
};

/// The net under the float32 gradient, as CarefulRow is under the output: one row at a time in float64,
/// masked keys and values never read.
class CarefulGradient {
 public:
  [[nodiscard]] static std::uint64_t workingBytes(const Shape& shape);

  /// Takes `workingBytes` from the arena.
  CarefulGradient(const Shape& shape, const Options& options, const ExactScores& scores, Arena& arena);

  /// Query i of head h in batch entry b: writes its dQuery, and adds to dKey / scale and to dValue.
  void add(std::size_t b, std::size_t h, std::size_t i, const GradientRow& row, GradientSum& dKey, GradientSum& dValue);

 private:
  void share(std::size_t b, const GradientRow& row, GradientSum& dValue);
  [[nodiscard]] double slope(double product) const;

  Shape shape_;
  Options options_;
  double scale_;
  const ExactScores& scores_;
  std::span<double> weights_;        ///< [nk], scores first, then P
  std::span<double> gradient_;       ///< [nk], dP, then dZ
  std::span<double> dQuery_;         ///< [d]
  std::span<std::uint8_t> visible_;  ///< [nk]
};

}  // namespace attn::tiled
