#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/multi_head.h"
#include "multi_head/multi_head.h"
#include "multi_head/split_rows.h"

namespace attn::tiled {

/// y [rows, out] = x [rows, in] · W [in, out] + b in float32, by the micro-kernel. Sums of more than 64
/// products are made in parts. A sum that comes out as ∞ or NaN is made once more in float64: it may have
/// been too large only on the way.
class LinearMap {
 public:
  /// `in` is the largest there will be.
  static std::uint64_t workingBytes(std::size_t in);

  /// Takes `workingBytes` from the arena.
  LinearMap(std::size_t in, Arena& arena);

  void apply(const LayerSize& size, const SplitRows<const float>& x, const LinearLayer<float>& layer,
             const SplitRows<float>& y);

 private:
  void applyToRows(const LayerSize& size, std::size_t first, std::size_t count, const SplitRows<const float>& x,
                   const LinearLayer<float>& layer, const SplitRows<float>& y);

  std::span<float> rows_;     ///< [blocks, in, 4]
  std::span<float> columns_;  ///< [in, 8]
};

}  // namespace attn::tiled
