#pragma once

#include <optional>

#include "attn/options.h"
#include "attn/shape.h"
#include "mask/interval.h"
#include "mask/mask.h"

namespace attn {

/// Key j of batch entry b is visible if j < keyLengths[b].
class KeyLengthsMask {
 public:
  static std::optional<KeyLengthsMask> from(const Shape& /*shape*/, const MaskOptions& options) {
    if (options.keyLengths == nullptr) return std::nullopt;
    return KeyLengthsMask(options.keyLengths);
  }

  [[nodiscard]] Coverage coverage(const Tile& tile) const {
    return coverageOf(tile, keysOf(tile.batch), keysOf(tile.batch));
  }

  void narrow(const Tile& tile, Cells cells) const {
    for (std::size_t r = 0; r < tile.queries; ++r) narrowTo(keysOf(tile.batch), tile, cells.row(r));
  }

 private:
  explicit KeyLengthsMask(const std::uint32_t* lengths) : lengths_(lengths) {}

  [[nodiscard]] Interval keysOf(std::size_t batch) const { return {0, std::int64_t{lengths_[batch]}}; }

  const std::uint32_t* lengths_;
};

}  // namespace attn
