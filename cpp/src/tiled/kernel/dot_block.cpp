#include "tiled/kernel/dot_block.h"

#include <algorithm>

#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/simd.h"
#include "tiled/plan.h"

namespace attn::tiled {

namespace {

/// s [kRows, 8] = packed rows · panel.
template <std::size_t kRows>
[[gnu::noinline]] void dotPanel(const float* rows, const float* panel, std::size_t dim, float* s) {
  for (std::size_t c = 0; c < dim; c += kSumPart) {
    const auto tile = rankOneUpdates<kMicroRows, 1, kRows>(rows + c * kMicroRows, panel + c * kMicroColumns,
                                                           std::min(kSumPart, dim - c));
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t half = 0; half < kMicroColumns / simd::kLanes; ++half) {
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
    for (std::size_t panel = 0; panel < panelCount; ++panel) {
      dotPanel<kRows>(rows, panels + panel * dim * kMicroColumns, dim, s + panel * kMicroColumns);
    }
  });
}

}  // namespace attn::tiled
