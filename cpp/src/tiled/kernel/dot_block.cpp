#include "tiled/kernel/dot_block.h"

#include <algorithm>

#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/simd.h"
#include "tiled/plan.h"

namespace attn::tiled {

namespace {

/// s [kRows, 8·kPanels] = packed rows · that many panels.
template <std::size_t kRows, std::size_t kPanels>
[[gnu::noinline]] void dotPanels(const float* rows, const float* panels, std::size_t dim, float* s) {
  for (std::size_t c = 0; c < dim; c += kSumPart) {
    const auto tile =
        rankOneUpdates<kMicroRows, 1, kRows, kPanels>(rows + c * kMicroRows, panels + c * kMicroColumns, kMicroColumns,
                                                      dim * kMicroColumns, std::min(kSumPart, dim - c));
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t half = 0; half < kPanels * kMicroColumns / simd::kLanes; ++half) {
        float* const place = s + r * kMaxTileKeys + half * simd::kLanes;
        simd::store(c == 0 ? tile.c[r][half] : simd::add(simd::load(place), tile.c[r][half]), place);
      }
    }
  }
}

}  // namespace

void dotBlock(const float* rows, std::size_t count, const float* panels, std::size_t panelCount, std::size_t dim,
              float* s) {
  forRows(count, [&]<std::size_t kRows>() {
    constexpr std::size_t kPanels = kPanelsAtOnce<kRows>;
    const auto panelsAt = [&](std::size_t panel) { return panels + panel * dim * kMicroColumns; };
    std::size_t panel = 0;
    for (; panel + kPanels <= panelCount; panel += kPanels) {
      dotPanels<kRows, kPanels>(rows, panelsAt(panel), dim, s + panel * kMicroColumns);
    }
    for (; panel < panelCount; ++panel) dotPanels<kRows, 1>(rows, panelsAt(panel), dim, s + panel * kMicroColumns);
  });
}

}  // namespace attn::tiled
