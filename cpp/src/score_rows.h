#pragma once

#include <cstddef>

#include "attn/arena.h"
#include "attn/inputs.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

/// Rows first ≤ r < last of all [B, Hq, nq] of them.
struct Rows {
  std::size_t first;
  std::size_t last;
};

/// `scores` (see attn/scores.h) of these rows alone, each written to its own place in [B, Hq, nq, nk].
[[nodiscard]] Status scoreRows(const Shape& shape, const TensorInputs<float>& inputs, const Options& options, Rows rows,
                               float* scores, Arena& arena);

}  // namespace attn
