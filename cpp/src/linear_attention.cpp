#include "attn/linear_attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "linear_attention_check.h"
#include "tiled/kernel/state_products.h"

namespace attn {

namespace {

double mapped(FeatureMap map, double x) {
  switch (map) {
    case FeatureMap::eluPlusOne:
      return x > 0 ? x + 1 : std::exp(x);
    case FeatureMap::relu:
      return x < 0 ? 0 : x;
    default:
      return x;
  }
}

/// What every step of a call works with.
class Recurrence {
 public:
  Recurrence(const Shape& shape, const LinearAttentionInputs<float>& inputs, const LinearAttentionOptions& options,
             Arena& arena)
      : shape_(shape),
        inputs_(inputs),
        options_(options),
        width_(stateWidth(shape, options)),
        features_(arena.take<double>(shape.keyDim).data()),
        row_(arena.take<double>(shape.valueDim + 1).data()),
        kept_(arena.take<double>(shape.valueDim + 1).data()) {}

  /// S takes in key j.
  void absorb(std::size_t b, std::size_t kvHead, std::size_t j, double* state) {
    const std::size_t place = (b * shape_.kvHeads + kvHead) * shape_.keys + j;
    mapFeatures(inputs_.key + place * shape_.keyDim);
    if (inputs_.decay.data != nullptr) decay(inputs_.decay.at(b, kvHead, j, 0), inputs_.decay.strides[3], state);

    double* const update = row_;
    std::copy_n(inputs_.value + place * shape_.valueDim, shape_.valueDim, update);
    if (options_.normalize) update[shape_.valueDim] = 1;
    if (inputs_.beta.data != nullptr) correct(double{*inputs_.beta.at(b, kvHead, j, 0)}, state, update);

    tiled::addToState(features_, update, shape_.keyDim, width_, state);
  }

  /// One row of the output: what S gives for this query.
  void read(const float* query, const double* state, float* output) {
    mapFeatures(query);
    double* const sums = row_;
    tiled::readState(state, features_, shape_.keyDim, width_, sums);
    const double denominator = options_.normalize ? sums[shape_.valueDim] : 1;
    for (std::size_t w = 0; w < shape_.valueDim; ++w) {
      const double scaled = options_.normalize ? sums[w] / denominator : options_.scale * sums[w];
      output[w] = denominator == 0 ? 0.0F : static_cast<float>(scaled);
    }
  }

 private:
  void mapFeatures(const float* x) {
    for (std::size_t c = 0; c < shape_.keyDim; ++c) features_[c] = mapped(options_.featureMap, double{x[c]});
  }

  void decay(const float* logarithm, std::size_t stride, double* state) const {
    for (std::size_t c = 0; c < shape_.keyDim; ++c) {
      const double kept = std::exp(double{logarithm[c * stride]});
      for (std::size_t w = 0; w < width_; ++w) state[c * width_ + w] *= kept;
    }
  }

  /// update = β · (update − Sᵀ φ(k))
  void correct(double beta, const double* state, double* update) {
    tiled::readState(state, features_, shape_.keyDim, width_, kept_);
    for (std::size_t w = 0; w < width_; ++w) update[w] = beta * (update[w] - kept_[w]);
  }

  const Shape& shape_;
  const LinearAttentionInputs<float>& inputs_;
  const LinearAttentionOptions& options_;
  std::size_t width_;
  double* features_;  ///< φ of the key or query at hand, [d]
  double* row_;       ///< a row as wide as the state
  double* kept_;      ///< another: what the state gives for the key at hand
};

}  // namespace

std::uint64_t linearAttentionWorkingBytes(const Shape& shape) {
  const std::uint64_t row = Arena::paddedBytes<double>(sumOf({shape.valueDim, 1}));
  return sumOf({Arena::paddedBytes<double>(shape.keyDim), row, row});
}

Status linearAttention(const Shape& shape, const LinearAttentionInputs<float>& inputs,
                       const LinearAttentionOptions& options, const LinearAttentionOutputs<float>& outputs,
                       Arena& arena) {
  if (const Status status = check(shape, options, sizeof(float)); status != Status::ok) return status;
  const Arena::Scope scope(arena);
  if (!arena.reserve(linearAttentionWorkingBytes(shape))) return Status::outOfMemory;

  const auto& [batch, queryHeads, kvHeads, nq, nk, d, dv, queryDim] = shape;
  const std::size_t stateSize = d * stateWidth(shape, options);
  if (inputs.state == nullptr) std::fill_n(outputs.state, batch * kvHeads * stateSize, 0.0);
  if (inputs.state != nullptr) std::copy_n(inputs.state, batch * kvHeads * stateSize, outputs.state);

  Recurrence recurrence(shape, inputs, options, arena);
  const std::size_t group = queryHeads / kvHeads;
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t kvHead = 0; kvHead < kvHeads; ++kvHead) {
      double* const state = outputs.state + (b * kvHeads + kvHead) * stateSize;
      std::size_t absorbed = 0;
      for (std::size_t i = 0; i < nq; ++i) {
        const std::size_t seen = seenKeys(shape, options, i);
        for (; absorbed < seen; ++absorbed) recurrence.absorb(b, kvHead, absorbed, state);
        for (std::size_t h = kvHead * group; h < (kvHead + 1) * group; ++h) {
          const std::size_t row = (b * queryHeads + h) * nq + i;
          recurrence.read(inputs.query + row * d, state, outputs.output + row * dv);
        }
      }
      for (; absorbed < nk; ++absorbed) recurrence.absorb(b, kvHead, absorbed, state);
    }
  }
  return Status::ok;
}

}  // namespace attn
