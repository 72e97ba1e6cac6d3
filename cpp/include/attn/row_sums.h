#pragma once

#include <cstddef>

namespace attn {

/// sums[r] = Σ_c matrix[r, c], for matrix [rows, columns]. A row of no columns sums to 0.
void rowSums(const double* matrix, std::size_t rows, std::size_t columns, double* sums);

}  // namespace attn
