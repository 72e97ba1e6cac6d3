#include "tiled/tile_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "attn/exact_size.h"
#include "logarithm.h"
#include "scale.h"

namespace attn::tiled {

using simd::F32x4;

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// How far m may stay behind, in units of log 2: few rows of ordinary scores pass it after their first tile, and
/// 16 · 16 · 2^120 is still a float32.
constexpr float kSlack = 4;

/// Keys that are not multiplied as they came need no panels.
std::size_t panelDimOf(const scoring::Projection& projection) {
  return projection.asTheyCome() ? projection.width() : 0;
}

}  // namespace

std::uint64_t TileLoop::workingBytes(const Shape& shape, const Options& options, const Plan& plan,
                                     const PageFormat* pages) {
  const scoring::Projection projection(shape, options.scoring);
  return sumOf({ScoreKernel::workingBytes(projection), QueryTile::workingBytes(plan, projection),
                KeyValueTiles::workingBytes(plan, panelDimOf(projection), pages),
                ProjectedKeys::workingBytes(shape, plan, projection), KeyNorms::workingBytes(plan),
                CarefulRow::workingBytes(shape), WideScores::workingBytes(),
                Arena::paddedBytes<RowBlock>(plan.rowBlocks),
                Arena::paddedBytes<float>(productOf({plan.rowBlocks, OutputBlock::floats(plan.valuePanels)})),
                Arena::paddedBytes<float>(kMicroRows * kMaxTileKeys),
                Arena::paddedBytes<std::uint8_t>(kMicroRows * kMaxTileKeys)});
}

TileLoop::TileLoop(const Shape& shape, const Options& options, const Broadcast<float>& bias, const Plan& plan,
                   const Trace& trace, Arena& arena, const PageFormat* pages)
    : shape_(shape),
      plan_(plan),
      masks_(shape, options.mask),
      projection_(shape, options.scoring),
      adjustment_(options, bias),
      scoreKernel_(projection_, adjustment_.factor(scaleOf(shape, options)), arena),
      queryTile_(shape, plan_, projection_, adjustment_.factor(scaleOf(shape, options)), arena),
      keyValueTiles_(shape_, plan_, panelDimOf(projection_), pages, arena),
      projectedKeys_(shape_, plan_, projection_, arena),
      keyNorms_(plan_, arena),
      exactScores_(shape, options, bias),
      wideScores_(projection_.width(), exactScores_, arena),
      carefulRow_(shape, options, exactScores_, arena),
      trace_(shape_, plan_, trace),
      blocks_(arena.take<RowBlock>(plan.rowBlocks)),
      outputs_(arena.take<float>(plan.rowBlocks * OutputBlock::floats(plan.valuePanels))),
      scores_(arena.take<float>(kMicroRows * kMaxTileKeys)),
      cells_(arena.take<std::uint8_t>(kMicroRows * kMaxTileKeys)) {
  std::ranges::fill(cells_, std::uint8_t{0});
}

void TileLoop::setKeyValueHead(const KeyValueHead& head) {
  keyValueTiles_.reset(head);
  projectedKeys_.reset();
  keyNorms_.reset();
}

void TileLoop::run(const QueryHead& head, std::size_t first, std::size_t last, Report& report) {
  for (std::size_t q = first; q < last; ++q) {
    const std::size_t query = q * plan_.queries;
    const std::size_t queries = std::min(plan_.queries, shape_.queries - query);
    begin(head, query, queries);
    bool loaded = false;
    for (std::size_t t = 0; t < plan_.keyTiles; ++t) {
      const std::size_t key = t * plan_.keys;
      const Tile tile{head.batch, head.head, query, queries, key, std::min(plan_.keys, shape_.keys - key)};
      const Coverage coverage = masks_.coverage(tile);
      if (coverage == Coverage::none) {
        ++report.tilesSkipped;
        if (trace_.isWanted()) record(tile, t, false);
        continue;
      }
      if (!loaded) load(head, query, queries);
      loaded = true;
      visit(head, tile, t, coverage);
      if (trace_.isWanted()) record(tile, t, true);
      ++report.tilesVisited;
      report.flops += std::uint64_t{2} * tile.queries * tile.keys * (projection_.width() + shape_.valueDim);
    }
    finish(head, query, queries, report);
  }
}

