#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "attn/broadcast.h"
#include "attn/scoring.h"

namespace attn {

/// Flags for keys alone: key j of batch entry b has flag `data[b·batchStride + j]`.
struct KeyFlags {
  const std::uint8_t* data = nullptr;  ///< null: not given
  std::size_t batchStride = 0;
};

/// Keys within reach of the query's position P: P − left ≤ j ≤ P + right.
/// "The w nearest, self included, on each side" is {w − 1, w − 1}.
struct Window {
  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();
  std::size_t left = kUnbounded;
  std::size_t right = kUnbounded;
};

/// Block-sparse visibility: query i may see key j if
/// `allow[(i / queriesPerBlock)·⌈nk/keysPerBlock⌉ + j / keysPerBlock]` is not 0 (for firstKey = 0).
/// The same pattern holds for every batch entry and head.
struct Blocks {
  const std::uint8_t* allow = nullptr;  ///< [⌈nq/queriesPerBlock⌉, ⌈(firstKey + nk)/keysPerBlock⌉]; null: not given
  std::size_t queriesPerBlock = 1;
  std::size_t keysPerBlock = 1;
  std::size_t firstKey = 0;  ///< where in the pattern key 0 of the call lies
};

/// What a row without a single visible key becomes.
enum class EmptyRows : std::uint8_t {
  zero,     ///< weights 0, output 0, logSumExp −∞
  nan,      ///< weights, output and logSumExp NaN
  uniform,  ///< the mean of all real keys' values (those below keyLengths), logSumExp −∞
};

/// Which keys a query may attend to. All restrictions given hold together (AND); a byte other
/// than 0 always means "may attend". A masked key or value has no influence on the result
/// whatever it holds, NaN and ∞ included.
struct MaskOptions {
  bool causal = false;                        ///< j ≤ P, the position of query i on the keys' axis
  std::optional<std::int64_t> queryOffset;    ///< P = i + queryOffset, default nk − nq: the tail of the keys
  std::size_t queriesPerPosition = 1;         ///< P = ⌊i / queriesPerPosition⌋ + queryOffset: heads as queries
  std::optional<Window> window;               ///< about the position P
  const std::uint32_t* keyLengths = nullptr;  ///< [B]: only the first keyLengths[b] keys are real
  KeyFlags allowKeys;                         ///< [nk] or [B, nk]
  Broadcast<std::uint8_t> allow;              ///< broadcast to [B, Hq, nq, nk]
  Blocks blocks;
};

/// What turns q and k into the scores that softmax sees, in this order:
///
///   s = scale · score(q, k)    score: see attn/scoring.h, default q·k. scale: any finite number, default
///                              1/√d for `ScaledDot`, 1 for the others; 0 gives uniform weights
///   s = c · tanh(s / c)        softcap c > 0, if given
///   s = s + bias               if given (see attn/inputs.h); −∞ forbids
///   s = −∞ where masked        by selection, not by adding a large negative number
struct Options {
  Scoring scoring;
  std::optional<double> scale;
  std::optional<double> softcap;
  MaskOptions mask;
  EmptyRows emptyRows = EmptyRows::zero;
};

}  // namespace attn
