#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

/// Masking at the wrong moment, to be looked at: softmax over all scores first, forbidden cells set
/// to 0 afterwards. The rows no longer sum to 1, and what is left still depends on the masked scores
/// until it is divided by its sum.
///
/// scores [rows, columns], finite or −∞; allow [rows, columns], not 0 = may attend.
/// weights [rows, columns]; sums [rows], what is left of each row; renormalised [rows, columns],
/// weights / sum (0 where nothing is left). Any output may be null.
void maskAfterSoftmax(const double* scores, const std::uint8_t* allow, std::size_t rows, std::size_t columns,
                      double* weights, double* sums, double* renormalised);

}  // namespace attn
