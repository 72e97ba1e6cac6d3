#pragma once

#include <optional>

#include "attn/options.h"
#include "attn/shape.h"
#include "mask/flags.h"
#include "mask/mask.h"

namespace attn {

/// Key j is visible to query i if the boolean tensor says so.
class AllowMask {
 public:
  static std::optional<AllowMask> from(const Shape& /*shape*/, const MaskOptions& options) {
    if (options.allow.data == nullptr) return std::nullopt;
    return AllowMask(options.allow);
  }

  [[nodiscard]] Coverage coverage(const Tile& tile) const {
    Coverage whole = coverageOfRow(tile, 0);
    const std::size_t distinctRows = allow_.strides[2] == 0 ? 1 : tile.queries;
    for (std::size_t r = 1; r < distinctRows && whole != Coverage::some; ++r) {
      whole = merge(whole, coverageOfRow(tile, r));
    }
    return whole;
  }

  void narrow(const Tile& tile, Cells cells) const {
    for (std::size_t r = 0; r < tile.queries; ++r) {
      narrowTo(flagsOf(tile, r), tile.keys, allow_.strides[3], cells.row(r));
    }
  }

 private:
  explicit AllowMask(const Broadcast<std::uint8_t>& allow) : allow_(allow) {}

  [[nodiscard]] Coverage coverageOfRow(const Tile& tile, std::size_t r) const {
    return coverageOf(flagsOf(tile, r), tile.keys, allow_.strides[3]);
  }

  [[nodiscard]] const std::uint8_t* flagsOf(const Tile& tile, std::size_t r) const {
    return allow_.at(tile.batch, tile.head, tile.query + r, tile.key);
  }

  Broadcast<std::uint8_t> allow_;
};

}  // namespace attn
