#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace attn::fuzz {

/// What a fuzzer's input says, byte after byte. Where it ends it begins again, each time changed a
/// little, so that a short input is a whole call and any byte more can change part of it.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> data) : data_(data) {}

  std::uint8_t next() {
    if (data_.empty()) return 0;
    const auto round = static_cast<std::uint8_t>(position_ / data_.size() * 37);
    return static_cast<std::uint8_t>(data_[position_++ % data_.size()] ^ round);
  }

  bool flag() { return next() % 2 == 1; }

  /// From `low` to `high`.
  std::size_t between(std::size_t low, std::size_t high) { return low + next() % (high - low + 1); }

  template <class T, std::size_t kCount>
  T oneOf(const std::array<T, kCount>& items) {
    return items[next() % kCount];
  }

  /// Mostly between −4 and 4; some larger, the smallest there is, or no numbers.
  float number() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr std::array<float, 12> kSpecial{
        0.0F,      -0.0F,      std::numeric_limits<float>::denorm_min(), 1e-3F, -1e-3F, 30.0F, -30.0F, 11.0F, -11.0F,
        kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()};
    const std::uint8_t byte = next();
    if (byte >= 244) return kSpecial[byte - 244U];
    return (static_cast<float>(byte) - 122.0F) / 30.0F;
  }

  /// Exactly as many, so that a read beyond them is a read beyond the memory.
  std::vector<float> numbers(std::size_t count, float magnitude) {
    std::vector<float> result(count);
    for (float& x : result) x = magnitude * number();
    return result;
  }

  std::vector<std::uint8_t> flags(std::size_t count) {
    const std::size_t rarity = between(1, 8);
    std::vector<std::uint8_t> result(count);
    for (std::uint8_t& x : result) x = next() % rarity == 0 ? 1 : 0;
    return result;
  }

 private:
  std::span<const std::uint8_t> data_;
  std::size_t position_ = 0;
};

}  // namespace attn::fuzz
