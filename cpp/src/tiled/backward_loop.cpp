#include "tiled/backward_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/exact_size.h"
#include "scale.h"
#include "tiled/kernel/dot_block.h"
#include "tiled/kernel/online_softmax.h"
#include "tiled/kernel/tanh.h"
#include "tiled/score_tile.h"

namespace attn::tiled {

using simd::F32x4;

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// A product of about this size neither overflows, whatever it is summed up to and multiplied by next, nor
/// falls to where float32 has fewer digits.
bool isOrdinary(double size) { return size == 0 || (size >= 0x1p-90 && size <= 0x1p90); }

std::size_t paddedRows(const Plan& plan) { return plan.rowBlocks * kMicroRows; }

std::uint64_t keyColumnFloats(const Shape& shape) {
  return productOf({divideUp(shape.keyDim, kMicroColumns), kMaxTileKeys, kMicroColumns});
}

/// The derivative of the softcap at s, before it is applied.
void slopesOf(const float* s, std::size_t rows, std::size_t columns, float softcap, float* slopes) {
  for (std::size_t r = 0; r < rows; ++r, s += kMaxTileKeys, slopes += kMaxTileKeys) {
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      simd::store(tanhSlope(simd::div(simd::load(s + c), simd::splat(softcap))), slopes + c);
    }
  }
}

/// slope = 0 where s = −∞, even if it is NaN.
void hideSlopes(const float* s, std::size_t rows, std::size_t columns, float* slopes) {
  const F32x4 lowest = simd::splat(std::numeric_limits<float>::lowest());
  for (std::size_t r = 0; r < rows; ++r, s += kMaxTileKeys, slopes += kMaxTileKeys) {
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      simd::store(simd::zeroIfLess(simd::load(s + c), lowest, simd::load(slopes + c)), slopes + c);
    }
  }
}

}  // namespace

Plan BackwardLoop::plan(const Shape& shape, TileSize tile) {
  // 2 MB of cells, unless there are so many keys that these would be few queries.
  constexpr std::size_t kCells = std::size_t{1} << 18;
  constexpr std::size_t kMost = 64;
  constexpr std::size_t kFewest = 16;
  const std::size_t near = kCells / std::max<std::size_t>(shape.keys, 1) / kMicroRows * kMicroRows;
  tile.queries = tile.queries == 0 ? std::clamp(near, kFewest, kMost) : std::min(tile.queries, kMost);
  return {shape, tile};
}

std::uint64_t BackwardLoop::workingBytes(const Shape& shape, const Options& options, const Plan& plan) {
  const std::size_t rows = paddedRows(plan);
  const std::size_t d = shape.keyDim;
  const std::size_t dv = shape.valueDim;
  return sumOf(
      {PanelTiles::workingBytes(d, plan), PanelTiles::workingBytes(dv, plan),
       GradientSum::workingBytes(plan.keyTiles, plan.keys, d), GradientSum::workingBytes(plan.keyTiles, plan.keys, dv),
       WideScores::workingBytes(), CarefulGradient::workingBytes(shape), GradientQueries::workingBytes(shape, rows),
       GradientCells::workingBytes(plan, rows, options.softcap.has_value()), GradientSum::workingBytes(1, rows, d),
       Arena::paddedBytes<Sight>(plan.rowBlocks), Arena::paddedBytes<bool>(rows),
       Arena::paddedBytes<float>(keyColumnFloats(shape)), Arena::paddedBytes<std::uint8_t>(kMicroRows * kMaxTileKeys)});
}

