#include "workspace.h"

#include <emscripten/bind.h>
#include <emscripten/heap.h>

namespace attn::bindings {

Arena& workspace() {
  static Arena arena;
  return arena;
}

Address reserve(double tensorBytes, std::uint64_t scratchBytes) {
  Arena& arena = workspace();
  arena.reset();
  const auto tensors = Arena::paddedBytes<std::byte>(static_cast<std::uint64_t>(tensorBytes));
  if (!arena.reserve(sumOf({tensors, scratchBytes}))) return 0;
  return reinterpret_cast<Address>(arena.take<std::byte>(static_cast<std::size_t>(tensors)).data());
}

namespace {

/// For operations that need no scratch.
Address reserveTensors(double bytes) { return reserve(bytes, 0); }

/// The most bytes this module's memory may ever grow to.
double memoryLimit() { return static_cast<double>(emscripten_get_heap_max()); }

}  // namespace

EMSCRIPTEN_BINDINGS(workspace) {
  emscripten::function("_reserve", &reserveTensors);
  emscripten::function("_memoryLimit", &memoryLimit);
}

}  // namespace attn::bindings
