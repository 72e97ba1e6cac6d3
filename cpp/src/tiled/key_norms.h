#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// |k| of every key of a tile, counting only the finite numbers in each: made from the tile's panels when it is
/// first asked for, which is seldom. (The largest of a tile comes with its packing.)
class KeyNorms {
 public:
  static std::uint64_t workingBytes(const Plan& plan);

  /// Takes `workingBytes` from the arena.
  KeyNorms(const Plan& plan, Arena& arena);

  /// Turns to other keys.
  void reset();

  /// Those of tile t, whose panels these are, [⌈keys/8⌉, width, 8].
  [[nodiscard]] const float* of(std::size_t t, const float* panels, std::size_t width);

 private:
  std::size_t keyPanels_;
  std::span<float> norms_;           ///< [keyTiles, 8·keyPanels]
  std::span<std::uint8_t> areMade_;  ///< [keyTiles]
};

}  // namespace attn::tiled
