#pragma once

#include <algorithm>
#include <optional>

#include "attn/options.h"
#include "attn/shape.h"
#include "mask/flags.h"
#include "mask/mask.h"

namespace attn {

/// Key j is visible to query i if the block that holds the pair is allowed.
class BlocksMask {
 public:
  static std::optional<BlocksMask> from(const Shape& shape, const MaskOptions& options) {
    if (options.blocks.allow == nullptr) return std::nullopt;
    return BlocksMask(options.blocks, options.blocks.firstKey + shape.keys);
  }

  [[nodiscard]] Coverage coverage(const Tile& tile) const {
    const std::size_t first = tile.query / blocks_.queriesPerBlock;
    const std::size_t last = (tile.query + tile.queries - 1) / blocks_.queriesPerBlock;
    Coverage whole = coverageOfBlockRow(tile, first);
    for (std::size_t row = first + 1; row <= last && whole != Coverage::some; ++row) {
      whole = merge(whole, coverageOfBlockRow(tile, row));
    }
    return whole;
  }

  void narrow(const Tile& tile, Cells cells) const {
    const std::size_t end = blocks_.firstKey + tile.key + tile.keys;
    for (std::size_t r = 0; r < tile.queries; ++r) {
      const std::uint8_t* const allow = blockRow((tile.query + r) / blocks_.queriesPerBlock);
      for (std::size_t key = blocks_.firstKey + tile.key; key < end;) {
        const std::size_t block = key / blocks_.keysPerBlock;
        const std::size_t run = std::min(end - key, (block + 1) * blocks_.keysPerBlock - key);
        if (allow[block] == 0) std::fill_n(cells.row(r) + (key - blocks_.firstKey - tile.key), run, std::uint8_t{0});
        key += run;
      }
    }
  }

 private:
  BlocksMask(const Blocks& blocks, std::size_t keys)
      : blocks_(blocks), blocksPerRow_(keys / blocks.keysPerBlock + (keys % blocks.keysPerBlock != 0 ? 1 : 0)) {}

  [[nodiscard]] Coverage coverageOfBlockRow(const Tile& tile, std::size_t row) const {
    const std::size_t first = (blocks_.firstKey + tile.key) / blocks_.keysPerBlock;
    const std::size_t last = (blocks_.firstKey + tile.key + tile.keys - 1) / blocks_.keysPerBlock;
    return coverageOf(blockRow(row) + first, last - first + 1, 1);
  }

  [[nodiscard]] const std::uint8_t* blockRow(std::size_t row) const { return blocks_.allow + row * blocksPerRow_; }

  Blocks blocks_;
  std::size_t blocksPerRow_;
};

}  // namespace attn
