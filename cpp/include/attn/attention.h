#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "attn/arena.h"
#include "attn/inputs.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"
#include "attn/trace.h"

namespace attn {

// Scaled dot-product attention (Vaswani et al., "Attention is all you need", 2017, eq. 1),
// for every batch entry and query head:
//
//   output = softmax(scores) · value,     scores = scale · query · keyᵀ   (see attn/options.h)
//
// or with other scores (attn/scoring.h),
//
// computed tile by tile with the online softmax (Milakov and Gimelshein, "Online normalizer
// calculation for softmax", 2018) in the order of Dao et al., "FlashAttention", 2022: no memory
// in proportion to nq · nk unless weights or scores are asked for.
//
// What holds for every build (SIMD or scalar) and every tile size:
//   - keys and values that a mask or a bias of −∞ forbids have no influence, whatever they hold;
//   - a NaN or +∞ score at a visible position makes that row NaN and no other; −∞ forbids;
//   - if all scores are finite float32 numbers, so are weights and logSumExp;
//   - weights that underflow are exactly 0;
//   - same input, same build: same bits.
// Error against float64: at most 1e-6 of the row's largest |v|, for every size and for scores of any
// size. (Rows whose scores are too large for float32 to tell apart get those scores in float64.) Where the
// products of a score are so alike that their roundings add up, a fuzzer found 1.5e-6; it allows 4e-6.

using Inputs = TensorInputs<float>;

/// `output` is required, null means "not wanted" for the others. Asking for more never changes
/// the output. No output may overlap an input.
struct Outputs {
  float* output = nullptr;     ///< [B, Hq, nq, dv]
  float* weights = nullptr;    ///< [B, Hq, nq, nk]; exactly 0 where masked
  float* scores = nullptr;     ///< [B, Hq, nq, nk]; −∞ where masked
  float* logSumExp = nullptr;  ///< [B, Hq, nq]; natural logarithm of Σ exp(score)
  Trace trace{};               ///< see attn/trace.h
};

/// Queries and keys handled at a time; 0 lets the library choose. Any size gives the same result
/// within 1e-6.
struct TileSize {
  std::size_t queries = 0;
  std::size_t keys = 0;
};

/// How a call went.
struct Report {
  Status status = Status::ok;
  std::uint64_t flops = 0;  ///< 2 · (w + dv) per cell of a visited tile; w: d, or the width after projection
  std::uint64_t tilesVisited = 0;
  std::uint64_t tilesSkipped = 0;  ///< tiles without a visible cell: no score was computed there
  std::uint64_t carefulRows = 0;   ///< rows computed again in float64, because float32 was not sure to do
  std::uint64_t workingBytes = 0;  ///< scratch taken from the arena
};

/// Some of the work of a call: its query tiles first ≤ t < last, counted through the queries of a head,
/// then the heads, then the batch. No row's result depends on which part it is computed in, so parts may
/// be done in any order and anywhere, and together give the same bits as the whole call at once.
struct Part {
  std::size_t first = 0;
  std::size_t last = std::numeric_limits<std::size_t>::max();
};

/// The tile a call really uses: as asked for, within what there are of queries and keys and 64 keys.
[[nodiscard]] TileSize tileSize(const Shape& shape, TileSize asked);

/// How many query tiles a call has.
[[nodiscard]] std::size_t queryTiles(const Shape& shape, TileSize tile);

/// The scratch memory `attention` will take from its arena, as an exact integer.
[[nodiscard]] std::uint64_t attentionWorkingBytes(const Shape& shape, const Options& options, TileSize tile);

/// Computes attention in float32, or a part of it: then only the outputs of that part are written, and the
/// report counts that part alone. `arena` grows at most once; what the caller has taken from it stays.
[[nodiscard]] Report attention(const Shape& shape, const Inputs& inputs, const Options& options, const Outputs& outputs,
                               TileSize tile, Arena& arena, Part part = {});

/// "simd128", "scalar", …: the instruction set the kernel was compiled for.
[[nodiscard]] const char* kernelName();

}  // namespace attn
