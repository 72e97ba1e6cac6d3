#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attn/exact_size.h"

namespace attn {

/// Scratch memory that is kept between calls: one block, handed out front to back, all of it
/// given back together. Once it has grown to what a call needs, further such calls allocate nothing.
///
/// The block moves only while nothing has been taken from it, so what was taken stays in place.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 64;

  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  /// Makes sure `bytes` more can be taken. Grows by at most one allocation, to the exact need.
  /// False if the memory cannot be had, if it would have to move while parts of it are taken, or if
  /// it is somebody else's.
  [[nodiscard]] bool reserve(std::uint64_t bytes);

  /// The next `count` elements, uninitialised, aligned to 64 bytes. The room must have been reserved:
  /// `paddedBytes<T>(count)` for every piece.
  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) {
    return {reinterpret_cast<T*>(takeBytes(count, sizeof(T))), count};
  }

  /// The room `take<T>(count)` uses up, as an exact integer.
  template <class T>
  [[nodiscard]] static std::uint64_t paddedBytes(std::uint64_t count) {
    return paddedBytes(count, sizeof(T));
  }

  /// Gives everything back, and hands out memory of somebody else from now on, aligned to 64 bytes. It
  /// never grows, but may be replaced by other memory.
  void use(std::span<std::byte> memory);

  /// Gives everything back; the block is kept.
  void reset() { used_ = 0; }

  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t used() const { return used_; }

  /// Gives back, at the end of its life, whatever was taken during it.
  class Scope {
   public:
    explicit Scope(Arena& arena) : arena_(arena), used_(arena.used_) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { arena_.used_ = used_; }

   private:
    Arena& arena_;
    std::size_t used_;
  };

 private:
  static std::uint64_t paddedBytes(std::uint64_t count, std::size_t size);
  std::byte* takeBytes(std::size_t count, std::size_t size);

  std::byte* block_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  bool owned_ = true;
};

}  // namespace attn