void TileLoop::begin(const QueryHead& head, std::size_t query, std::size_t queries) {
  for (std::size_t block = 0; block * kMicroRows < queries; ++block) {
    blocks_[block].softmax.reset();
    std::ranges::fill(blocks_[block].careful, true);  // until its queries are known
    outputBlock(block).reset();
  }
  if (head.weights != nullptr) std::fill_n(head.weights + query * shape_.keys, queries * shape_.keys, 0.0F);
}

void TileLoop::load(const QueryHead& head, std::size_t query, std::size_t queries) {
  queryTile_.load(head.queries + query * shape_.queryWidth(), queries);
  for (std::size_t block = 0; block * kMicroRows < queries; ++block) {
    RowBlock& state = blocks_[block];
    for (std::size_t r = 0; r < kMicroRows; ++r) {
      state.careful[r] = !queryTile_.holds(block, r);
      state.norms[r] = queryTile_.norms(block)[r] * adjustment_.unit();
    }
  }
}

void TileLoop::visit(const QueryHead& head, const Tile& tile, std::size_t keyTile, Coverage coverage) {
  keyValueTiles_.prepare(keyTile);
  if (projection_.projects()) projectedKeys_.prepare(keyTile, [&](std::size_t j) { return keyValueTiles_.key(j); });
  for (std::size_t row = 0; row < tile.queries; row += kMicroRows) {
    Tile rows = tile;
    rows.query += row;
    rows.queries = std::min(kMicroRows, tile.queries - row);
    const Coverage here = coverage == Coverage::all ? coverage : masks_.coverage(rows);
    if (here != Coverage::none) attend(head, {rows, row / kMicroRows, keyTile, here == Coverage::some, {}});
  }
}

void TileLoop::attend(const QueryHead& head, Visit visit) {
  const Tile& rows = visit.rows;
  visit.span = {0, rows.keys};
  if (visit.masked) {
    for (std::size_t r = rows.queries; r < kMicroRows; ++r) std::fill_n(&cells_[r * kMaxTileKeys], rows.keys, 0);
    masks_.visible(rows, {cells_.data(), kMaxTileKeys});
    visit.span = spanOf(cells_.data(), rows.keys);
    if (visit.span.begin == visit.span.end) return;
  }
  noteOverflow(blocks_[visit.block], largestNorm(visit.keyTile));

  score(visit);                            // s
  const Decay decay = weigh(head, visit);  // m', p = 2^(s − m'), l', α
  const auto [begin, end] = visit.span;    // O' = α·O + p·v, and the weights likewise
  outputBlock(visit.block)
      .accumulate(&scores_[begin], rows.queries, end - begin,
                  keyValueTiles_.values(visit.keyTile) + begin * kMicroColumns, keyValueTiles_.valuePanelStride(),
                  visit.keyTile, decay);
  if (head.weights != nullptr) keepWeights(head, visit, decay);
}

void TileLoop::score(const Visit& visit) {
  const auto [first, columns] = panelsOf(visit.span);
  const Tile& rows = visit.rows;
  float* const s = &scores_[first];

  // s = scale · score(q, k), softcap, bias
  Tile seen = rows;
  seen.key += first;
  seen.keys = std::min(columns, rows.keys - first);
  scoreKernel_.compute(seen, queryTile_.packed(visit.block), panels(visit.keyTile) + first * projection_.width(),
                       columns / kMicroColumns, s);
  if (!adjustment_.isNone()) adjustment_.apply(seen, s, columns);

  // s = −∞ where masked, and in the padding of the last panel
  if (visit.masked) hideMasked(&cells_[first], rows.queries, columns, s);
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the span is set before any score is made
  for (std::size_t c = rows.keys; c < first + columns; ++c) {
    for (std::size_t r = 0; r < rows.queries; ++r) scores_[r * kMaxTileKeys + c] = kMinusInfinity;
  }
}

