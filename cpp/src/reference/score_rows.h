#pragma once

#include <cstddef>
#include <cstdint>

#include "attn/arena.h"
#include "attn/broadcast.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "mask/mask_set.h"
#include "reference/score_formula.h"

namespace attn::reference {

/// What softmax sees, one query after another: the formula, then scale, softcap, bias and masks.
class ScoreRows {
 public:
  static std::uint64_t workingBytes(const Shape& shape, const Options& options);

  /// Takes `workingBytes` from the arena.
  ScoreRows(const Shape& shape, const Options& options, const Broadcast<double>& bias, Arena& arena);

  /// Turns to the keys [nk, dk] of another head, at least one.
  void setKeys(const double* keys) { formula_.setKeys(keys); }

  /// s [nk] of query i in head h of batch entry b, and `visible` [nk]: not 0 where s > −∞, or NaN.
  void row(std::size_t b, std::size_t h, std::size_t i, const double* query, double* s, std::uint8_t* visible);

 private:
  const Shape& shape_;
  const Options& options_;
  const Broadcast<double>& bias_;
  double scale_;
  MaskSet masks_;
  ScoreFormula formula_;
};

}  // namespace attn::reference
