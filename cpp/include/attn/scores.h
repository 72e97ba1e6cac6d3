#pragma once

#include <cstdint>

#include "attn/arena.h"
#include "attn/inputs.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

/// The scratch memory `scores` will take from its arena, as an exact integer.
[[nodiscard]] std::uint64_t scoresWorkingBytes(const Shape& shape, const Options& options);

/// The scores that softmax sees, after scale, softcap, bias and masks, −∞ where masked: accumulated
/// in float64 and rounded once, so that a score which is a round number stays one.
///
/// `scores` is [B, Hq, nq, nk]. The values and `shape.valueDim` are not used.
[[nodiscard]] Status scores(const Shape& shape, const TensorInputs<float>& inputs, const Options& options,
                            float* scores, Arena& arena);

}  // namespace attn
