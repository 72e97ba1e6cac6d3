#pragma once

#include <optional>

#include "attn/options.h"
#include "attn/shape.h"
#include "mask/flags.h"
#include "mask/mask.h"

namespace attn {

/// Key j of batch entry b is visible if its flag is set, to every head and query.
class AllowKeysMask {
 public:
  static std::optional<AllowKeysMask> from(const Shape& /*shape*/, const MaskOptions& options) {
    if (options.allowKeys.data == nullptr) return std::nullopt;
    return AllowKeysMask(options.allowKeys);
  }

  [[nodiscard]] Coverage coverage(const Tile& tile) const { return coverageOf(flagsOf(tile), tile.keys, 1); }

  void narrow(const Tile& tile, Cells cells) const {
    for (std::size_t r = 0; r < tile.queries; ++r) narrowTo(flagsOf(tile), tile.keys, 1, cells.row(r));
  }

 private:
  explicit AllowKeysMask(KeyFlags flags) : flags_(flags) {}

  [[nodiscard]] const std::uint8_t* flagsOf(const Tile& tile) const {
    return flags_.data + tile.batch * flags_.batchStride + tile.key;
  }

  KeyFlags flags_;
};

}  // namespace attn
