#pragma once

#include <cstddef>
#include <limits>
#include <numbers>

#include "attn/broadcast.h"
#include "attn/options.h"
#include "mask/mask.h"
#include "scale.h"
#include "tiled/micro_kernel.h"
#include "tiled/simd.h"
#include "tiled/tanh.h"

namespace attn::tiled {

/// What happens to scores between the product and the mask. With scaled scores alone nothing does: scale
/// and log₂ e are folded into one of its factors, and softmax takes powers of 2. Softcap and bias are in
/// natural units, so with them log₂ e is a factor of its own.
class ScoreAdjustment {
 public:
  ScoreAdjustment(const Options& options, const Broadcast<float>& bias)
      : caps_(options.softcap.has_value()), softcap_(static_cast<float>(options.softcap.value_or(0))), bias_(bias) {}

  /// The factor of the products: scale, times log₂ e if nothing follows.
  [[nodiscard]] double factor(double scale) const { return isNone() ? scale * std::numbers::log2e : scale; }

  /// What those products lack to be in units of log 2.
  [[nodiscard]] float unit() const { return isNone() ? 1.0F : std::numbers::log2e_v<float>; }

  [[nodiscard]] bool isNone() const { return !caps_ && bias_.data == nullptr; }

  /// s [·, keys], rows `kRow` apart, for the cells of `tile`; the padding up to `columns`, a multiple
  /// of 4, is changed as well.
  template <std::size_t kRow>
  void apply(const Tile& tile, float* s, std::size_t columns) const {
    for (std::size_t r = 0; r < tile.queries; ++r) {
      float* const row = s + r * kRow;
      if (caps_) cap(row, columns);
      if (bias_.data != nullptr) addBias(tile, r, row);
      for (std::size_t c = 0; c < columns; c += simd::kLanes) {
        simd::store(simd::mul(simd::load(row + c), simd::splat(unit())), row + c);
      }
    }
  }

 private:
  void cap(float* row, std::size_t columns) const {
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      const simd::F32x4 ratio = simd::div(simd::load(row + c), simd::splat(softcap_));
      simd::store(simd::mul(simd::splat(softcap_), tanh(ratio)), row + c);
    }
  }

  void addBias(const Tile& tile, std::size_t r, float* row) const {
    constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
    const float* bias = bias_.at(tile.batch, tile.head, tile.query + r, tile.key);
    for (std::size_t c = 0; c < tile.keys; ++c, bias += bias_.strides[3]) {
      // Selected, since the score of a forbidden key may be NaN or +∞.
      row[c] = *bias == kMinusInfinity ? *bias : row[c] + *bias;
    }
  }

  bool caps_;
  float softcap_;
  Broadcast<float> bias_;
};

}  // namespace attn::tiled
