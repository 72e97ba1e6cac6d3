#include "attn/linear_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xview.hpp>

#include "linear_attention_check.h"

namespace attn::reference {

namespace {

template <class T>
auto vectorOf(T* data, std::size_t length) {
  return xt::adapt(data, length, xt::no_ownership(), std::array<std::size_t, 1>{length});
}

template <class T>
auto matrixOf(T* data, std::size_t rows, std::size_t columns) {
  return xt::adapt(data, rows * columns, xt::no_ownership(), std::array<std::size_t, 2>{rows, columns});
}

template <class Vector>
auto column(const Vector& vector) {
  return xt::view(vector, xt::all(), xt::newaxis());
}

template <class X, class Y>
void mapInto(FeatureMap map, const X& x, Y& y) {
  if (map == FeatureMap::eluPlusOne) xt::noalias(y) = xt::where(x > 0.0, x + 1.0, xt::exp(x));
  if (map == FeatureMap::relu) xt::noalias(y) = xt::where(x < 0.0, 0.0, x);
  if (map == FeatureMap::identity) xt::noalias(y) = x;
}

/// The keys, values and gates of one batch entry and key/value head.
class Sequence {
 public:
  Sequence(const Shape& shape, const LinearAttentionInputs<double>& inputs, const LinearAttentionOptions& options,
           std::size_t b, std::size_t kvHead)
      : shape_(shape), inputs_(inputs), options_(options), b_(b), kvHead_(kvHead) {}

  void features(std::size_t j, double* phi) const {
    auto k = vectorOf(phi, shape_.keyDim);
    mapInto(options_.featureMap, vectorOf(inputs_.key + row(j) * shape_.keyDim, shape_.keyDim), k);
  }

  /// The value, and the 1 whose weights are summed.
  void value(std::size_t j, double* v) const {
    std::copy_n(inputs_.value + row(j) * shape_.valueDim, shape_.valueDim, v);
    if (options_.normalize) v[shape_.valueDim] = 1;
  }

  [[nodiscard]] bool gated() const { return inputs_.decay.data != nullptr; }
  [[nodiscard]] bool corrected() const { return inputs_.beta.data != nullptr; }
  [[nodiscard]] double beta(std::size_t j) const { return corrected() ? *inputs_.beta.at(b_, kvHead_, j, 0) : 1; }
  void kept(std::size_t j, double* factors) const {
    for (std::size_t c = 0; c < shape_.keyDim; ++c) factors[c] = std::exp(*inputs_.decay.at(b_, kvHead_, j, c));
  }

 private:
  [[nodiscard]] std::size_t row(std::size_t j) const { return (b_ * shape_.kvHeads + kvHead_) * shape_.keys + j; }

  const Shape& shape_;
  const LinearAttentionInputs<double>& inputs_;
  const LinearAttentionOptions& options_;
  std::size_t b_;
  std::size_t kvHead_;
};

/// Scratch: vectors of the width of a key, and rows of the width of the state.
struct Scratch {
  double* read;
  double* key;
  double* kept;
  double* value;
  double* sum;
};

class Formula {
 public:
  Formula(const Shape& shape, const LinearAttentionOptions& options, const Scratch& scratch)
      : shape_(shape), options_(options), width_(stateWidth(shape, options)), scratch_(scratch) {}

  /// One row of the output: Σⱼ wⱼ vⱼ over the first `seen` keys, and what the first state adds.
  void output(const Sequence& sequence, const double* query, std::size_t seen, const double* first, double* o) const {
    auto r = vectorOf(scratch_.read, shape_.keyDim);
    auto k = vectorOf(scratch_.key, shape_.keyDim);
    auto v = vectorOf(scratch_.value, width_);
    auto sum = vectorOf(scratch_.sum, width_);
    mapInto(options_.featureMap, vectorOf(query, shape_.keyDim), r);
    sum.fill(0.0);
    for (std::size_t j = seen; j-- > 0;) {
      sequence.features(j, scratch_.key);
      sequence.value(j, scratch_.value);
      const double weight = sequence.beta(j) * xt::sum(r * k)();
      xt::noalias(sum) += weight * v;
      if (sequence.corrected()) xt::noalias(r) -= weight * k;
      if (sequence.gated()) {
        sequence.kept(j, scratch_.kept);
        xt::noalias(r) *= vectorOf(scratch_.kept, shape_.keyDim);
      }
    }
    if (first != nullptr) xt::noalias(sum) += xt::sum(column(r) * matrixOf(first, shape_.keyDim, width_), {0});

    const auto weighted = xt::view(sum, xt::range(std::size_t{0}, shape_.valueDim));
    auto row = vectorOf(o, shape_.valueDim);
    if (!options_.normalize) {
      xt::noalias(row) = options_.scale * weighted;
    } else if (const double total = sum(shape_.valueDim); total == 0) {
      row.fill(0.0);
    } else {
      xt::noalias(row) = weighted / total;
    }
  }

