#pragma once

#include <cstddef>
#include <cstdint>

#include "mask/mask.h"

namespace attn {

/// Coverage of a run of flags, `stride` apart. Counts without leaving early: a loop that compilers
/// turn into SIMD where the stride is 1.
inline Coverage coverageOf(const std::uint8_t* flags, std::size_t count, std::size_t stride) {
  std::size_t visible = 0;
  for (std::size_t c = 0; c < count; ++c) visible += static_cast<std::size_t>(flags[c * stride] != 0);
  if (visible == 0) return Coverage::none;
  return visible == count ? Coverage::all : Coverage::some;
}

/// Coverage of two parts together.
inline Coverage merge(Coverage a, Coverage b) { return a == b ? a : Coverage::some; }

/// Clears the cells whose flags are 0.
inline void narrowTo(const std::uint8_t* flags, std::size_t count, std::size_t stride, std::uint8_t* row) {
  for (std::size_t c = 0; c < count; ++c) {
    row[c] = static_cast<std::uint8_t>(row[c] & static_cast<std::uint8_t>(flags[c * stride] != 0));
  }
}

}  // namespace attn