BackwardLoop::BackwardLoop(const Shape& shape, const Options& options, const Broadcast<float>& bias, const Plan& plan,
                           Arena& arena)
    : shape_(shape),
      plan_(plan),
      masks_(shape, options.mask),
      adjustment_(options, bias),
      softcap_(options.softcap),
      scale_(scaleOf(shape, options)),
      queryFactor_(adjustment_.factor(scale_)),
      keys_(shape.keys, shape.keyDim, plan, arena),
      values_(shape.keys, shape.valueDim, plan, arena),
      dKeys_(plan.keyTiles, plan.keys, shape.keyDim, arena),
      dValues_(plan.keyTiles, plan.keys, shape.valueDim, arena),
      exactScores_(shape, options, bias),
      wideScores_(shape.keyDim, exactScores_, arena),
      carefulGradient_(shape, options, exactScores_, arena),
      queries_(shape, paddedRows(plan), arena),
      cells_(plan, paddedRows(plan), softcap_.has_value(), arena),
      dQueries_(1, paddedRows(plan), shape.keyDim, arena),
      sights_(arena.take<Sight>(plan.rowBlocks)),
      careful_(arena.take<bool>(paddedRows(plan))),
      keyColumns_(arena.take<float>(static_cast<std::size_t>(keyColumnFloats(shape)))),
      visible_(arena.take<std::uint8_t>(kMicroRows * kMaxTileKeys)) {
  std::ranges::fill(visible_, std::uint8_t{0});
}

void BackwardLoop::setKeyValueHead(const float* keys, const float* values) {
  keyMatrix_ = keys;
  valueMatrix_ = values;
  keys_.reset(keys);
  values_.reset(values);
  dKeys_.reset();
  dValues_.reset();
}

void BackwardLoop::writeKeyValueGradients(float* dKeys, float* dValues) const {
  dKeys_.write(shape_.keys, scale_, dKeys);
  dValues_.write(shape_.keys, 1, dValues);
}

void BackwardLoop::run(const QueryGradientHead& head, Report& report) {
  const std::size_t nq = shape_.queries;
  const std::size_t nk = shape_.keys;
  const std::size_t d = shape_.keyDim;
  const std::size_t dv = shape_.valueDim;
  for (std::size_t query = 0; query < nq; query += plan_.queries) {
    Tile tile{head.batch, head.head, query, std::min(plan_.queries, nq - query), 0, 0};
    queries_.load(head.queries + query * d, head.dOutputs + query * dv, tile.queries, static_cast<float>(queryFactor_));
    cells_.clear();
    std::ranges::fill(sights_, Sight{});
    for (std::size_t t = 0; t < plan_.keyTiles; ++t) {
      tile.key = t * plan_.keys;
      tile.keys = std::min(plan_.keys, nk - tile.key);
      const Coverage coverage = masks_.coverage(tile);
      if (coverage == Coverage::none) {
        ++report.tilesSkipped;
        continue;
      }
      if constexpr (simd::kHasVectors) visit(tile, t, coverage);
      ++report.tilesVisited;
      report.flops += productOf({2, tile.queries, tile.keys, 3 * d + 2 * dv});
    }
    if constexpr (simd::kHasVectors) {
      for (std::size_t row = 0; row < tile.queries; row += kMicroRows) differentiate(head, tile, row);
      dQueries_.reset();
      for (std::size_t v = 0; v < cells_.visits().size(); ++v) spread(tile, v);
      dQueries_.write(tile.queries, scale_, head.dQueries + tile.query * d);
    }
    finish(head, tile, report);
  }
}

/// S and dP of the queries at hand and one key tile.
void BackwardLoop::visit(const Tile& tile, std::size_t keyTile, Coverage coverage) {
  keys_.prepare(keyTile);
  values_.prepare(keyTile);
  const std::size_t v = cells_.visits().size();
  cells_.open(keyTile, tile.key, tile.keys);
  for (std::size_t row = 0; row < tile.queries; row += kMicroRows) {
    Tile rows = tile;
    rows.query += row;
    rows.queries = std::min(kMicroRows, tile.queries - row);
    const Coverage here = coverage == Coverage::all ? coverage : masks_.coverage(rows);
    if (here != Coverage::none) {
      score(rows, row, v, here == Coverage::some);
      continue;
    }
    std::fill_n(cells_.scores(v, row), kMicroRows * kMaxTileKeys, kMinusInfinity);
    if (cells_.hasSlopes()) std::fill_n(cells_.slopes(v, row), kMicroRows * kMaxTileKeys, 0.0F);
  }
}

