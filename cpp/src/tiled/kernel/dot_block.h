#pragma once

#include <cstddef>

namespace attn::tiled {

/// Sums of more terms than this are made in parts, so that their rounding does not grow with their number.
inline constexpr std::size_t kSumPart = 64;

/// s [count, 8·panelCount], rows kMaxTileKeys apart = up to four packed rows [dim, 4] · panels [dim, 8].
void dotBlock(const float* rows, std::size_t count, const float* panels, std::size_t panelCount, std::size_t dim,
              float* s);

}  // namespace attn::tiled
