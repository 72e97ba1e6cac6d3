#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "tiled/exp.h"
#include "tiled/micro_kernel.h"
#include "tiled/online_softmax.h"
#include "tiled/plan.h"
#include "tiled/simd.h"

namespace attn::tiled {

/// The cells of a tile of queries and all keys that any of them sees, key tile by key tile. For each cell
/// two numbers, in units of log 2 where they are scores, and with a softcap its derivative. Row by row
/// they become the weights and the gradients of the scores,
///
///   s → p = 2^(s − shift) → P = p / Σp
///   g = dP → dZ = P·(g − D)·slope      D = Σ P·g
///
/// where a score of −∞ has no part in anything, whatever g and slope are.
class GradientCells {
 public:
  /// Keys [key, key + keys) of tile `keyTile`; `columns` fills up whole panels.
  struct Visit {
    std::size_t keyTile;
    std::size_t key;
    std::size_t keys;
    std::size_t columns;
  };

  /// Σ p and Σ p·g of a row.
  struct Sums {
    double weights = 0;
    double products = 0;
  };

  static std::uint64_t workingBytes(const Plan& plan, std::size_t rows, bool slopes) {
    return sumOf({Arena::paddedBytes<Visit>(plan.keyTiles),
                  productOf({slopes ? 3U : 2U,
                             Arena::paddedBytes<float>(productOf({plan.keyTiles, rows, kMaxTileKeys}))})});
  }

  /// For up to `rows` queries. Takes `workingBytes` from the arena.
  GradientCells(const Plan& plan, std::size_t rows, bool slopes, Arena& arena)
      : rows_(rows),
        visits_(arena.take<Visit>(plan.keyTiles)),
        scores_(arena.take<float>(plan.keyTiles * rows * kMaxTileKeys)),
        gradients_(arena.take<float>(plan.keyTiles * rows * kMaxTileKeys)),
        slopes_(arena.take<float>(slopes ? plan.keyTiles * rows * kMaxTileKeys : 0)) {}

  void clear() { visitCount_ = 0; }

  /// Makes room for one more key tile; its cells are to be filled in.
  void open(std::size_t keyTile, std::size_t key, std::size_t keys) {
    visits_[visitCount_++] = {keyTile, key, keys, roundUp(keys, kMicroColumns)};
  }

  [[nodiscard]] std::span<const Visit> visits() const { return visits_.first(visitCount_); }
  [[nodiscard]] bool hasSlopes() const { return !slopes_.empty(); }

  /// The cells of a row in a visit, rows kMaxTileKeys apart.
  [[nodiscard]] float* scores(std::size_t visit, std::size_t row) { return &scores_[place(visit, row)]; }
  [[nodiscard]] float* gradients(std::size_t visit, std::size_t row) { return &gradients_[place(visit, row)]; }
  [[nodiscard]] float* slopes(std::size_t visit, std::size_t row) { return &slopes_[place(visit, row)]; }

  /// The largest scores of up to four rows from `row` on.
  [[nodiscard]] simd::F32x4 rowMaxima(std::size_t row, std::size_t rows) {
    simd::F32x4 max = simd::splat(-std::numeric_limits<float>::infinity());
    for (std::size_t v = 0; v < visitCount_; ++v) {
      max = simd::maxOrSecond(tiled::rowMaxima<kMaxTileKeys>(scores(v, row), rows, visits_[v].columns), max);
    }
    return max;
  }

  /// p in place of s.
  Sums weighRow(std::size_t row, float shift) {
    Sums sums;
    for (std::size_t v = 0; v < visitCount_; ++v) {
      weigh(scores(v, row), gradients(v, row), visits_[v].columns, shift, sums);
    }
    return sums;
  }

  /// P in place of p and dZ in place of g.
  void differentiateRow(std::size_t row, const Sums& sums) {
    const auto inverse = static_cast<float>(1 / sums.weights);
    const auto mean = static_cast<float>(sums.products / sums.weights);
    for (std::size_t v = 0; v < visitCount_; ++v) {
      differentiate(scores(v, row), gradients(v, row), visits_[v].columns, inverse, mean);
      if (hasSlopes()) multiply(slopes(v, row), visits_[v].columns, gradients(v, row));
    }
  }

  /// Makes a row have no part in anything.
  void clearRow(std::size_t row) {
    for (std::size_t v = 0; v < visitCount_; ++v) {
      std::fill_n(scores(v, row), visits_[v].columns, 0.0F);
      std::fill_n(gradients(v, row), visits_[v].columns, 0.0F);
    }
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t visit, std::size_t row) const {
    return (visit * rows_ + row) * kMaxTileKeys;
  }

  [[gnu::noinline]] static void weigh(float* s, float* g, std::size_t columns, float shift, Sums& sums) {
    simd::F32x4 weights = simd::zero();
    simd::F32x4 products = simd::zero();
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      const simd::F32x4 score = simd::load(s + c);
      const simd::F32x4 p = exp2(simd::sub(score, simd::splat(shift)));
      const simd::F32x4 seen =
          simd::zeroIfLess(score, simd::splat(std::numeric_limits<float>::lowest()), simd::load(g + c));
      simd::store(p, s + c);
      simd::store(seen, g + c);
      weights = simd::add(weights, p);
      products = simd::mulAdd(p, seen, products);
    }
    sums.weights += double{simd::sumOfLanes(weights)};
    sums.products += double{simd::sumOfLanes(products)};
  }

  [[gnu::noinline]] static void differentiate(float* p, float* g, std::size_t columns, float inverse, float mean) {
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      const simd::F32x4 weight = simd::mul(simd::load(p + c), simd::splat(inverse));
      simd::store(weight, p + c);
      simd::store(simd::mul(weight, simd::sub(simd::load(g + c), simd::splat(mean))), g + c);
    }
  }

  static void multiply(const float* slopes, std::size_t columns, float* g) {
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      simd::store(simd::mul(simd::load(g + c), simd::load(slopes + c)), g + c);
    }
  }

  std::size_t rows_;
  std::size_t visitCount_ = 0;
  std::span<Visit> visits_;
  std::span<float> scores_;
  std::span<float> gradients_;
  std::span<float> slopes_;
};

}  // namespace attn::tiled
