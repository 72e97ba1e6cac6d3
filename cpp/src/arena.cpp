#include "attn/arena.h"

#include <cassert>
#include <limits>
#include <new>

namespace attn {

Arena::~Arena() {
  if (owned_) ::operator delete(block_, std::align_val_t{kAlignment});
}

bool Arena::reserve(std::uint64_t bytes) {
  if (bytes <= capacity_ - used_) return true;
  if (!owned_ || used_ != 0 || bytes > std::numeric_limits<std::ptrdiff_t>::max()) return false;

  // The old block goes first, so that the new one may take its place.
  ::operator delete(block_, std::align_val_t{kAlignment});
  block_ = static_cast<std::byte*>(
      ::operator new(static_cast<std::size_t>(bytes), std::align_val_t{kAlignment}, std::nothrow));
  capacity_ = block_ == nullptr ? 0 : static_cast<std::size_t>(bytes);
  return block_ != nullptr;
}

void Arena::use(std::span<std::byte> memory) {
  if (owned_) ::operator delete(block_, std::align_val_t{kAlignment});
  owned_ = false;
  block_ = memory.data();
  capacity_ = memory.size();
  used_ = 0;
}

std::uint64_t Arena::paddedBytes(std::uint64_t count, std::size_t size) {
  return sumOf({productOf({count, size}), kAlignment - 1}) / kAlignment * kAlignment;
}

std::byte* Arena::takeBytes(std::size_t count, std::size_t size) {
  const auto bytes = static_cast<std::size_t>(paddedBytes(count, size));
  assert(bytes <= capacity_ - used_);
  std::byte* const taken = block_ + used_;
  used_ += bytes;
  return taken;
}

}  // namespace attn
