#pragma once

#include <cstdint>

#include "attn/arena.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

/// The scratch memory `scores` will take from its arena, as an exact integer.
[[nodiscard]] std::uint64_t scoresWorkingBytes(const Shape& shape);

/// The scores that softmax sees, after scale, softcap, bias and masks, −∞ where masked: accumulated
/// in float64 and rounded once, so that a score which is a round number stays one.
///
/// query [B, Hq, nq, d], key [B, Hk, nk, d] → scores [B, Hq, nq, nk]; `shape.valueDim` is not used.
[[nodiscard]] Status scores(const Shape& shape, const float* query, const float* key, const Options& options,
                            float* scores, Arena& arena);

}  // namespace attn
