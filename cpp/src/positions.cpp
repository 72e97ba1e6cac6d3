#include "attn/positions.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "logarithm.h"
#include "turn.h"

namespace attn {

namespace {

double frequencyOf(std::size_t pair, std::size_t width, double base) {
  return std::exp(-2 * static_cast<double>(pair) / static_cast<double>(width) * logarithm(base));
}

std::int64_t positionOf(std::int64_t offset, std::size_t i) { return offset + static_cast<std::int64_t>(i); }

double slopeOf(std::size_t head, std::size_t heads) {
  const std::size_t power = std::bit_floor(heads);
  const auto slope = [](std::size_t h, std::size_t n) {
    return std::exp2(-8 * static_cast<double>(h + 1) / static_cast<double>(n));
  };
  return head < power ? slope(head, power) : slope(2 * (head - power), 2 * power);
}

}  // namespace

void rope(const float* x, std::size_t heads, std::size_t length, std::size_t width, std::size_t dims, double base,
          std::int64_t offset, RotaryPairs pairs, float* y) {
  if (heads == 0 || length == 0) return;
  const std::size_t pairCount = dims / 2;
  const bool interleaved = pairs == RotaryPairs::interleaved;
  if (y != x) std::copy_n(x, heads * length * width, y);
  for (std::size_t c = 0; c < pairCount; ++c) {
    const double frequency = frequencyOf(c, dims, base);
    const std::size_t first = interleaved ? 2 * c : c;
    const std::size_t second = interleaved ? 2 * c + 1 : c + pairCount;
    for (std::size_t i = 0; i < length; ++i) {
      const auto [sine, cosine] = turnOf(positionOf(offset, i), frequency);
      for (std::size_t h = 0; h < heads; ++h) {
        float* const row = y + (h * length + i) * width;
        const double a = double{row[first]};
        const double b = double{row[second]};
        row[first] = static_cast<float>(a * cosine - b * sine);
        row[second] = static_cast<float>(a * sine + b * cosine);
      }
    }
  }
}

void alibi(std::size_t heads, std::size_t queries, std::size_t keys, std::int64_t queryOffset, float* bias) {
  if (queries == 0 || keys == 0) return;
  for (std::size_t h = 0; h < heads; ++h) {
    const double slope = slopeOf(h, heads);
    for (std::size_t i = 0; i < queries; ++i) {
      for (std::size_t j = 0; j < keys; ++j, ++bias) {
        const std::int64_t distance = positionOf(queryOffset, i) - static_cast<std::int64_t>(j);
        *bias = static_cast<float>(0 - slope * std::fabs(static_cast<double>(distance)));  // 0, not −0
      }
    }
  }
}

void sinusoidal(std::size_t length, std::size_t width, double base, std::int64_t offset, float* y) {
  if (length == 0) return;
  for (std::size_t column = 0; column < width; ++column) {
    const double frequency = frequencyOf(column / 2, width, base);
    for (std::size_t i = 0; i < length; ++i) {
      const auto [sine, cosine] = turnOf(positionOf(offset, i), frequency);
      y[i * width + column] = static_cast<float>(column % 2 == 0 ? sine : cosine);
    }
  }
}

}  // namespace attn
