#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "mask/mask.h"
#include "scoring/projection.h"

namespace attn::tiled {

/// The products of a block of queries with a tile of keys, times their factor, in float32: what the
/// scoring says, before softcap, bias and masks.
class ScoreKernel {
 public:
  static std::uint64_t workingBytes(const scoring::Projection& projection);

  /// Takes `workingBytes` from the arena.
  ScoreKernel(const scoring::Projection& projection, double factor, Arena& arena);

  /// s [4, 8·panels], rows `kMaxTileKeys` apart, of packed queries [w, 4] and key panels [panels, w, 8].
  /// `cells`: which queries and keys these are; what is beyond them only fills up.
  void compute(const Tile& cells, const float* queries, const float* keys, std::size_t panels, float* s) const;

 private:
  const scoring::Projection& projection_;
  double factor_;
  std::span<float> v_;  ///< [w], that of an additive scoring times the factor
};

}  // namespace attn::tiled
