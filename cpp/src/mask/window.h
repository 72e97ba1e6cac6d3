#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "mask/interval.h"
#include "mask/mask.h"
#include "mask/position.h"

namespace attn {

/// Key j is visible to query i if P − left ≤ j ≤ P + right.
class WindowMask {
 public:
  static std::optional<WindowMask> from(const Shape& shape, const MaskOptions& options) {
    if (!options.window) return std::nullopt;
    return WindowMask(Positions(shape, options), *options.window);
  }

  [[nodiscard]] Coverage coverage(const Tile& tile) const {
    return coverageOf(tile, keysOf(tile.query), keysOf(tile.query + tile.queries - 1));
  }

  void narrow(const Tile& tile, Cells cells) const {
    for (std::size_t r = 0; r < tile.queries; ++r) narrowTo(keysOf(tile.query + r), tile, cells.row(r));
  }

 private:
  WindowMask(const Positions& positions, Window window)
      : positions_(positions), left_(reach(window.left)), right_(reach(window.right)) {}

  static std::int64_t reach(std::size_t distance) {
    // Twice as far, so that an offset far to one side cannot pull an unbounded end back in.
    constexpr std::uint64_t kUnbounded = 2 * kFarAway;
    return static_cast<std::int64_t>(distance == Window::kUnbounded ? kUnbounded
                                                                    : std::min<std::uint64_t>(distance, kUnbounded));
  }

  [[nodiscard]] Interval keysOf(std::size_t query) const {
    const std::int64_t position = positions_(query);
    return {position - left_, position + right_ + 1};
  }

  Positions positions_;
  std::int64_t left_;
  std::int64_t right_;
};

}  // namespace attn
