#pragma once

#include <cstddef>

namespace attn {

/// What a dot product is made of: q·k = |q| |k| cos(angle).
///
/// query [d], keys [nk, d] → queryLength (one number), keyLengths [nk], dots [nk], and angles [nk] in
/// radians from 0 to π. The angle to or from a zero vector is not defined and comes out as NaN.
void geometry(const double* query, const double* keys, std::size_t keyCount, std::size_t dim, double* queryLength,
              double* keyLengths, double* dots, double* angles);

}  // namespace attn