Decay TileLoop::weigh(const QueryHead& head, const Visit& visit) {
  RowBlock& block = blocks_[visit.block];
  const auto [first, columns] = panelsOf(visit.span);
  const std::size_t rows = visit.rows.queries;
  float* const s = &scores_[first];

  const F32x4 here = rowMaxima(s, rows, columns);
  SoftmaxState next = block.softmax;
  const Decay decay = next.advance(here, kSlack);
  const F32x4 sums = exponentiate(s, rows, columns, next.shift());
  next.add(sums);

  const float keyNorm = largestNorm(visit.keyTile);
  auto inNeed = wideScores_.rowsInNeed(here, simd::load(block.norms), keyNorm, next);
  const auto any = [&] { return std::ranges::find(inNeed, true) != inNeed.end(); };
  if (any()) askEveryKey(visit, next, here, inNeed);
  if (any()) return weighWide(head, visit, inNeed, here, sums);
  block.softmax = next;
  return decay;
}

/// Takes back what is said of rows in which only keys without weight are long.
void TileLoop::askEveryKey(const Visit& visit, const SoftmaxState& softmax, F32x4 here,
                           std::array<bool, kMicroRows>& inNeed) {
  if constexpr (!simd::kHasVectors) return;  // a kilobyte of a module that is only a fallback
  // The products of an additive score are not those of its vectors, and given scores have none.
  if (projection_.additive() != nullptr || projection_.given() != nullptr) return;
  const auto [first, columns] = panelsOf(visit.span);
  const float* const norms = keyNorms_.of(visit.keyTile, panels(visit.keyTile), projection_.width()) + first;
  float largest[kMicroRows];
  simd::store(here, largest);
  for (std::size_t r = 0; r < kMicroRows; ++r) {
    inNeed[r] = inNeed[r] && wideScores_.isInNeed(largest[r], blocks_[visit.block].norms[r],
                                                  &scores_[r * kMaxTileKeys + first], norms, columns, softmax.sum(r));
  }
}

Decay TileLoop::weighWide(const QueryHead& head, const Visit& visit, const std::array<bool, kMicroRows>& inNeed,
                          F32x4 here, F32x4 sums) {
  RowBlock& block = blocks_[visit.block];
  const auto [first, columns] = panelsOf(visit.span);
  float largest[kMicroRows];
  float rowSums[kMicroRows];
  simd::store(here, largest);
  simd::store(sums, rowSums);
  for (std::size_t r = 0; r < visit.rows.queries; ++r) {
    if (!inNeed[r]) continue;
    const Tile& rows = visit.rows;
    const Tile row{rows.batch, rows.head, rows.query + r, 1, rows.key + first, rows.keys - first};
    const std::uint8_t* const cells = visit.masked ? &cells_[r * kMaxTileKeys + first] : nullptr;
    const double max =
        projection_.asTheyCome()
            ? wideScores_.compute(row, head.queries + row.query * shape_.queryWidth(),
                                  panels(visit.keyTile) + first * shape_.keyDim, columns, cells)
            : wideScores_.compute(row, products(head, visit.block * kMicroRows + r, row.query), columns, cells);
    // Up to here float32 numbers lie so close that rounding moves the maximum by 1 at most.
    constexpr double kLimit = 0x1p24;
    block.careful[r] = block.careful[r] || !(std::fabs(max) <= kLimit);
    largest[r] = static_cast<float>(max);
    const float shift = block.softmax.maxAfter(r, largest[r], kSlack);
    float* const s = &scores_[r * kMaxTileKeys + first];
    wideScores_.relativeTo(shift, columns, s);
    rowSums[r] = exponentiateRow(s, columns, 0);
  }
  const Decay decay = block.softmax.advance(simd::load(largest), kSlack);
  block.softmax.add(simd::load(rowSums));
  return decay;
}

void TileLoop::keepWeights(const QueryHead& head, const Visit& visit, const Decay& decay) {
  const Tile& rows = visit.rows;
  const auto [begin, end] = visit.span;
  float factors[kMicroRows];
  simd::store(decay.factors, factors);
  for (std::size_t r = 0; r < rows.queries; ++r) {
    float* const weights = head.weights + (rows.query + r) * shape_.keys;
    if (factors[r] != 1.0F) {
      for (std::size_t j = 0; j < rows.key; ++j) weights[j] *= factors[r];
    }
    std::copy_n(&scores_[r * kMaxTileKeys + begin], end - begin, weights + rows.key + begin);
  }
}

