#include "attn/exact_size.h"

#include <limits>

namespace attn {

std::uint64_t sumOf(std::initializer_list<std::uint64_t> terms) {
  std::uint64_t sum = 0;
  for (const std::uint64_t term : terms) {
    if (term > std::numeric_limits<std::uint64_t>::max() - sum) return std::numeric_limits<std::uint64_t>::max();
    sum += term;
  }
  return sum;
}

std::uint64_t productOf(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t product = 1;
  bool saturated = false;
  for (const std::uint64_t factor : factors) {
    if (factor == 0) return 0;
    const bool isSmall = (product | factor) >> 32 == 0;  // most are: divisions were a fifth of a call of 8 × 8
    saturated = saturated || (!isSmall && product > std::numeric_limits<std::uint64_t>::max() / factor);
    if (!saturated) product *= factor;
  }
  return saturated ? std::numeric_limits<std::uint64_t>::max() : product;
}

}  // namespace attn
