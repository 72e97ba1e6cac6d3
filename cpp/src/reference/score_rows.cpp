#include "reference/score_rows.h"

#include <cmath>
#include <limits>

#include "scale.h"

namespace attn::reference {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

std::uint64_t ScoreRows::workingBytes(const Shape& shape, const Options& options) {
  return ScoreFormula::workingBytes(shape, options.scoring);
}

ScoreRows::ScoreRows(const Shape& shape, const Options& options, const Broadcast<double>& bias, Arena& arena)
    : shape_(shape),
      options_(options),
      bias_(bias),
      scale_(scaleOf(shape, options)),
      masks_(shape, options.mask),
      formula_(shape, options.scoring, arena) {}

void ScoreRows::row(std::size_t b, std::size_t h, std::size_t i, const double* query, double* s,
                    std::uint8_t* visible) {
  formula_.row(b, h, i, query, s);
  masks_.visible({b, h, i, 1, 0, shape_.keys}, {visible, shape_.keys});
  for (std::size_t j = 0; j < shape_.keys; ++j) {
    s[j] *= scale_;
    if (options_.softcap) s[j] = *options_.softcap * std::tanh(s[j] / *options_.softcap);
    const double bias = bias_.data == nullptr ? 0 : *bias_.at(b, h, i, j);
    // A bias of −∞ forbids whatever the score is, NaN included; and a score of −∞ does, wherever it comes from.
    s[j] = visible[j] == 0 || bias == -kInfinity ? -kInfinity : s[j] + bias;
    visible[j] = static_cast<std::uint8_t>(s[j] != -kInfinity);
  }
}

}  // namespace attn::reference