void BackwardLoop::score(const Tile& rows, std::size_t row, std::size_t v, bool masked) {
  const auto [keyTile, key, keys, columns] = cells_.visits()[v];
  const std::size_t panels = columns / kMicroColumns;
  float* const s = cells_.scores(v, row);

  // S = −∞ where masked, and in the padding of the last panel
  dotBlock(queries_.queries(row), rows.queries, keys_.panels(keyTile), panels, shape_.keyDim, s);
  if (softcap_) slopesOf(s, rows.queries, columns, static_cast<float>(*softcap_), cells_.slopes(v, row));
  if (!adjustment_.isNone()) adjustment_.apply(rows, s, columns);
  if (masked) {
    masks_.visible(rows, {visible_.data(), kMaxTileKeys});
    hideMasked(visible_.data(), rows.queries, columns, s);
  }
  for (std::size_t r = 0; r < rows.queries; ++r) {
    std::fill(s + r * kMaxTileKeys + keys, s + r * kMaxTileKeys + columns, kMinusInfinity);
  }
  if (softcap_) hideSlopes(s, rows.queries, columns, cells_.slopes(v, row));

  // dP = dO · Vᵀ
  dotBlock(queries_.dOutputs(row), rows.queries, values_.panels(keyTile), panels, shape_.valueDim,
           cells_.gradients(v, row));

  Sight& sight = sights_[row / kMicroRows];
  sight.keyNorm = std::max(sight.keyNorm, keys_.largestNorm(keyTile));
  sight.key = std::max(sight.key, keys_.largest(keyTile));
  sight.value = std::max(sight.value, values_.largest(keyTile));
}

/// P and dZ of four queries and all they see.
void BackwardLoop::differentiate(const QueryGradientHead& head, const Tile& tile, std::size_t row) {
  const std::size_t rows = std::min(kMicroRows, tile.queries - row);
  const F32x4 max = cells_.rowMaxima(row, rows);
  SoftmaxState softmax;  // NOLINT(cppcoreguidelines-pro-type-member-init): the next line fills it
  softmax.reset();
  softmax.advance(max, 0);
  float shifts[kMicroRows];
  simd::store(softmax.shift(), shifts);
  std::array<GradientCells::Sums, kMicroRows> sums;
  float weights[kMicroRows] = {};
  float norms[kMicroRows] = {};
  for (std::size_t r = 0; r < rows; ++r) {
    sums[r] = cells_.weighRow(row + r, shifts[r]);
    weights[r] = static_cast<float>(sums[r].weights);
    norms[r] = queries_.norm(row + r) * adjustment_.unit();
  }
  softmax.add(simd::load(weights));

  const auto inNeed = wideScores_.rowsInNeed(max, simd::load(norms), sights_[row / kMicroRows].keyNorm, softmax);
  for (std::size_t r = 0; r < rows; ++r) {
    bool holds = floatHolds(row + r) && softmax.max(r) != kMinusInfinity;
    if (holds && inNeed[r]) holds = weighWide(head, tile, row + r, sums[r]);
    holds = holds && std::isfinite(sums[r].weights) && std::isfinite(sums[r].products);
    careful_[row + r] = !holds;
    if (holds) {
      cells_.differentiateRow(row + r, sums[r]);
    } else {
      cells_.clearRow(row + r);
    }
  }
}

/// Whether no number on the way from q, k, v and dO to the gradients leaves the range in which float32 has
/// all its digits.
bool BackwardLoop::floatHolds(std::size_t row) const {
  const Sight& sight = sights_[row / kMicroRows];
  // As for the output: a factor must keep its digits, no partial sum of q·k overflow, and what a
  // subnormal q has lost, times k, must not matter.
  const bool factorHolds = queryFactor_ == 0 || std::isnormal(static_cast<float>(queryFactor_));
  const bool scoresHold = sight.keyNorm * static_cast<float>(shape_.keyDim) <= kLargestSum &&
                          queries_.norm(row) * adjustment_.unit() * sight.keyNorm <= kLargestSum;
  const double dOutput{queries_.largestDOutput(row)};
  const double gradient = dOutput * double{sight.value};
  return factorHolds && scoresHold && isOrdinary(dOutput) && isOrdinary(gradient) &&
         isOrdinary(gradient * double{sight.key}) && isOrdinary(gradient * double{queries_.largestQuery(row)});
}

