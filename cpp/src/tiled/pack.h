#pragma once

#include <cstddef>

#include "tiled/micro_kernel.h"
#include "tiled/simd.h"

// Copies of queries, keys and values in the order in which the micro-kernel reads them. Rows that
// only fill up a panel are zeros: what is computed from them is thrown away.

namespace attn::tiled {

/// Four queries [4, d] times `factor`, as [d, 4]; `magnitudes` [4] becomes Σ|q·factor| of each row.
void packQueries(const float* queries, std::size_t rows, std::size_t dim, float factor, float* packed,
                 float* magnitudes);

/// `count` keys [count, d] as panels [⌈count/8⌉, d, 8]. Gives the largest finite |k| among them.
float packKeys(const float* keys, std::size_t count, std::size_t dim, float* packed);

/// `count` values [count, dv] with rows padded to `width` columns.
void padValues(const float* values, std::size_t count, std::size_t dim, std::size_t width, float* padded);

}  // namespace attn::tiled
