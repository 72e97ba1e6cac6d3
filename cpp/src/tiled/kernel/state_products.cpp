#include "tiled/kernel/state_products.h"

#include "tiled/kernel/simd.h"

namespace attn::tiled {

using simd::F64x2;

namespace {

constexpr std::size_t kLanes = 2;

/// As many columns at a time as registers hold sums of.
constexpr std::size_t kVectors = 4;

/// Calls `use.template operator()<k>(c)` for k vectors of columns from c on, and `useOne(c)` for the columns that are
/// left; without vectors for all.
template <class Use, class UseOne>
void forColumns(std::size_t width, Use use, UseOne useOne) {
  std::size_t c = 0;
  if constexpr (simd::kHasVectors) {
    for (; c + kVectors * kLanes <= width; c += kVectors * kLanes) use.template operator()<kVectors>(c);
    for (; c + kLanes <= width; c += kLanes) use.template operator()<1>(c);
  }
  for (; c < width; ++c) useOne(c);
}

}  // namespace

void readState(const double* state, const double* x, std::size_t dim, std::size_t width, double* y) {
  forColumns(
      width,
      [&]<std::size_t kCount>(std::size_t c) {
        F64x2 sums[kCount];
        for (F64x2& sum : sums) sum = simd::zeroWide();
        for (std::size_t r = 0; r < dim; ++r) {
          const F64x2 factor = simd::splatWide(x[r]);
          for (std::size_t v = 0; v < kCount; ++v) {
            sums[v] = simd::mulAdd(factor, simd::load(state + r * width + c + v * kLanes), sums[v]);
          }
        }
        for (std::size_t v = 0; v < kCount; ++v) simd::store(sums[v], y + c + v * kLanes);
      },
      [&](std::size_t c) {
        double sum = 0;
        for (std::size_t r = 0; r < dim; ++r) sum += x[r] * state[r * width + c];
        y[c] = sum;
      });
}

void addToState(const double* x, const double* y, std::size_t dim, std::size_t width, double* state) {
  forColumns(
      width,
      [&]<std::size_t kCount>(std::size_t c) {
        F64x2 row[kCount];
        for (std::size_t v = 0; v < kCount; ++v) row[v] = simd::load(y + c + v * kLanes);
        for (std::size_t r = 0; r < dim; ++r) {
          const F64x2 factor = simd::splatWide(x[r]);
          for (std::size_t v = 0; v < kCount; ++v) {
            double* const place = state + r * width + c + v * kLanes;
            simd::store(simd::mulAdd(factor, row[v], simd::load(place)), place);
          }
        }
      },
      [&](std::size_t c) {
        for (std::size_t r = 0; r < dim; ++r) state[r * width + c] += x[r] * y[c];
      });
}

}  // namespace attn::tiled
