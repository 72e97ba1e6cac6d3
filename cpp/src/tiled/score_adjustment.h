#pragma once

#include <cstddef>
#include <numbers>

#include "attn/options.h"
#include "mask/mask.h"
#include "scale.h"
#include "tiled/micro_kernel.h"
#include "tiled/simd.h"
#include "tiled/tanh.h"

namespace attn::tiled {

/// What happens to scores between q·k and the mask. With scaled scores alone nothing does: scale and
/// log₂ e are folded into the queries, and softmax takes powers of 2. Softcap and bias are in natural
/// units, so with them log₂ e is a factor of its own.
class ScoreAdjustment {
 public:
  explicit ScoreAdjustment(const Options& options)
      : caps_(options.softcap.has_value()),
        softcap_(static_cast<float>(options.softcap.value_or(0))),
        bias_(options.bias) {}

  /// The factor of the queries: scale, times log₂ e if nothing follows.
  [[nodiscard]] double queryFactor(double scale) const { return isNone() ? scale * std::numbers::log2e : scale; }

  /// What the products of those queries lack to be in units of log 2.
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
    const auto& strides = bias_.strides;
    const float* const bias = bias_.data + tile.batch * strides[0] + tile.head * strides[1] +
                              (tile.query + r) * strides[2] + tile.key * strides[3];
    for (std::size_t c = 0; c < tile.keys; ++c) row[c] += bias[c * strides[3]];
  }

  bool caps_;
  float softcap_;
  Broadcast<float> bias_;
};

}  // namespace attn::tiled
