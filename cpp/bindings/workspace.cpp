#include "workspace.h"

#include <emscripten/bind.h>
#include <emscripten/heap.h>
#include <unistd.h>

#include <new>
#include <span>

namespace attn::bindings {

namespace {

/// Whatever lies behind all that malloc has taken. It grows where it is, by no more than it lacks: a
/// block from malloc would have to move, and the old and the new one might not both fit.
class EndOfMemory {
 public:
  EndOfMemory() {
    // What malloc took later would lie behind the workspace and keep it from growing. So malloc is to
    // take now, and keep, far more than the small objects of a call need.
    constexpr std::size_t kSmallObjects = 65536;
    ::operator delete(::operator new(kSmallObjects));
  }

  [[nodiscard]] std::span<std::byte> memory() const { return memory_; }

  /// False if so many bytes cannot be had; the memory is then what it was.
  [[nodiscard]] bool growTo(std::uint64_t bytes) {
    if (bytes <= memory_.size()) return true;
    if (bytes > emscripten_get_heap_max()) return false;
    auto* const end = static_cast<std::byte*>(sbrk(0));
    std::byte* const begin = end == memory_.data() + memory_.size() ? memory_.data() : aligned(end);
    const auto size = static_cast<std::size_t>(Arena::paddedBytes<std::byte>(bytes));
    const auto lacking = static_cast<std::intptr_t>(begin + size - end);
    if (reinterpret_cast<std::intptr_t>(sbrk(lacking)) == -1) return false;
    memory_ = {begin, size};
    return true;
  }

 private:
  static std::byte* aligned(std::byte* place) {
    return place + (Arena::kAlignment - reinterpret_cast<Address>(place) % Arena::kAlignment) % Arena::kAlignment;
  }

  std::span<std::byte> memory_;
};

}  // namespace

Arena& workspace() {
  static Arena arena;
  return arena;
}

Address reserve(double tensorBytes, std::uint64_t scratchBytes) {
  static EndOfMemory end;
  const auto tensors = Arena::paddedBytes<std::byte>(static_cast<std::uint64_t>(tensorBytes));
  if (!end.growTo(sumOf({tensors, scratchBytes}))) return 0;
  Arena& arena = workspace();
  arena.use(end.memory());
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
