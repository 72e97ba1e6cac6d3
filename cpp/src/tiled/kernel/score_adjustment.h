#pragma once

#include <cstddef>
#include <numbers>

#include "attn/broadcast.h"
#include "attn/options.h"
#include "mask/mask.h"

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

  /// s [·, keys], rows kMaxTileKeys apart, for the cells of `tile`; the padding up to `columns`, a multiple
  /// of 4, is changed as well.
  void apply(const Tile& tile, float* s, std::size_t columns) const;

 private:
  void cap(float* row, std::size_t columns) const;
  void addBias(const Tile& tile, std::size_t r, float* row) const;

  bool caps_;
  float softcap_;
  Broadcast<float> bias_;
};

}  // namespace attn::tiled
