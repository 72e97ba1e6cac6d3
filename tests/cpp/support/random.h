#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace attn::test {

/// Everything random in a test comes from one of these, made from a number that is printed on failure.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Whole number from `low` to `high`, both included.
  std::size_t between(std::size_t low, std::size_t high) { return low + engine_() % (high - low + 1); }

  bool chance(double probability) { return uniform() < probability; }

  /// From 0 to 1.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  /// About normal: mean 0, variance 1.
  float normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return static_cast<float>(sum);
  }

  template <class T>
  const T& oneOf(const std::vector<T>& choices) {
    return choices[between(0, choices.size() - 1)];
  }

  void fillNormal(std::vector<float>& numbers, float deviation = 1) {
    for (float& x : numbers) x = deviation * normal();
  }

  std::vector<std::uint8_t> flags(std::size_t count, double probability) {
    std::vector<std::uint8_t> flags(count);
    // Any byte but 0 means "may attend".
    for (std::uint8_t& flag : flags) flag = chance(probability) ? static_cast<std::uint8_t>(between(1, 255)) : 0;
    return flags;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace attn::test
