#include "tiled/key_norms.h"

#include <algorithm>

#include "attn/exact_size.h"
#include "tiled/kernel/pack.h"

namespace attn::tiled {

std::uint64_t KeyNorms::workingBytes(const Plan& plan) {
  return sumOf({Arena::paddedBytes<float>(productOf({plan.keyTiles, plan.keyPanels, kMicroColumns})),
                Arena::paddedBytes<std::uint8_t>(plan.keyTiles)});
}

KeyNorms::KeyNorms(const Plan& plan, Arena& arena)
    : keyPanels_(plan.keyPanels),
      norms_(arena.take<float>(plan.keyTiles * plan.keyPanels * kMicroColumns)),
      areMade_(arena.take<std::uint8_t>(plan.keyTiles)) {}

void KeyNorms::reset() { std::ranges::fill(areMade_, std::uint8_t{0}); }

const float* KeyNorms::of(std::size_t t, const float* panels, std::size_t width) {
  float* const norms = norms_.data() + t * keyPanels_ * kMicroColumns;
  if (areMade_[t] == 0) panelNorms(panels, keyPanels_, width, norms);
  areMade_[t] = 1;
  return norms;
}

}  // namespace attn::tiled
