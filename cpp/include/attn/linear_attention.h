#pragma once

#include <cstdint>

#include "attn/arena.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

// Linear attention: all that a query can know of the keys and values before it is one d × dv matrix
// per key/value head, the state S. Time O(n·d·dv), memory O(d·dv), however long the sequence.
//
//   S ← exp(gⱼ) ∘ S                                  with a decay gⱼ, one number or one per row of S
//   S ← S + φ(kⱼ) vⱼᵀ                                without beta
//   S ← S + βⱼ φ(kⱼ) (vⱼ − Sᵀ φ(kⱼ))ᵀ                with beta: what S already gives for kⱼ is replaced
//   oᵢ = scale · Sᵀ φ(qᵢ)                            S after the last key that query i sees
//
// Neither: linear attention (Katharopoulos et al., "Transformers are RNNs", 2020). Decay: gated linear
// attention (Yang et al., 2024). Beta: the delta rule (Schlag et al., "Linear transformers are secretly
// fast weight programmers", 2021). Both: the gated delta rule (Yang et al., "Gated delta networks",
// 2025). With φ the identity these are the four rules of the ONNX operator LinearAttention, opset 27.
//
// The output is a sum of values with weights. Normalised, those are divided by their sum:
//
//   oᵢ = Sᵀ φ(qᵢ) / zᵀ φ(qᵢ)                         0 where the denominator is 0
//
// z follows the same rule as S, for values that are all 1, and is kept as one more column of S. A scale
// would be divided out.
//
// State and sums are float64. A NaN or ∞ in a query concerns its own row of the output. In a key, a
// value, a decay or a beta it enters the state, by IEEE arithmetic, and nothing takes it out again: it
// concerns all queries of its batch entry and key/value head that see this key, and none before it.

/// Applied to every component of queries and keys.
enum class FeatureMap : std::uint8_t {
  eluPlusOne,  ///< x + 1 above 0, exp(x) below: always positive
  relu,        ///< max(x, 0)
  identity,
};

struct LinearAttentionOptions {
  FeatureMap featureMap = FeatureMap::eluPlusOne;
  /// Query i sees the keys j ≤ i + nk − nq (the queries are the tail of the keys); otherwise all keys.
  bool causal = false;
  bool normalize = true;
  double scale = 1;
};

/// The width of a state: dv, and one more for z.
[[nodiscard]] constexpr std::size_t stateWidth(const Shape& shape, const LinearAttentionOptions& options) {
  return shape.valueDim + (options.normalize ? 1 : 0);
}

/// Layouts as in attn/shape.h.
template <class T>
struct LinearAttentionInputs {
  const T* query = nullptr;
  const T* key = nullptr;
  const T* value = nullptr;
  Broadcast<T> decay;             ///< logarithm of what is kept, broadcast to [B, Hk, nk, d]; optional
  Broadcast<T> beta;              ///< broadcast to [B, Hk, nk, 1]; optional
  const double* state = nullptr;  ///< [B, Hk, d, stateWidth], what an earlier call returned; null: 0
};

template <class T>
struct LinearAttentionOutputs {
  T* output = nullptr;      ///< [B, Hq, nq, dv]
  double* state = nullptr;  ///< [B, Hk, d, stateWidth], after all keys
};

/// The scratch memory `linearAttention` will take from its arena, as an exact integer.
[[nodiscard]] std::uint64_t linearAttentionWorkingBytes(const Shape& shape);

/// Inputs and output in float32. Going on from a returned state gives the same bits as one call over
/// all keys, wherever the sequence is cut.
[[nodiscard]] Status linearAttention(const Shape& shape, const LinearAttentionInputs<float>& inputs,
                                     const LinearAttentionOptions& options,
                                     const LinearAttentionOutputs<float>& outputs, Arena& arena);

}  // namespace attn

namespace attn::reference {

/// The same in float64 by another way, in O(n²): the weight of every value in every output is worked
/// out by itself.
///
///   oᵢ = scale · (Σⱼ wᵢⱼ vⱼ + S₀ᵀ rᵢ₀),   wᵢⱼ = βⱼ rᵢⱼ·φ(kⱼ)
///   rᵢⱼ: φ(qᵢ) carried back through the keys after j, r ← exp(g) ∘ (r − β (r·φ(k)) φ(k)) for each
[[nodiscard]] std::uint64_t linearAttentionWorkingBytes(const Shape& shape);
[[nodiscard]] Status linearAttention(const Shape& shape, const LinearAttentionInputs<double>& inputs,
                                     const LinearAttentionOptions& options,
                                     const LinearAttentionOutputs<double>& outputs, Arena& arena);

}  // namespace attn::reference
