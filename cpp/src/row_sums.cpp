#include "attn/row_sums.h"

#include <numeric>

namespace attn {

void rowSums(const double* matrix, std::size_t rows, std::size_t columns, double* sums) {
  for (std::size_t r = 0; r < rows; ++r, matrix += columns) sums[r] = std::accumulate(matrix, matrix + columns, 0.0);
}

}  // namespace attn
