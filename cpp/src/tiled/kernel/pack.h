#pragma once

#include <cstddef>

#include "tiled/kernel/micro_kernel.h"
#include "tiled/kernel/simd.h"

// Copies of queries, keys and values in the order in which the micro-kernel reads them. Rows that
// only fill up a panel are zeros: what is computed from them is thrown away.

namespace attn::tiled {

/// Up to four queries [rows, d] times `factor`, as [d, 4]; `norms` [4] becomes |q·factor| of each row.
void packQueries(const float* queries, std::size_t rows, std::size_t dim, float factor, float* packed, float* norms);

/// `count` keys [count, d] as panels [⌈count/8⌉, d, 8]. Gives the largest |k| among them, counting
/// only the finite numbers in each: a key that no query sees may hold anything.
float packKeys(const float* keys, std::size_t count, std::size_t dim, float* packed);

/// `norms` [8·panels] becomes |k| of every key in such panels, again of its finite numbers.
void panelNorms(const float* panels, std::size_t panelCount, std::size_t dim, float* norms);

/// The largest |x| of the finite numbers among `count`.
float largestMagnitude(const float* numbers, std::size_t count);

/// A matrix [rows, dim] as panels [⌈dim/8⌉, stride, 8] of eight columns each; columns that only fill up a panel are
/// zeros.
void packColumns(const float* matrix, std::size_t rows, std::size_t dim, std::size_t stride, float* packed);

/// The same with 0 for all that is not a finite number: what is multiplied by 0 is to leave nothing.
void packFiniteColumns(const float* matrix, std::size_t rows, std::size_t dim, std::size_t stride, float* packed);

}  // namespace attn::tiled
