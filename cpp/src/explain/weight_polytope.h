#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"

namespace attn::explain {

/// All weights x ≥ 0 that agree with given ones, w, in their sum and in their output, and a walk among their
/// vertices by the simplex method (Dantzig 1951). A vertex is a basis: as many keys as there are independent
/// conditions, which alone have weight.
class WeightPolytope {
 public:
  static std::uint64_t workingBytes(std::size_t keys, std::size_t valueDim);

  /// Takes `workingBytes` from the arena. `values` [keys, valueDim] are finite; `weights` sum to 1. Begins at
  /// some vertex.
  WeightPolytope(const double* weights, const double* values, std::size_t keys, std::size_t valueDim, Arena& arena);

  [[nodiscard]] std::size_t keys() const { return keys_; }

  /// Independent conditions; if there are as many as keys, w is the only point.
  [[nodiscard]] std::size_t conditions() const { return conditions_; }

  /// Walks to a vertex where objective · x is largest.
  void maximise(std::span<const double> objective);

  /// The weights of the vertex at hand, which is computed afresh.
  void write(std::span<double> x);

 private:
  void orthonormalise(const double* weights, const double* values, std::size_t valueDim, std::span<double> rows);
  void chooseBasis();
  void descend(std::span<double> x);
  void factorise();
  void pivot(std::size_t row, std::size_t key);
  [[nodiscard]] std::size_t entering(std::span<const double> objective, bool first);
  [[nodiscard]] std::size_t leaving(std::size_t key, bool first) const;
  [[nodiscard]] double& cell(std::size_t row, std::size_t key) const { return tableau_[row * (keys_ + 1) + key]; }
  [[nodiscard]] double& weight(std::size_t row) const { return cell(row, keys_); }

  std::size_t keys_;
  std::size_t conditions_ = 0;
  std::size_t pivots_ = 0;              ///< since the tableau was computed afresh
  std::span<double> conditionRows_;     ///< [conditions, keys + 1], orthonormal, and their values at w
  std::span<double> tableau_;           ///< [conditions, keys + 1]: those rows as combinations that are 1 for a basis
  std::span<std::size_t> basis_;        ///< [conditions]
  std::span<std::uint8_t> isBasic_;     ///< [keys]
  std::span<double> objectiveOfBasis_;  ///< [conditions]
};

}  // namespace attn::explain