  /// S after all keys, as the rule says.
  void state(const Sequence& sequence, double* matrix) const {
    auto s = matrixOf(matrix, shape_.keyDim, width_);
    auto k = vectorOf(scratch_.key, shape_.keyDim);
    auto v = vectorOf(scratch_.value, width_);
    auto kept = vectorOf(scratch_.kept, shape_.keyDim);
    auto known = vectorOf(scratch_.sum, width_);
    for (std::size_t j = 0; j < shape_.keys; ++j) {
      sequence.features(j, scratch_.key);
      sequence.value(j, scratch_.value);
      if (sequence.gated()) {
        sequence.kept(j, scratch_.kept);
        xt::noalias(s) *= column(kept);
      }
      if (sequence.corrected()) {
        xt::noalias(known) = xt::sum(column(k) * s, {0});
        xt::noalias(v) = sequence.beta(j) * (v - known);
      }
      xt::noalias(s) += column(k) * v;
    }
  }

 private:
  const Shape& shape_;
  const LinearAttentionOptions& options_;
  std::size_t width_;
  Scratch scratch_;
};

}  // namespace

std::uint64_t linearAttentionWorkingBytes(const Shape& shape) {
  return sumOf({productOf({3, Arena::paddedBytes<double>(shape.keyDim)}),
                productOf({2, Arena::paddedBytes<double>(sumOf({shape.valueDim, 1}))})});
}

Status linearAttention(const Shape& shape, const LinearAttentionInputs<double>& inputs,
                       const LinearAttentionOptions& options, const LinearAttentionOutputs<double>& outputs,
                       Arena& arena) {
  if (const Status status = check(shape, options, sizeof(double)); status != Status::ok) return status;
  const Arena::Scope scope(arena);
  if (!arena.reserve(reference::linearAttentionWorkingBytes(shape))) return Status::outOfMemory;

  const auto& [batch, queryHeads, kvHeads, nq, nk, d, dv] = shape;
  const auto keyWide = [&] { return arena.take<double>(shape.keyDim).data(); };
  const auto stateWide = [&] { return arena.take<double>(shape.valueDim + 1).data(); };
  const Formula formula(shape, options, {keyWide(), keyWide(), keyWide(), stateWide(), stateWide()});

  const std::size_t stateSize = d * stateWidth(shape, options);
  const std::size_t group = queryHeads / kvHeads;
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t kvHead = 0; kvHead < kvHeads; ++kvHead) {
      const Sequence sequence(shape, inputs, options, b, kvHead);
      const std::size_t place = (b * kvHeads + kvHead) * stateSize;
      const double* const first = inputs.state == nullptr ? nullptr : inputs.state + place;
      for (std::size_t i = 0; i < nq; ++i) {
        for (std::size_t h = kvHead * group; h < (kvHead + 1) * group; ++h) {
          const std::size_t row = (b * queryHeads + h) * nq + i;
          const std::size_t seen = seenKeys(shape, options, i);
          formula.output(sequence, inputs.query + row * d, seen, first, outputs.output + row * dv);
        }
      }
      if (first == nullptr) std::fill_n(outputs.state + place, stateSize, 0.0);
      if (first != nullptr) std::copy_n(first, stateSize, outputs.state + place);
      formula.state(sequence, outputs.state + place);
    }
  }
  return Status::ok;
}

}  // namespace attn::reference
