#pragma once

#include <cstdint>

#include "attn/arena.h"
#include "attn/inputs.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

/// Attention as the formula says it, in float64, one row at a time: the yardstick for the tiled
/// kernel, and the numbers shown beside it.
namespace attn::reference {

using Inputs = TensorInputs<double>;

/// `output` is required, null means "not wanted" for the others. Meanings as in attn/attention.h.
struct Outputs {
  double* output = nullptr;
  double* weights = nullptr;
  double* scores = nullptr;
  double* logSumExp = nullptr;
};

/// The scratch memory `attention` will take from its arena, as an exact integer: O(nk), or O(nk · width)
/// for an additive scoring.
[[nodiscard]] std::uint64_t workingBytes(const Shape& shape, const Options& options);

/// The same rules for masks, NaN, ∞ and empty rows as `attn::attention`.
[[nodiscard]] Status attention(const Shape& shape, const Inputs& inputs, const Options& options, const Outputs& outputs,
                               Arena& arena);

/// The scratch memory `scores` will take from its arena, as an exact integer.
[[nodiscard]] std::uint64_t scoresWorkingBytes(const Shape& shape, const Options& options);

/// The scores that softmax sees, after scale, softcap, bias and masks, −∞ where masked: [B, Hq, nq, nk].
/// The values and `shape.valueDim` are not used.
[[nodiscard]] Status scores(const Shape& shape, const Inputs& inputs, const Options& options, double* scores,
                            Arena& arena);

}  // namespace attn::reference
