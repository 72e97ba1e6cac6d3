#include "attn/equal_output_weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "attn/exact_size.h"
#include "explain/weight_polytope.h"

namespace attn {

namespace {

using explain::WeightPolytope;

/// Remembers the vertex that is farthest from the given weights.
class Search {
 public:
  static std::uint64_t workingBytes(std::size_t keys) { return productOf({3, Arena::paddedBytes<double>(keys)}); }

  /// Takes `workingBytes` from the arena.
  Search(WeightPolytope& polytope, std::span<const double> weights, Arena& arena)
      : polytope_(polytope),
        weights_(weights),
        signs_(arena.take<double>(weights.size())),
        here_(arena.take<double>(weights.size())),
        farthest_(arena.take<double>(weights.size())) {}

  [[nodiscard]] double distance() const { return distance_; }
  [[nodiscard]] std::span<const double> farthest() const { return farthest_; }

  /// Every choice of signs, each one change away from the one before, so that its vertex is near.
  void tryAllSigns(std::size_t weighty) {
    std::ranges::fill(signs_, 1.0);
    for (std::uint32_t choice = 1; choice < std::uint32_t{1} << weighty; ++choice) {
      double& sign = signs_[keyOfSign(static_cast<std::size_t>(std::countr_zero(choice)))];
      sign = -sign;
      walk();
    }
  }

  /// From several starts: each of the largest weights up or down as far as it goes, then signs at random.
  void trySomeSigns(std::size_t starts) {
    std::uint32_t random = 1;
    for (std::size_t start = 0; start < starts; ++start) {
      std::ranges::fill(signs_, 0.0);
      if (start < starts / 2) {
        signs_[keyOfRank(start / 2)] = start % 2 == 0 ? -1 : 1;
      } else {
        for (double& sign : signs_) {
          random = random * 1664525 + 1013904223;
          sign = random >> 31 == 0 ? -1 : 1;
        }
      }
      climb();
    }
  }

  /// Whether any weight can grow; each in turn, until one has.
  void tryEachKey() {
    for (std::size_t j = 0; j < signs_.size() && distance_ <= kSameWeights; ++j) {
      std::ranges::fill(signs_, 0.0);
      signs_[j] = 1;
      climb();
    }
  }

 private:
  /// Goes to the vertex that these signs lead to.
  double walk() {
    polytope_.maximise(signs_);
    polytope_.write(here_);
    double sum = 0;
    for (std::size_t j = 0; j < here_.size(); ++j) sum += std::fabs(here_[j] - weights_[j]);
    if (sum / 2 > distance_) {
      distance_ = sum / 2;
      std::ranges::copy(here_, farthest_.begin());
    }
    return sum / 2;
  }

  /// Lets the signs be those of the vertex, as long as that leads farther.
  void climb() {
    double before = -1;
    for (double now = walk(); now > before + kSameWeights;) {
      before = now;
      for (std::size_t j = 0; j < signs_.size(); ++j) {
        signs_[j] = weights_[j] == 0 || here_[j] > weights_[j] ? 1 : -1;
      }
      now = walk();
    }
  }

  /// The key with the i-th weight that is not 0.
  [[nodiscard]] std::size_t keyOfSign(std::size_t i) const {
    std::size_t j = 0;
    for (;; ++j) {
      if (weights_[j] > 0 && i-- == 0) return j;
    }
  }

  /// The key with the i-th largest weight.
  [[nodiscard]] std::size_t keyOfRank(std::size_t i) const {
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      std::size_t larger = 0;
      for (std::size_t other = 0; other < weights_.size(); ++other) {
        larger +=
            static_cast<std::size_t>(weights_[other] > weights_[j] || (weights_[other] == weights_[j] && other < j));
      }
      if (larger == i) return j;
    }
    return 0;
  }

  WeightPolytope& polytope_;
  std::span<const double> weights_;
  std::span<double> signs_;
  std::span<double> here_;
  std::span<double> farthest_;
  double distance_ = 0;
};

/// As many as take about a second at most, where a walk takes about `conditions` pivots.
std::size_t startsFor(const WeightPolytope& polytope) {
  constexpr double kOperations = 1e9;
  const auto conditions = static_cast<double>(polytope.conditions());
  const double perStart = 8 * conditions * conditions * static_cast<double>(polytope.keys() + 1);
  return static_cast<std::size_t>(std::clamp(kOperations / perStart, 4.0, 100.0));
}

}  // namespace

std::uint64_t equalOutputWeightsWorkingBytes(std::size_t keys, std::size_t valueDim) {
  return sumOf({Arena::paddedBytes<double>(productOf({keys, valueDim})), Arena::paddedBytes<double>(keys),
                WeightPolytope::workingBytes(keys, valueDim), Search::workingBytes(keys)});
}

namespace {

/// The search among the allowed keys alone, whose weights sum to 1. `others` [keys] holds the given weights.
EqualOutputWeights findOthers(std::span<const double> weights, const double* values, std::size_t valueDim,
                              std::span<double> others, Arena& arena) {
  EqualOutputWeights result;
  result.farthest = true;
  WeightPolytope polytope(weights.data(), values, weights.size(), valueDim, arena);
  if (polytope.conditions() == weights.size()) return result;
  Search search(polytope, weights, arena);
  const auto weighty = static_cast<std::size_t>(std::ranges::count_if(weights, [](double w) { return w > 0; }));
  if (weighty <= kMostSigns) {
    search.tryAllSigns(weighty);
  } else {
    search.trySomeSigns(startsFor(polytope));
    if (search.distance() <= kSameWeights) search.tryEachKey();
  }
  if (search.distance() <= kSameWeights) return result;
  result.exists = true;
  result.farthest = weighty <= kMostSigns;
  result.distance = search.distance();
  std::ranges::copy(search.farthest(), others.begin());
  return result;
}

}  // namespace

EqualOutputWeights equalOutputWeights(const double* weights, const double* values, const std::uint8_t* allow,
                                      std::size_t keys, std::size_t valueDim, double* others, double* output,
                                      Arena& arena) {
  EqualOutputWeights result;
  const Arena::Scope scope(arena);
  if (keys == 0 || !arena.reserve(equalOutputWeightsWorkingBytes(keys, valueDim))) {
    result.status = keys == 0 ? Status::invalidShape : Status::outOfMemory;
    return result;
  }
  const auto allowedValues = arena.take<double>(keys * valueDim);
  const auto allowedWeights = arena.take<double>(keys);
  std::size_t count = 0;
  for (std::size_t j = 0; j < keys; ++j) {
    if (allow != nullptr && allow[j] == 0) continue;
    allowedWeights[count] = weights[j];
    std::copy_n(values + j * valueDim, valueDim, &allowedValues[count * valueDim]);
    ++count;
  }
  const std::span<double> given = allowedWeights.first(count);
  std::copy_n(given.begin(), count, others);
  const double sum = std::accumulate(given.begin(), given.end(), 0.0);
  for (double& weight : given) weight /= sum;
  result = findOthers(given, allowedValues.data(), valueDim, {others, count}, arena);

  std::fill_n(output, valueDim, 0.0);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t c = 0; c < valueDim; ++c) output[c] += others[j] * allowedValues[j * valueDim + c];
  }
  // To their places among all keys, the last first.
  for (std::size_t j = keys; j-- > 0;) others[j] = allow == nullptr || allow[j] != 0 ? others[--count] : 0;
  return result;
}

}  // namespace attn
