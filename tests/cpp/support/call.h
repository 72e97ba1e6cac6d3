#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "attn/attention.h"

namespace attn::test {

/// Outputs of the kernel, or of the reference in float64.
template <class T>
struct Result {
  std::vector<T> output;
  std::vector<T> weights;
  std::vector<T> scores;
  std::vector<T> logSumExp;
  Report report;
};

/// One call of attention with all that it points to.
struct Call {
  Shape shape;
  std::vector<float> query;
  std::vector<float> key;
  std::vector<float> value;
  std::vector<float> bias;  ///< empty: not given; see the setter
  std::array<std::size_t, 4> biasStrides{};
  Options options;
  TileSize tile;

  // What options may point to; see the setters.
  std::vector<std::uint8_t> allow;
  std::vector<std::uint8_t> allowKeys;
  std::vector<std::uint32_t> keyLengths;
  std::vector<std::uint8_t> blocks;
  std::array<std::vector<double>, 3> parameters;  ///< of the scoring

  Call() = default;
  explicit Call(const Shape& shape);
  Call(const Call&) = delete;  // options point into the call
  Call& operator=(const Call&) = delete;

  /// Zero queries and keys make all scores equal: the output is the mean of the visible values.
  static Shape oneHead(std::size_t queries, std::size_t keys, std::size_t keyDim, std::size_t valueDim);

  [[nodiscard]] Inputs inputs() const;

  /// Broadcast from [·, ·, ·, ·] with sizes 1 or full.
  void setAllow(std::vector<std::uint8_t> data, std::array<std::size_t, 4> sizes);
  void setBias(std::vector<float> data, std::array<std::size_t, 4> sizes);
  void setAllowKeys(std::vector<std::uint8_t> data, bool perBatch);
  void setKeyLengths(std::vector<std::uint32_t> lengths);
  void setBlocks(std::vector<std::uint8_t> data, std::size_t queriesPerBlock, std::size_t keysPerBlock);

  void setGeneral(std::vector<double> w, double b);
  void setAdditive(std::vector<double> wq, std::vector<double> wk, std::vector<double> v);
  void setLinear(std::vector<double> w, double b);
  void setTrilinear(std::vector<double> w, double b);
  void setGiven(std::vector<double> scores);

  [[nodiscard]] Result<float> run() const;

  /// The same, the query tiles one after another in this order, each in an arena of its own.
  [[nodiscard]] Result<float> runInParts(const std::vector<std::size_t>& order) const;

  [[nodiscard]] Result<double> reference() const;
  [[nodiscard]] std::vector<double> referenceScores() const;

  /// Fails the running test with this call's description unless kernel and reference agree.
  void checkAgainstReference() const;

  [[nodiscard]] std::string describe() const;

 private:
  [[nodiscard]] Result<float> unwritten() const;
  [[nodiscard]] Report runPart(Part part, Result<float>& result) const;
};

}  // namespace attn::test
