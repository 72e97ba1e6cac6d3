#include "workspace.h"

#include <emscripten/bind.h>
#include <emscripten/emmalloc.h>
#include <emscripten/heap.h>
#include <unistd.h>

#include <cstdlib>
#include <span>

namespace attn::bindings {

namespace {

/// Whatever lies behind all that malloc has taken. It grows where it is, by no more than it lacks: a
/// block from malloc would have to move, and the old and the new one might not both fit.
class EndOfMemory {
 public:
  [[nodiscard]] std::span<std::byte> memory() const { return memory_; }

  /// False if so many bytes cannot be had; there are none then.
  [[nodiscard]] bool growTo(std::uint64_t bytes) {
    if (bytes <= memory_.size()) return true;
    if (bytes > emscripten_get_heap_max()) return false;
    giveBack();
    trimMalloc();
    keepRoom();
    end_ = static_cast<std::byte*>(sbrk(0));
    std::byte* const begin = aligned(end_);
    const auto size = static_cast<std::size_t>(Arena::paddedBytes<std::byte>(bytes));
    if (reinterpret_cast<std::intptr_t>(sbrk(begin + size - end_)) == -1) return false;
    memory_ = {begin, size};
    top_ = sbrk(0);
    return true;
  }

  /// Puts malloc's memory at the end again, so that it can grow.
  void giveBack() {
    if (memory_.empty()) return;
    // If malloc has taken more in spite of all, what it took lies behind: then this memory is lost.
    if (sbrk(0) == top_) endMemoryAt(end_);
    memory_ = {};
  }

 private:
  /// What the small objects of a call need, many times over.
  static constexpr std::size_t kSmallObjects = 65536;

  /// By hand: sbrk of Emscripten 3.1 takes a negative number for one that is too large.
  static void endMemoryAt(std::byte* end) { *emscripten_get_sbrk_ptr() = reinterpret_cast<Address>(end); }

  /// Gives back what caches have left behind at the end of malloc's memory.
  static void trimMalloc() {
    auto* const end = static_cast<std::byte*>(sbrk(0));
    const std::size_t before = emmalloc_dynamic_heap_size();
    emmalloc_trim(kSmallObjects);
    endMemoryAt(end - (before - emmalloc_dynamic_heap_size()));
  }

  /// What malloc took later would lie behind the workspace and keep it from growing: so it is to have its room ahead.
  static void keepRoom() {
    void* volatile room = std::malloc(kSmallObjects);  // volatile: compilers leave out a pair that does nothing
    std::free(room);
  }

  static std::byte* aligned(std::byte* place) {
    return place + (Arena::kAlignment - reinterpret_cast<Address>(place) % Arena::kAlignment) % Arena::kAlignment;
  }

  std::span<std::byte> memory_;
  std::byte* end_ = nullptr;  ///< of malloc's memory, when this was taken
  void* top_ = nullptr;       ///< of all memory then; sbrk rounds up
};

EndOfMemory& endOfMemory() {
  static EndOfMemory end;
  return end;
}

}  // namespace

Arena& workspace() {
  static Arena arena;
  return arena;
}

Address reserve(double tensorBytes, std::uint64_t scratchBytes) {
  EndOfMemory& end = endOfMemory();
  const auto tensors = Arena::paddedBytes<std::byte>(static_cast<std::uint64_t>(tensorBytes));
  if (!end.growTo(sumOf({tensors, scratchBytes}))) return 0;
  Arena& arena = workspace();
  arena.use(end.memory());
  return reinterpret_cast<Address>(arena.take<std::byte>(static_cast<std::size_t>(tensors)).data());
}

void giveBackWorkspace() {
  endOfMemory().giveBack();
  workspace().use({});
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
