#pragma once

#include <cstdint>

#include "attn/arena.h"
#include "attn/attention.h"
#include "attn/inputs.h"
#include "attn/options.h"
#include "attn/reference.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

// The gradient of attention, for a loss whose derivative with respect to the output O is dO. For every
// batch entry and query head (Dao, "FlashAttention-2", 2023, section 2.3.2), with Z = scale · Q·Kᵀ, S
// what softcap and bias make of Z, P = softmax(S), O = P·V:
//
//   dV = Pᵀ·dO
//   dP = dO·Vᵀ         Dᵢ = Σⱼ Pᵢⱼ·dPᵢⱼ           (= dOᵢ·Oᵢ)
//   dS = P ∘ (dP − D)
//   dZ = dS ∘ (1 − tanh²(Z/c))                   with a softcap c, else dS
//   dQ = scale · dZ·K
//   dK = scale · dZᵀ·Q
//
// summed over the query heads that share a key/value head. P is computed once more, some queries at a
// time and tile by tile: no memory in proportion to nq · nk.
//
// What holds for every build and every tile size, as for `attention`:
//   - a key or value that a mask or a bias of −∞ forbids has no influence, whatever it holds, and from
//     that query a gradient of 0; so does a cell with dZ = 0, on dQ and dK;
//   - a NaN or +∞ score at a visible position makes that query's dQ NaN, and dK and dV of the keys it
//     sees; no others;
//   - a row without a visible key has no gradient, whatever it becomes; but with EmptyRows::uniform the
//     real values have their share of dO;
//   - same input, same build: same bits.
// The scoring is `ScaledDot` or `Dot`; others are refused with `invalidOptions`.
//
// Error against float64: at most 1e-6 of what a gradient would be if nothing in its sums cancelled and all
// keys and values were as large as the largest; for dK and dV 1e-6 · (1 + |log Pᵢⱼ|) of each term.

/// Where the gradients go; each has the layout of the tensor it belongs to. No output may overlap an input.
template <class T>
struct GradientOutputs {
  T* query = nullptr;  ///< [B, Hq, nq, d]
  T* key = nullptr;    ///< [B, Hk, nk, d]
  T* value = nullptr;  ///< [B, Hk, nk, dv]
};

using Gradients = GradientOutputs<float>;

/// The scratch memory `attentionBackward` will take from its arena, as an exact integer.
[[nodiscard]] std::uint64_t attentionBackwardWorkingBytes(const Shape& shape, const Options& options, TileSize tile);

/// Computes the gradients in float32, sums of many tiles in float64. `dOutput` is [B, Hq, nq, dv]. Of the
/// report, `flops` are 2 · (3·d + 2·dv) per cell of a visited tile. At most 64 queries are handled at a
/// time, whatever `tile` asks for. `arena` grows at most once; what the caller has taken from it stays.
[[nodiscard]] Report attentionBackward(const Shape& shape, const Inputs& inputs, const float* dOutput,
                                       const Options& options, const Gradients& gradients, TileSize tile, Arena& arena);

namespace reference {

using Gradients = GradientOutputs<double>;

/// Gradients of single cells [B, Hq, nq, nk], 0 where nothing is visible; null means "not wanted".
struct CellGradients {
  double* weights = nullptr;  ///< dP
  double* scores = nullptr;   ///< dS
};

/// The scratch memory `attentionBackward` will take from its arena, as an exact integer: O(nk).
[[nodiscard]] std::uint64_t attentionBackwardWorkingBytes(const Shape& shape, const Options& options);

/// The same by the formula in float64, one row at a time.
[[nodiscard]] Status attentionBackward(const Shape& shape, const Inputs& inputs, const double* dOutput,
                                       const Options& options, const Gradients& gradients, Arena& arena,
                                       const CellGradients& cells = {});

}  // namespace reference

}  // namespace attn
