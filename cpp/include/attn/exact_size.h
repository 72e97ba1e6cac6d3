#pragma once

#include <cstdint>
#include <initializer_list>

namespace attn {

// Sizes as exact integers that saturate at UINT64_MAX instead of wrapping: in 32 bits 65537 · 65537
// would come out as 131073, and a buffer far too small would pass every test.

[[nodiscard]] std::uint64_t sumOf(std::initializer_list<std::uint64_t> terms);
[[nodiscard]] std::uint64_t productOf(std::initializer_list<std::uint64_t> factors);

}  // namespace attn
