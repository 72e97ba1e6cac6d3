#include "tiled/tile_loop.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "attn/exact_size.h"
#include "scale.h"

namespace attn::tiled {

using simd::F32x4;

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// s [kRows, 8·kPanels] = packed queries · keys of that many panels.
template <std::size_t kRows, std::size_t kPanels>
[[gnu::noinline]] void scorePanels(const float* queries, const float* keys, std::size_t dim, float* s) {
  // Sums of more products than this are made in parts, so that their rounding does not grow with d.
  constexpr std::size_t kPart = 64;
  for (std::size_t c = 0; c < dim; c += kPart) {
    const auto tile =
        rankOneUpdates<kMicroRows, 1, kRows, kPanels>(queries + c * kMicroRows, keys + c * kMicroColumns, kMicroColumns,
                                                      dim * kMicroColumns, std::min(kPart, dim - c));
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t half = 0; half < kPanels * kMicroColumns / simd::kLanes; ++half) {
        float* const place = s + r * kMaxTileKeys + half * simd::kLanes;
        simd::store(c == 0 ? tile.c[r][half] : simd::add(simd::load(place), tile.c[r][half]), place);
      }
    }
  }
}

/// s [rows, 8·panels] = packed queries · keys of `panels` panels.
void scoreBlock(const float* queries, std::size_t rows, const float* keys, std::size_t panels, std::size_t dim,
                float* s) {
  forRows(rows, [&]<std::size_t kRows>() {
    constexpr std::size_t kPanels = kPanelsAtOnce<kRows>;
    const auto keysAt = [&](std::size_t panel) { return keys + panel * dim * kMicroColumns; };
    std::size_t panel = 0;
    for (; panel + kPanels <= panels; panel += kPanels) {
      scorePanels<kRows, kPanels>(queries, keysAt(panel), dim, s + panel * kMicroColumns);
    }
    for (; panel < panels; ++panel) scorePanels<kRows, 1>(queries, keysAt(panel), dim, s + panel * kMicroColumns);
  });
}

/// s = −∞ where the cell is masked; `columns` is a multiple of 4.
void hideMasked(const std::uint8_t* cells, std::size_t rows, std::size_t columns, float* s) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; c += simd::kLanes) {
      float* const place = s + r * kMaxTileKeys + c;
      simd::store(simd::select(cells + r * kMaxTileKeys + c, simd::load(place), simd::splat(kMinusInfinity)), place);
    }
  }
}

/// The columns that hold every visible cell of four rows.
Span spanOf(const std::uint8_t* cells, std::size_t columns) {
  const auto anyVisible = [&](std::size_t c) {
    bool any = false;
    for (std::size_t r = 0; r < kMicroRows; ++r) any = any || cells[r * kMaxTileKeys + c] != 0;
    return any;
  };
  Span span{0, columns};
  while (span.begin < span.end && !anyVisible(span.begin)) ++span.begin;
  while (span.begin < span.end && !anyVisible(span.end - 1)) --span.end;
  return span;
}

/// Whole panels around a span: the first column and their number.
struct Panels {
  std::size_t first;
  std::size_t columns;
};

Panels panelsOf(Span span) {
  const std::size_t first = span.begin / kMicroColumns * kMicroColumns;
  return {first, roundUp(span.end, kMicroColumns) - first};
}

}  // namespace

std::uint64_t TileLoop::workingBytes(const Shape& shape, const Plan& plan, const PageFormat* pages) {
  return sumOf({KeyValueTiles::workingBytes(shape, plan, pages), CarefulRow::workingBytes(shape),
                WideScores::workingBytes(), Arena::paddedBytes<RowBlock>(plan.rowBlocks),
                Arena::paddedBytes<float>(productOf({plan.rowBlocks, shape.keyDim, kMicroRows})),
                Arena::paddedBytes<float>(productOf({plan.rowBlocks, OutputBlock::floats(plan.valuePanels)})),
                Arena::paddedBytes<float>(kMicroRows * kMaxTileKeys),
                Arena::paddedBytes<std::uint8_t>(kMicroRows * kMaxTileKeys)});
}

