#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/scoring.h"
#include "attn/shape.h"

namespace attn::reference {

/// score(q, k) of one query with each key of its head, written as attn/scoring.h has it, in float64.
class ScoreFormula {
 public:
  static std::uint64_t workingBytes(const Shape& shape, const Scoring& scoring);

  /// Takes `workingBytes` from the arena.
  ScoreFormula(const Shape& shape, const Scoring& scoring, Arena& arena);

  /// Turns to other keys [nk, dk], at least one.
  void setKeys(const double* keys);

  /// s [nk] of query i in head h of batch entry b, whose row is `query` [d].
  void row(std::size_t b, std::size_t h, std::size_t i, const double* query, double* s);

 private:
  struct OfRow;

  const Shape& shape_;
  const Scoring& scoring_;
  const double* keys_ = nullptr;
  std::span<double> hidden_;      ///< [dk] or [width]: what a kind makes of the query
  std::span<double> hiddenKeys_;  ///< [nk, width], of an additive scoring
};

}  // namespace attn::reference
