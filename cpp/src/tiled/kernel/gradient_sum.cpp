#include "tiled/kernel/gradient_sum.h"

#include "tiled/kernel/simd.h"

namespace attn::tiled {

namespace {

template <std::size_t kStepA, std::size_t kRowA>
void addProducts(const float* a, const float* b, std::size_t count, double* sum) {
  const auto added = rankOneUpdates<kStepA, kRowA>(a, b, count);
  for (const auto& row : added.c) {
    for (const simd::F32x4 four : row) {
      simd::store(simd::add(simd::load(sum), simd::widenLower(four)), sum);
      simd::store(simd::add(simd::load(sum + 2), simd::widenUpper(four)), sum + 2);
      sum += simd::kLanes;
    }
  }
}

}  // namespace

void GradientSum::add(std::size_t t, std::size_t row, std::size_t panel, const float* a, const float* b,
                      std::size_t count) {
  addProducts<kMaxTileKeys, 1>(a, b, count, blockAt(t, row, panel));
}

void GradientSum::addTransposed(std::size_t t, std::size_t row, std::size_t panel, const float* a, const float* b,
                                std::size_t count) {
  addProducts<1, kMaxTileKeys>(a, b, count, blockAt(t, row, panel));
}

}  // namespace attn::tiled
