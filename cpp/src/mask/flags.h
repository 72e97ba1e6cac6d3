#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "mask/mask.h"

// Flags as bytes, 0 for no and anything else for yes; where they lie side by side, eight at a time.

namespace attn {

namespace detail {

inline constexpr std::size_t kFlagsAtOnce = sizeof(std::uint64_t);
inline constexpr std::uint64_t kEveryFlag = 0x0101'0101'0101'0101;

/// 1 in each of eight bytes that is not 0.
inline std::uint64_t eightFlags(const std::uint8_t* flags) {
  constexpr std::uint64_t kLowBits = 0x7F * kEveryFlag;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, flags, sizeof bytes);
  return (((bytes & kLowBits) + kLowBits) | bytes) >> 7 & kEveryFlag;
}

}  // namespace detail

/// Coverage of a run of flags, `stride` apart.
inline Coverage coverageOf(const std::uint8_t* flags, std::size_t count, std::size_t stride) {
  std::uint64_t any = 0;
  std::uint64_t every = detail::kEveryFlag;
  std::size_t c = 0;
  for (; stride == 1 && c + detail::kFlagsAtOnce <= count; c += detail::kFlagsAtOnce) {
    const std::uint64_t eight = detail::eightFlags(flags + c);
    any |= eight;
    every &= eight;
  }
  for (; c < count; ++c) {
    const std::uint64_t flag = flags[c * stride] != 0 ? detail::kEveryFlag : 0;
    any |= flag;
    every &= flag;
  }
  if (any == 0) return Coverage::none;
  return every == detail::kEveryFlag ? Coverage::all : Coverage::some;
}

/// Coverage of two parts together.
inline Coverage merge(Coverage a, Coverage b) { return a == b ? a : Coverage::some; }

/// Clears the cells whose flags are 0.
inline void narrowTo(const std::uint8_t* flags, std::size_t count, std::size_t stride, std::uint8_t* row) {
  std::size_t c = 0;
  for (; stride == 1 && c + detail::kFlagsAtOnce <= count; c += detail::kFlagsAtOnce) {
    const std::uint64_t both = detail::eightFlags(row + c) & detail::eightFlags(flags + c);
    std::memcpy(row + c, &both, sizeof both);
  }
  for (; c < count; ++c) row[c] = static_cast<std::uint8_t>(row[c] & static_cast<std::uint8_t>(flags[c * stride] != 0));
}

}  // namespace attn
