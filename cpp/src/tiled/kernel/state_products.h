#pragma once

#include <cstddef>

// The two products of a recurrence with its state S [d, w], in float64 (Katharopoulos et al. 2020).

namespace attn::tiled {

/// y [w] = Sᵀ·x
void readState(const double* state, const double* x, std::size_t dim, std::size_t width, double* y);

/// S += x·yᵀ
void addToState(const double* x, const double* y, std::size_t dim, std::size_t width, double* state);

}  // namespace attn::tiled