TileLoop::TileLoop(const Shape& shape, const Options& options, const Broadcast<float>& bias, const Plan& plan,
                   Arena& arena, const PageFormat* pages)
    : shape_(shape),
      plan_(plan),
      masks_(shape, options.mask),
      adjustment_(options, bias),
      queryFactor_(adjustment_.queryFactor(scaleOf(shape, options))),
      keyValueTiles_(shape_, plan_, pages, arena),
      exactScores_(shape, options, bias),
      wideScores_(shape, exactScores_, arena),
      carefulRow_(shape, options, exactScores_, arena),
      blocks_(arena.take<RowBlock>(plan.rowBlocks)),
      queries_(arena.take<float>(plan.rowBlocks * shape.keyDim * kMicroRows)),
      outputs_(arena.take<float>(plan.rowBlocks * OutputBlock::floats(plan.valuePanels))),
      scores_(arena.take<float>(kMicroRows * kMaxTileKeys)),
      cells_(arena.take<std::uint8_t>(kMicroRows * kMaxTileKeys)) {
  std::ranges::fill(cells_, std::uint8_t{0});
}

void TileLoop::setKeyValueHead(const KeyValueHead& head) { keyValueTiles_.reset(head); }

void TileLoop::run(const QueryHead& head, std::size_t first, std::size_t last, Report& report) {
  for (std::size_t q = first; q < last; ++q) {
    const std::size_t query = q * plan_.queries;
    const std::size_t queries = std::min(plan_.queries, shape_.queries - query);
    begin(head, query, queries);
    for (std::size_t t = 0; t < plan_.keyTiles; ++t) {
      const std::size_t key = t * plan_.keys;
      const Tile tile{head.batch, head.head, query, queries, key, std::min(plan_.keys, shape_.keys - key)};
      const Coverage coverage = masks_.coverage(tile);
      if (coverage == Coverage::none) {
        ++report.tilesSkipped;
        continue;
      }
      visit(head, tile, t, coverage);
      ++report.tilesVisited;
      report.flops += productOf({2, tile.queries, tile.keys, shape_.keyDim + shape_.valueDim});
    }
    finish(head, query, queries, report);
  }
}

void TileLoop::begin(const QueryHead& head, std::size_t query, std::size_t queries) {
  const auto factor = static_cast<float>(queryFactor_);
  // A factor that float32 rounds to 0, ∞ or a subnormal number has lost its digits.
  const bool factorHolds = queryFactor_ == 0 || std::isnormal(factor);
  for (std::size_t block = 0; block * kMicroRows < queries; ++block) {
    const std::size_t row = block * kMicroRows;
    RowBlock& state = blocks_[block];
    state.softmax.reset();
    std::ranges::fill(state.careful, !factorHolds);
    packQueries(head.queries + (query + row) * shape_.keyDim, std::min(kMicroRows, queries - row), shape_.keyDim,
                factor, packedQueries(block), state.norms);
    for (float& norm : state.norms) norm *= adjustment_.unit();
    outputBlock(block).reset();
  }
  if (head.weights != nullptr) std::fill_n(head.weights + query * shape_.keys, queries * shape_.keys, 0.0F);
}

void TileLoop::visit(const QueryHead& head, const Tile& tile, std::size_t keyTile, Coverage coverage) {
  keyValueTiles_.prepare(keyTile);
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
  noteOverflow(blocks_[visit.block], keyValueTiles_.largestNorm(visit.keyTile));

  score(visit);                            // s
  const F32x4 decay = weigh(head, visit);  // m', p = 2^(s − m'), l', α
  const auto [begin, end] = visit.span;    // O' = α·O + p·v, and the weights likewise
  const std::size_t stride = keyValueTiles_.valueStride();
  outputBlock(visit.block)
      .accumulate<kMaxTileKeys>(&scores_[begin], rows.queries, end - begin,
                                keyValueTiles_.values(visit.keyTile) + begin * stride, stride, decay);
  if (head.weights != nullptr) keepWeights(head, visit, decay);
}

