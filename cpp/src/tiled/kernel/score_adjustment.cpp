#include "tiled/kernel/score_adjustment.h"

#include <limits>

#include "tiled/kernel/simd.h"
#include "tiled/kernel/tanh.h"
#include "tiled/plan.h"

namespace attn::tiled {

void ScoreAdjustment::apply(const Tile& tile, float* s, std::size_t columns) const {
  for (std::size_t r = 0; r < tile.queries; ++r, s += kMaxTileKeys) {
    if (caps_) cap(s, columns);
    if (bias_.data != nullptr) addBias(tile, r, s);
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      simd::store(simd::mul(simd::load(s + c), simd::splat(unit())), s + c);
    }
  }
}

void ScoreAdjustment::cap(float* row, std::size_t columns) const {
  for (std::size_t c = 0; c < columns; c += simd::kLanes) {
    const simd::F32x4 ratio = simd::div(simd::load(row + c), simd::splat(softcap_));
    simd::store(simd::mul(simd::splat(softcap_), tanh(ratio)), row + c);
  }
}

void ScoreAdjustment::addBias(const Tile& tile, std::size_t r, float* row) const {
  constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  const float* bias = bias_.at(tile.batch, tile.head, tile.query + r, tile.key);
  for (std::size_t c = 0; c < tile.keys; ++c, bias += bias_.strides[3]) {
    // Selected, since the score of a forbidden key may be NaN or +∞.
    row[c] = *bias == kMinusInfinity ? *bias : row[c] + *bias;
  }
}

}  // namespace attn::tiled
