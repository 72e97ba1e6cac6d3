#pragma once

#include <cstddef>
#include <cstdint>

#include "attn/arena.h"

namespace attn::bindings {

/// An address in this module's memory as JavaScript passes it.
using Address = std::uintptr_t;

template <class T>
[[nodiscard]] T* at(Address address) {
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr): JavaScript has no pointers
}

/// The one arena of the instance: a call's inputs and outputs lie at its start, its scratch behind them.
[[nodiscard]] Arena& workspace();

/// Room for `tensorBytes` of inputs and outputs and `scratchBytes` behind them, in one growth at most;
/// whatever an earlier call left there is gone. The address of the first byte, or 0 if this much memory
/// cannot be had.
[[nodiscard]] Address reserve(double tensorBytes, std::uint64_t scratchBytes);

/// Before something is allocated that outlives a call: it is to lie in front of the workspace, which is then
/// taken anew, behind it. Whatever a call left there is gone.
void giveBackWorkspace();

}  // namespace attn::bindings