void TileLoop::score(const Visit& visit) {
  const auto [first, columns] = panelsOf(visit.span);
  const Tile& rows = visit.rows;
  float* const s = &scores_[first];

  // s = scale · q·k, softcap, bias
  scoreBlock(packedQueries(visit.block), rows.queries, keyValueTiles_.panels(visit.keyTile) + first * shape_.keyDim,
             columns / kMicroColumns, shape_.keyDim, s);
  if (!adjustment_.isNone()) {
    Tile seen = rows;
    seen.key += first;
    seen.keys = std::min(columns, rows.keys - first);
    adjustment_.apply<kMaxTileKeys>(seen, s, columns);
  }

  // s = −∞ where masked, and in the padding of the last panel
  if (visit.masked) hideMasked(&cells_[first], rows.queries, columns, s);
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the span is set before any score is made
  for (std::size_t c = rows.keys; c < first + columns; ++c) {
    for (std::size_t r = 0; r < rows.queries; ++r) scores_[r * kMaxTileKeys + c] = kMinusInfinity;
  }
}

F32x4 TileLoop::weigh(const QueryHead& head, const Visit& visit) {
  RowBlock& block = blocks_[visit.block];
  const auto [first, columns] = panelsOf(visit.span);
  const std::size_t rows = visit.rows.queries;
  float* const s = &scores_[first];

  const F32x4 here = rowMaxima<kMaxTileKeys>(s, rows, columns);
  SoftmaxState next = block.softmax;
  const F32x4 decay = next.advance(here);
  const F32x4 sums = exponentiate<kMaxTileKeys>(s, rows, columns, next.shift());
  next.add(sums);

  const float keyNorm = keyValueTiles_.largestNorm(visit.keyTile);
  const auto inNeed = wideScores_.rowsInNeed(here, simd::load(block.norms), keyNorm, next);
  if (std::ranges::find(inNeed, true) != inNeed.end()) return weighWide(head, visit, inNeed, here, sums);
  block.softmax = next;
  return decay;
}

F32x4 TileLoop::weighWide(const QueryHead& head, const Visit& visit, const std::array<bool, kMicroRows>& inNeed,
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
    const double max = wideScores_.compute(row, head.queries + row.query * shape_.keyDim,
                                           keyValueTiles_.panels(visit.keyTile) + first * shape_.keyDim, columns,
                                           visit.masked ? &cells_[r * kMaxTileKeys + first] : nullptr);
    // Up to here float32 numbers lie so close that the shift is within 1 of the maximum.
    constexpr double kLimit = 0x1p24;
    block.careful[r] = block.careful[r] || !(std::fabs(max) <= kLimit);
    largest[r] = static_cast<float>(max);
    const float shift = std::max(largest[r], block.softmax.max(r));
    float* const s = &scores_[r * kMaxTileKeys + first];
    wideScores_.relativeTo(shift, columns, s);
    rowSums[r] = simd::sumOfLanes(exponentiateRow(s, columns, 0));
  }
  const F32x4 decay = block.softmax.advance(simd::load(largest));
  block.softmax.add(simd::load(rowSums));
  return decay;
}

void TileLoop::keepWeights(const QueryHead& head, const Visit& visit, F32x4 decay) {
  const Tile& rows = visit.rows;
  const auto [begin, end] = visit.span;
  float factors[kMicroRows];
  simd::store(decay, factors);
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
  constexpr float kLimit = 0x1p120F;
  const bool keysHold = keyNorm * static_cast<float>(shape_.keyDim) <= kLimit;
  for (std::size_t r = 0; r < kMicroRows; ++r) {
    const bool holds = keysHold && block.norms[r] * keyNorm <= kLimit;
    block.careful[r] = block.careful[r] || !holds;
  }
}

void TileLoop::finish(const QueryHead& head, std::size_t query, std::size_t queries, Report& report) {
  for (std::size_t row = 0; row < queries; ++row) {
    const std::size_t i = query + row;
    if (finishRow(head, i, row / kMicroRows, row % kMicroRows)) continue;
    ++report.carefulRows;
    carefulRow_.compute(
        head.batch, head.head, i, head.queries + i * shape_.keyDim, keyValueTiles_,
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
    head.logSumExp[query] = static_cast<float>(double{max} * std::numbers::ln2 + std::log(sum));
  }
  return true;
}

}  // namespace attn::tiled
