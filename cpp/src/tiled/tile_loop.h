#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/arena.h"
#include "attn/attention.h"
#include "exact_scores.h"
#include "mask/mask_set.h"
#include "scoring/projection.h"
#include "scoring/row_products.h"
#include "tiled/careful_row.h"
#include "tiled/kernel/online_softmax.h"
#include "tiled/kernel/output_block.h"
#include "tiled/kernel/score_adjustment.h"
#include "tiled/key_norms.h"
#include "tiled/key_value_tiles.h"
#include "tiled/plan.h"
#include "tiled/projected_keys.h"
#include "tiled/query_tile.h"
#include "tiled/score_kernel.h"
#include "tiled/score_tile.h"
#include "tiled/trace_recorder.h"
#include "tiled/wide_scores.h"

namespace attn::tiled {

/// One query head: its queries [nq, d] and where its results go (null: not wanted).
struct QueryHead {
  std::size_t batch;
  std::size_t head;
  const float* queries;
  float* output;     ///< [nq, dv]
  float* weights;    ///< [nq, nk]
  float* logSumExp;  ///< [nq]
};

/// Attention of one query head after another, tile by tile (Dao et al. 2022, algorithm 1, with the
/// loop over queries outside).
class TileLoop {
 public:
  /// `pages`: how the keys and values are kept, if not as rows.
  static std::uint64_t workingBytes(const Shape& shape, const Options& options, const Plan& plan,
                                    const PageFormat* pages = nullptr);

  /// Takes `workingBytes` from the arena.
  TileLoop(const Shape& shape, const Options& options, const Broadcast<float>& bias, const Plan& plan,
           const Trace& trace, Arena& arena, const PageFormat* pages = nullptr);

  /// The key/value head that the query heads to come attend to.
  void setKeyValueHead(const KeyValueHead& head);

  /// Query tiles first ≤ t < last of the head.
  void run(const QueryHead& head, std::size_t first, std::size_t last, Report& report);

 private:
  /// Four rows of the query tile.
  struct RowBlock {
    SoftmaxState softmax;
    OutputProgress output;
    float norms[kMicroRows];   ///< those of the queries, times scale and log₂ e
    bool careful[kMicroRows];  ///< float32 is not sure to do
  };

  /// Four rows of a tile that something is visible in.
  struct Visit {
    Tile rows;
    std::size_t block;
    std::size_t keyTile;
    bool masked;  ///< some cells are not visible: see cells_
    Span span;    ///< the columns with all that is visible
  };

  void begin(const QueryHead& head, std::size_t query, std::size_t queries);
  void load(const QueryHead& head, std::size_t query, std::size_t queries);
  void visit(const QueryHead& head, const Tile& tile, std::size_t keyTile, Coverage coverage);
  void attend(const QueryHead& head, Visit visit);
  void score(const Visit& visit);
  Decay weigh(const QueryHead& head, const Visit& visit);
  void askEveryKey(const Visit& visit, const SoftmaxState& softmax, simd::F32x4 here,
                   std::array<bool, kMicroRows>& inNeed);
  Decay weighWide(const QueryHead& head, const Visit& visit, const std::array<bool, kMicroRows>& inNeed,
                  simd::F32x4 here, simd::F32x4 sums);
  void keepWeights(const QueryHead& head, const Visit& visit, const Decay& decay);
  void record(const Tile& tile, std::size_t keyTile, bool visited) const;
  void finish(const QueryHead& head, std::size_t query, std::size_t queries, Report& report);
  bool finishRow(const QueryHead& head, std::size_t query, std::size_t block, std::size_t r);
  void noteOverflow(RowBlock& block, float keyNorm) const;

  /// Those of row `row` of the query tile, which is query i.
  [[nodiscard]] scoring::RowProducts products(const QueryHead& head, std::size_t row, std::size_t i) const;

  /// Of the keys as they are multiplied.
  [[nodiscard]] const float* panels(std::size_t keyTile) const {
    return projection_.projects() ? projectedKeys_.panels(keyTile) : keyValueTiles_.panels(keyTile);
  }
  [[nodiscard]] float largestNorm(std::size_t keyTile) const {
    return projection_.projects() ? projectedKeys_.largestNorm(keyTile) : keyValueTiles_.largestNorm(keyTile);
  }
  [[nodiscard]] OutputBlock outputBlock(std::size_t block) const {
    return {outputs_.data() + block * OutputBlock::floats(plan_.valuePanels), plan_.valuePanels, blocks_[block].output};
  }

  Shape shape_;
  Plan plan_;
  MaskSet masks_;
  scoring::Projection projection_;
  ScoreAdjustment adjustment_;
  ScoreKernel scoreKernel_;
  QueryTile queryTile_;
  KeyValueTiles keyValueTiles_;
  ProjectedKeys projectedKeys_;
  KeyNorms keyNorms_;
  ExactScores exactScores_;
  WideScores wideScores_;
  CarefulRow carefulRow_;
  TraceRecorder trace_;
  std::span<RowBlock> blocks_;
  std::span<float> outputs_;       ///< [blocks] of OutputBlock
  std::span<float> scores_;        ///< [4, kMaxTileKeys], scores, then weights, of the block at hand
  std::span<std::uint8_t> cells_;  ///< [4, kMaxTileKeys], their visibility
};

}  // namespace attn::tiled
