#pragma once

#include <cstdint>

namespace attn {

/// What the online softmax knew of each query i after each key tile t, recorded while the tiles are gone
/// through. With m the largest score so far, over the visible keys of tiles 0 to t:
///
///   max = m     sum = Σⱼ exp(sⱼ − m)     output = Σⱼ exp(sⱼ − m) · vⱼ
///
/// so that output / sum after the last tile is the result, and each step is
///
///   m' = max(m, maxⱼ sⱼ)     α = exp(m − m')     sum' = α·sum + Σⱼ exp(sⱼ − m')     output' likewise
///
/// over the keys of one tile. Before anything is visible, m is −∞, sum and output are 0, and they stay so
/// in a row without a visible key, whatever `EmptyRows` makes of it. Rows that are computed in float64 in
/// the end are traced in float64. T = ⌈nk / tile.keys⌉ with the tile that `tileSize` gives.
struct Trace {
  std::uint8_t* visited = nullptr;  ///< [B, Hq, ⌈nq / tile.queries⌉, T]: 0 if nothing is visible there; null: no trace
  double* max = nullptr;            ///< [B, Hq, nq, T]
  double* sum = nullptr;            ///< [B, Hq, nq, T]
  double* output = nullptr;         ///< [B, Hq, nq, T, dv]
};

}  // namespace attn
