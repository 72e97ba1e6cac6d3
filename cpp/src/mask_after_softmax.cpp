#include "attn/mask_after_softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

/// Sums of a row's exponentials, over all its cells and over the allowed ones.
struct Sums {
  double all = 0;
  double allowed = 0;
};

}  // namespace

void maskAfterSoftmax(const double* scores, const std::uint8_t* allow, std::size_t rows, std::size_t columns,
                      double* weights, double* sums, double* renormalised) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < rows; ++r) {
    const double* const s = scores + r * columns;
    const std::uint8_t* const allowed = allow + r * columns;
    const double max =
        std::max(std::numeric_limits<double>::lowest(), columns == 0 ? -kInfinity : *std::max_element(s, s + columns));
    Sums sum;
    for (std::size_t c = 0; c < columns; ++c) {
      const double p = std::exp(s[c] - max);
      sum.all += p;
      if (allowed[c] != 0) sum.allowed += p;
    }
    const auto share = [](double part, double whole) { return whole == 0 ? 0.0 : part / whole; };
    for (std::size_t c = 0; c < columns; ++c) {
      const double p = allowed[c] != 0 ? std::exp(s[c] - max) : 0.0;
      if (weights != nullptr) weights[r * columns + c] = share(p, sum.all);
      if (renormalised != nullptr) renormalised[r * columns + c] = share(p, sum.allowed);
    }
    if (sums != nullptr) sums[r] = share(sum.allowed, sum.all);
  }
}

}  // namespace attn
