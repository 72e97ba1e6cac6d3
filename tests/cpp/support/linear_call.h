#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "attn/linear_attention.h"
#include "support/random.h"

namespace attn::test {

template <class T>
struct LinearResult {
  Status status = Status::ok;
  std::vector<T> output;
  std::vector<double> state;
};

/// One call of linear attention with all that it reads. Gates are [·, ·, ·, ·] with sizes 1 or full;
/// empty: not given.
struct LinearCall {
  using Sizes = std::array<std::size_t, 4>;

  Shape shape;
  LinearAttentionOptions options;
  std::vector<float> query, key, value, decay, beta;
  Sizes decaySizes{};
  Sizes betaSizes{};
  std::vector<double> state;

  LinearCall(const Shape& sizes, const LinearAttentionOptions& settings) : shape(sizes), options(settings) { resize(); }

  void draw(Random& random) {
    resize();
    for (auto* numbers : {&query, &key, &value}) random.fillNormal(*numbers);
  }

  void setDecay(std::vector<float> data, Sizes sizes) { decay = std::move(data), decaySizes = sizes; }
  void setBeta(std::vector<float> data, Sizes sizes) { beta = std::move(data), betaSizes = sizes; }

  void drawDecay(Random& random) {
    decaySizes = someOf(random, {shape.batch, shape.kvHeads, shape.keys, shape.keyDim});
    decay.resize(count(decaySizes));
    for (float& g : decay) g = static_cast<float>(-2 * random.uniform());
  }
  void drawBeta(Random& random) {
    betaSizes = someOf(random, {shape.batch, shape.kvHeads, shape.keys, 1});
    beta.resize(count(betaSizes));
    for (float& b : beta) b = static_cast<float>(0.3 * random.uniform());
  }
  void redrawGates(Random& random) {
    if (!decay.empty()) drawDecay(random);
    if (!beta.empty()) drawBeta(random);
  }
  void drawState(Random& random) {
    state.resize(stateCount());
    for (double& s : state) s = random.uniform();
  }

  [[nodiscard]] LinearResult<float> run(Arena& arena) const {
    LinearResult<float> result{Status::ok, std::vector<float>(outputCount()), std::vector<double>(stateCount())};
    result.status = linearAttention(shape, inputs(query, key, value, decay, beta), options,
                                    {result.output.data(), result.state.data()}, arena);
    return result;
  }
  [[nodiscard]] LinearResult<float> run() const {
    Arena arena;
    return run(arena);
  }
  [[nodiscard]] LinearResult<double> reference() const {
    Arena arena;
    const auto wide = [](const std::vector<float>& numbers) {
      return std::vector<double>(numbers.begin(), numbers.end());
    };
    const auto q = wide(query), k = wide(key), v = wide(value), g = wide(decay), b = wide(beta);
    LinearResult<double> result{Status::ok, std::vector<double>(outputCount()), std::vector<double>(stateCount())};
    result.status = reference::linearAttention(shape, inputs(q, k, v, g, b), options,
                                               {result.output.data(), result.state.data()}, arena);
    return result;
  }

  /// The call of queries and keys `from` to `to` alone.
  [[nodiscard]] LinearCall part(std::size_t from, std::size_t to) const {
    LinearCall part = *this;
    part.shape.queries = part.shape.keys = to - from;
    const auto cut = [&](const std::vector<float>& rows, Sizes sizes) {
      return sizes[2] == shape.keys && shape.keys > 1 ? rowsOf(rows, from, to, sizes[3]) : rows;
    };
    part.query = rowsOf(query, from, to, shape.keyDim);
    part.key = rowsOf(key, from, to, shape.keyDim);
    part.value = rowsOf(value, from, to, shape.valueDim);
    part.setDecay(cut(decay, decaySizes), cutSizes(decaySizes, to - from));
    part.setBeta(cut(beta, betaSizes), cutSizes(betaSizes, to - from));
    return part;
  }
  [[nodiscard]] std::vector<float> rowsOf(const std::vector<float>& output, std::size_t from, std::size_t to) const {
    return rowsOf(output, from, to, shape.valueDim);
  }

  [[nodiscard]] std::string describe() const {
    std::ostringstream text;
    const auto& [batch, queryHeads, kvHeads, queries, keys, keyDim, valueDim, queryDim] = shape;
    text << "B " << batch << ", Hq " << queryHeads << ", Hk " << kvHeads << ", nq " << queries << ", nk " << keys
         << ", d " << keyDim << ", dv " << valueDim << ", map " << static_cast<int>(options.featureMap) << ", causal "
         << options.causal << ", normalize " << options.normalize << ", scale " << options.scale << ", decay "
         << decay.size() << ", beta " << beta.size() << ", state " << state.size();
    return text.str();
  }

 private:
  static std::size_t count(const Sizes& sizes) { return sizes[0] * sizes[1] * sizes[2] * sizes[3]; }
  static Sizes someOf(Random& random, Sizes sizes) {
    for (std::size_t& size : sizes) size = random.chance(0.7) ? size : 1;
    return sizes;
  }
  [[nodiscard]] Sizes cutSizes(Sizes sizes, std::size_t length) const {
    if (sizes[2] == shape.keys && shape.keys > 1) sizes[2] = length;
    return sizes;
  }
  [[nodiscard]] std::size_t outputCount() const {
    return shape.batch * shape.queryHeads * shape.queries * shape.valueDim;
  }
  [[nodiscard]] std::size_t stateCount() const {
    return shape.batch * shape.kvHeads * shape.keyDim * stateWidth(shape, options);
  }
  void resize() {
    query.resize(shape.batch * shape.queryHeads * shape.queries * shape.keyDim);
    key.resize(shape.batch * shape.kvHeads * shape.keys * shape.keyDim);
    value.resize(shape.batch * shape.kvHeads * shape.keys * shape.valueDim);
  }

  /// Of every sequence of `shape.keys` rows in the tensor, the rows `from` to `to`.
  [[nodiscard]] std::vector<float> rowsOf(const std::vector<float>& rows, std::size_t from, std::size_t to,
                                          std::size_t width) const {
    std::vector<float> cut;
    for (std::size_t start = 0; start < rows.size(); start += shape.keys * width) {
      const auto* const first = rows.data() + start;
      cut.insert(cut.end(), first + from * width, first + to * width);
    }
    return cut;
  }

  template <class T>
  static Broadcast<T> gate(const std::vector<T>& data, const Sizes& sizes) {
    Broadcast<T> gate;
    if (data.empty()) return gate;
    gate.data = data.data();
    std::size_t step = 1;
    for (std::size_t axis = 4; axis-- > 0; step *= sizes[axis]) gate.strides[axis] = sizes[axis] == 1 ? 0 : step;
    return gate;
  }
  template <class T>
  LinearAttentionInputs<T> inputs(const std::vector<T>& q, const std::vector<T>& k, const std::vector<T>& v,
                                  const std::vector<T>& g, const std::vector<T>& b) const {
    return {
        q.data(), k.data(), v.data(), gate(g, decaySizes), gate(b, betaSizes), state.empty() ? nullptr : state.data()};
  }
};

}  // namespace attn::test
