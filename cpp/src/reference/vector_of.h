#pragma once

#include <array>
#include <cstddef>
#include <xtensor/xadapt.hpp>

namespace attn::reference {

/// `length` numbers of somebody else's as a vector of xtensor.
template <class T>
auto vectorOf(T* data, std::size_t length) {
  return xt::adapt(data, length, xt::no_ownership(), std::array<std::size_t, 1>{length});
}

}  // namespace attn::reference