void TileLoop::noteOverflow(RowBlock& block, float keyNorm) const {
  // No partial sum of q·k is larger than |q||k|. And what a subnormal q has lost, times k, must not matter.
  const bool keysHold = keyNorm * static_cast<float>(projection_.width()) <= kLargestSum;
  for (std::size_t r = 0; r < kMicroRows; ++r) {
    const bool holds = keysHold && block.norms[r] * keyNorm <= kLargestSum;
    block.careful[r] = block.careful[r] || !holds;
  }
}

void TileLoop::record(const Tile& tile, std::size_t keyTile, bool visited) const {
  trace_.setVisited(tile.batch, tile.head, tile.query, keyTile, visited);
  for (std::size_t row = 0; row < tile.queries; ++row) {
    const std::size_t block = row / kMicroRows;
    const std::size_t r = row % kMicroRows;
    const RowTrace to = trace_.row(tile.batch, tile.head, tile.query + row);
    const SoftmaxState& softmax = blocks_[block].softmax;
    // A trace is relative to the largest score itself.
    const float largest = softmax.largest(r);
    const double factor = largest == softmax.max(r) ? 1.0 : std::exp2(double{softmax.max(r)} - double{largest});
    to.max[keyTile] = double{largest} * std::numbers::ln2;
    to.sum[keyTile] = softmax.sum(r) * factor;
    for (std::size_t c = 0; c < shape_.valueDim; ++c) {
      to.output[keyTile * shape_.valueDim + c] = outputBlock(block).at(r, c) * factor;
    }
  }
}

scoring::RowProducts TileLoop::products(const QueryHead& head, std::size_t row, std::size_t i) const {
  const scoring::GivenScores* const given = projection_.given();
  return {projection_,
          {head.queries + i * shape_.queryWidth(), queryTile_.projected(row), projectedKeys_.rows(),
           given == nullptr ? nullptr : given->row(head.batch, head.head, i)}};
}

void TileLoop::finish(const QueryHead& head, std::size_t query, std::size_t queries, Report& report) {
  for (std::size_t row = 0; row < queries; ++row) {
    const std::size_t i = query + row;
    if (finishRow(head, i, row / kMicroRows, row % kMicroRows)) continue;
    ++report.carefulRows;
    const scoring::RowProducts exact = products(head, row, i);
    if (trace_.isWanted()) {
      carefulRow_.trace(head.batch, head.head, i, exact, keyValueTiles_, plan_.keys,
                        trace_.row(head.batch, head.head, i));
    }
    carefulRow_.compute(
        head.batch, head.head, i, exact, keyValueTiles_,
        {head.output + i * shape_.valueDim, head.weights == nullptr ? nullptr : head.weights + i * shape_.keys,
         head.logSumExp == nullptr ? nullptr : head.logSumExp + i});
  }
}

/// False if the row is not plainly a number; what was written then does not count.
bool TileLoop::finishRow(const QueryHead& head, std::size_t query, std::size_t block, std::size_t r) {
  const RowBlock& state = blocks_[block];
  const float max = state.softmax.max(r);
  const double sum = state.softmax.sum(r);
  if (state.careful[r] || max == kMinusInfinity || !std::isfinite(sum)) return false;

  const auto divisor = static_cast<float>(sum);
  float* const output = head.output + query * shape_.valueDim;
  F32x4 zeros = simd::zero();  // becomes NaN with the first ∞ or NaN
  for (std::size_t c = 0; c < shape_.valueDim; c += simd::kLanes) {
    const F32x4 columns = simd::div(outputBlock(block).columns(r, c), simd::splat(divisor));
    zeros = simd::mulAdd(columns, simd::zero(), zeros);
    simd::storeSome(columns, std::min(simd::kLanes, shape_.valueDim - c), output + c);
  }
  if (simd::sumOfLanes(zeros) != 0) return false;

  if (head.weights != nullptr) {
    float* const weights = head.weights + query * shape_.keys;
    for (std::size_t j = 0; j < shape_.keys; ++j) weights[j] /= divisor;
  }
  if (head.logSumExp != nullptr) {
    head.logSumExp[query] = static_cast<float>(double{max} * std::numbers::ln2 + logarithm(sum));
  }
  return true;
}

}  // namespace attn::tiled