/// Scores in float64 for a row whose float32 ones have too few digits. False if they are too large even
/// for their differences to fit float32.
bool BackwardLoop::weighWide(const QueryGradientHead& head, const Tile& tile, std::size_t row,
                             GradientCells::Sums& sums) {
  double max = -std::numeric_limits<double>::infinity();
  const auto visits = cells_.visits();
  for (std::size_t v = 0; v < visits.size(); ++v) max = std::max(max, scoreWide(head, tile, row, v));
  // Up to here float32 numbers lie so close that the shift is within 1 of the maximum.
  constexpr double kLimit = 0x1p24;
  if (!(std::fabs(max) <= kLimit)) return false;
  const auto shift = static_cast<float>(max);
  for (std::size_t v = 0; v < visits.size(); ++v) {
    scoreWide(head, tile, row, v);
    wideScores_.relativeTo(shift, visits[v].columns, cells_.scores(v, row));
  }
  sums = cells_.weighRow(row, 0);
  return true;
}

/// Leaves the scores of one row and one key tile with `wideScores_`. Gives the largest.
double BackwardLoop::scoreWide(const QueryGradientHead& head, const Tile& tile, std::size_t row, std::size_t v) {
  const auto [keyTile, key, keys, columns] = cells_.visits()[v];
  const Tile cells{tile.batch, tile.head, tile.query + row, 1, key, keys};
  masks_.visible(cells, {visible_.data(), kMaxTileKeys});
  return wideScores_.compute(cells, head.queries + cells.query * shape_.keyDim, keys_.panels(keyTile), columns,
                             visible_.data());
}

/// dV += Pᵀ·dO, dK += dZᵀ·Q, dQ += dZ·K for the queries at hand and one key tile.
void BackwardLoop::spread(const Tile& tile, std::size_t v) {
  const auto [keyTile, key, keys, columns] = cells_.visits()[v];
  const float* const weights = cells_.scores(v, 0);
  const float* const gradients = cells_.gradients(v, 0);
  const std::size_t keyPanels = divideUp(shape_.keyDim, kMicroColumns);
  for (std::size_t panel = 0; panel < plan_.valuePanels; ++panel) {
    for (std::size_t j = 0; j < keys; j += kMicroRows) {
      dValues_.add(keyTile, j, panel, weights + j, queries_.dOutputColumns(panel), tile.queries);
    }
  }
  for (std::size_t panel = 0; panel < keyPanels; ++panel) {
    for (std::size_t j = 0; j < keys; j += kMicroRows) {
      dKeys_.add(keyTile, j, panel, gradients + j, queries_.queryColumns(panel), tile.queries);
    }
  }
  packFiniteColumns(keyMatrix_ + key * shape_.keyDim, keys, shape_.keyDim, kMaxTileKeys, keyColumns_.data());
  for (std::size_t panel = 0; panel < keyPanels; ++panel) {
    for (std::size_t row = 0; row < tile.queries; row += kMicroRows) {
      dQueries_.addTransposed(0, row, panel, gradients + row * kMaxTileKeys,
                              &keyColumns_[panel * kMaxTileKeys * kMicroColumns], keys);
    }
  }
}

void BackwardLoop::finish(const QueryGradientHead& head, const Tile& tile, Report& report) {
  const auto& [batch, queryHeads, kvHeads, nq, nk, d, dv, queryDim] = shape_;
  for (std::size_t row = 0; row < tile.queries; ++row) {
    // Without vectors a float32 is no faster than a float64: all rows go this way, and the module is 4 KB smaller.
    if constexpr (simd::kHasVectors) {
      if (!careful_[row]) continue;
      ++report.carefulRows;
    }
    const std::size_t i = tile.query + row;
    carefulGradient_.add(
        tile.batch, tile.head, i,
        {head.queries + i * d, head.dOutputs + i * dv, keyMatrix_, valueMatrix_, head.dQueries + i * d}, dKeys_,
        dValues_);
  }
}

}  // namespace attn::tiled
