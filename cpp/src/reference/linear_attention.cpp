#include "attn/linear_attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>

#include "linear_attention_check.h"
#include "reference/add_scaled.h"

namespace attn::reference {

namespace {

// Plain sums: as expressions of xtensor these recurrences took 12 KB of the compressed module.

double mapped(FeatureMap map, double x) {
  if (map == FeatureMap::eluPlusOne) return x > 0.0 ? x + 1.0 : std::exp(x);
  if (map == FeatureMap::relu) return x < 0.0 ? 0.0 : x;
  return x;
}

void mapInto(FeatureMap map, const double* x, std::size_t count, double* y) {
  std::transform(x, x + count, y, [&](double each) { return mapped(map, each); });
}

/// The keys, values and gates of one batch entry and key/value head.
class Sequence {
 public:
  Sequence(const Shape& shape, const LinearAttentionInputs<double>& inputs, const LinearAttentionOptions& options,
           std::size_t b, std::size_t kvHead)
      : shape_(shape), inputs_(inputs), options_(options), b_(b), kvHead_(kvHead) {}

  void features(std::size_t j, double* phi) const {
    mapInto(options_.featureMap, inputs_.key + row(j) * shape_.keyDim, shape_.keyDim, phi);
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
    const std::size_t d = shape_.keyDim;
    const auto& [r, k, kept, v, sum] = scratch_;
    mapInto(options_.featureMap, query, d, r);
    std::fill_n(sum, width_, 0.0);
    for (std::size_t j = seen; j-- > 0;) {
      sequence.features(j, k);
      sequence.value(j, v);
      const double weight = sequence.beta(j) * std::inner_product(r, r + d, k, 0.0);
      addScaled(weight, v, width_, sum);
      if (sequence.corrected()) addScaled(-weight, k, d, r);
      if (sequence.gated()) {
        sequence.kept(j, kept);
        std::transform(r, r + d, kept, r, std::multiplies<>());
      }
    }
    for (std::size_t c = 0; first != nullptr && c < d; ++c) addScaled(r[c], first + c * width_, width_, sum);

    const double total = options_.normalize ? sum[shape_.valueDim] : 1.0;
    const double scale = options_.normalize ? 1.0 : options_.scale;
    for (std::size_t c = 0; c < shape_.valueDim; ++c) o[c] = total == 0 ? 0.0 : scale * sum[c] / total;
  }

  /// S after all keys, as the rule says.
  void state(const Sequence& sequence, double* matrix) const {
    const std::size_t d = shape_.keyDim;
    const auto& [read, k, kept, v, known] = scratch_;
    for (std::size_t j = 0; j < shape_.keys; ++j) {
      sequence.features(j, k);
      sequence.value(j, v);
      if (sequence.gated()) {
        sequence.kept(j, kept);
        for (std::size_t place = 0; place < d * width_; ++place) matrix[place] *= kept[place / width_];
      }
      if (sequence.corrected()) {
        std::fill_n(known, width_, 0.0);
        for (std::size_t c = 0; c < d; ++c) addScaled(k[c], matrix + c * width_, width_, known);
        for (std::size_t w = 0; w < width_; ++w) v[w] = sequence.beta(j) * (v[w] - known[w]);
      }
      for (std::size_t c = 0; c < d; ++c) addScaled(k[c], v, width_, matrix + c * width_);
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

  const auto& [batch, queryHeads, kvHeads, nq, nk, d, dv, queryDim] = shape;
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
