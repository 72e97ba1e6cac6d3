#pragma once

#include <optional>
#include <tuple>

#include "attn/options.h"
#include "attn/shape.h"
#include "mask/allow.h"
#include "mask/allow_keys.h"
#include "mask/blocks.h"
#include "mask/causal.h"
#include "mask/key_lengths.h"
#include "mask/mask.h"
#include "mask/window.h"

namespace attn {

/// All restrictions of one call together: a cell is visible if every mask lets it be. The one place
/// where masks are made from options. Ordered from cheap to costly, since `none` ends the question.
class MaskSet {
 public:
  MaskSet(const Shape& shape, const MaskOptions& options)
      : masks_(CausalMask::from(shape, options), WindowMask::from(shape, options), KeyLengthsMask::from(shape, options),
               BlocksMask::from(shape, options), AllowKeysMask::from(shape, options), AllowMask::from(shape, options)) {
  }

  [[nodiscard]] Coverage coverage(const Tile& tile) const;

  /// Sets every cell of the tile to whether it is visible.
  void visible(const Tile& tile, Cells cells) const;

 private:
  std::tuple<std::optional<CausalMask>, std::optional<WindowMask>, std::optional<KeyLengthsMask>,
             std::optional<BlocksMask>, std::optional<AllowKeysMask>, std::optional<AllowMask>>
      masks_;
};

}  // namespace attn
