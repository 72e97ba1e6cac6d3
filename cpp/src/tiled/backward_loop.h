#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "attn/arena.h"
#include "attn/attention.h"
#include "exact_scores.h"
#include "mask/mask_set.h"
#include "tiled/careful_gradient.h"
#include "tiled/gradient_queries.h"
#include "tiled/kernel/gradient_cells.h"
#include "tiled/kernel/gradient_sum.h"
#include "tiled/kernel/score_adjustment.h"
#include "tiled/panel_tiles.h"
#include "tiled/plan.h"
#include "tiled/wide_scores.h"

namespace attn::tiled {

/// One query head: its queries [nq, d], the gradients of its outputs [nq, dv], and where those of the
/// queries go [nq, d].
struct QueryGradientHead {
  std::size_t batch;
  std::size_t head;
  const float* queries;
  const float* dOutputs;
  float* dQueries;
};

/// The gradient of attention, one query head after another. Unlike in Dao 2023, algorithm 2, some queries
/// meet all their keys before the next do. What a cell needs is kept for so long, O(nk) numbers, and
/// nothing is computed twice: five matrix products, where tiles alone would need S and O of a first pass.
class BackwardLoop {
 public:
  /// As many queries at a time as keep their cells near, and at most 64: their number times nk is memory.
  static Plan plan(const Shape& shape, TileSize tile);

  static std::uint64_t workingBytes(const Shape& shape, const Options& options, const Plan& plan);

  /// Takes `workingBytes` from the arena.
  BackwardLoop(const Shape& shape, const Options& options, const Broadcast<float>& bias, const Plan& plan,
               Arena& arena);

  /// The key/value head that the query heads to come attend to: keys [nk, d], values [nk, dv].
  void setKeyValueHead(const float* keys, const float* values);

  void run(const QueryGradientHead& head, Report& report);

  /// The gradients of that key/value head, from all query heads since: dKeys [nk, d], dValues [nk, dv].
  void writeKeyValueGradients(float* dKeys, float* dValues) const;

 private:
  /// What four queries see: the largest |k| and the largest numbers in keys and values, in the tiles where
  /// something is visible to one of them.
  struct Sight {
    float keyNorm = 0;
    float key = 0;
    float value = 0;
  };

  void visit(const Tile& tile, std::size_t keyTile, Coverage coverage);
  void score(const Tile& rows, std::size_t row, std::size_t visit, bool masked);
  void differentiate(const QueryGradientHead& head, const Tile& tile, std::size_t row);
  bool weighWide(const QueryGradientHead& head, const Tile& tile, std::size_t row, GradientCells::Sums& sums);
  double scoreWide(const QueryGradientHead& head, const Tile& tile, std::size_t row, std::size_t visit);
  [[nodiscard]] bool floatHolds(std::size_t row) const;
  void spread(const Tile& tile, std::size_t visit);
  void finish(const QueryGradientHead& head, const Tile& tile, Report& report);

  Shape shape_;
  Plan plan_;
  MaskSet masks_;
  ScoreAdjustment adjustment_;
  std::optional<double> softcap_;
  double scale_;
  double queryFactor_;
  const float* keyMatrix_ = nullptr;
  const float* valueMatrix_ = nullptr;
  PanelTiles keys_;
  PanelTiles values_;
  GradientSum dKeys_;  ///< without the scale
  GradientSum dValues_;
  ExactScores exactScores_;
  WideScores wideScores_;
  CarefulGradient carefulGradient_;

  // Of the queries at hand:
  GradientQueries queries_;
  GradientCells cells_;
  GradientSum dQueries_;             ///< without the scale
  std::span<Sight> sights_;          ///< of each four
  std::span<bool> careful_;          ///< float32 is not sure to do
  std::span<float> keyColumns_;      ///< [⌈d/8⌉, kMaxTileKeys, 8], of the key tile at hand
  std::span<std::uint8_t> visible_;  ///< [4, kMaxTileKeys], of four queries and the key tile at hand
};

}  // namespace attn::tiled
