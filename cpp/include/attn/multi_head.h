#pragma once

#include <cstddef>
#include <cstdint>

#include "attn/arena.h"
#include "attn/attention.h"
#include "attn/broadcast.h"
#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

// Multi-head attention (Vaswani et al., "Attention is all you need", 2017, section 3.2.2): every head sees
// projections of its own, and what the heads give is set side by side and projected once more:
//
//   Q = x·Wq + bq     K = context·Wk + bk     V = contextValues·Wv + bv
//   headₕ = attention(Qₕ, K of its group, V of its group)
//   output = [head₀, head₁, …]·Wo + bo
//
// Head h has columns h·d … (h + 1)·d of Q, and so on. In self-attention the context is x.

/// The sizes of one call. Letters as in attn/shape.h, and m the width of x, mk and mv those of what keys
/// and values are made from, mo that of the output.
struct MultiHeadShape {
  Shape attention;
  std::size_t queryWidth = 1;   ///< m
  std::size_t keyWidth = 1;     ///< mk
  std::size_t valueWidth = 1;   ///< mv
  std::size_t outputWidth = 0;  ///< mo; 0: no projection of the output, which then is Hq·dv wide
};

/// y = x·W + b
template <class T>
struct LinearLayer {
  const T* weights = nullptr;  ///< [in, out]
  const T* bias = nullptr;     ///< [out]; null: none
};

template <class T>
struct MultiHeadInputs {
  const T* x = nullptr;              ///< [B, nq, m]
  const T* context = nullptr;        ///< [B, nk, mk]
  const T* contextValues = nullptr;  ///< [B, nk, mv]
  LinearLayer<T> query;              ///< [m, Hq·d]
  LinearLayer<T> key;                ///< [mk, Hk·dk]
  LinearLayer<T> value;              ///< [mv, Hk·dv]
  LinearLayer<T> output;             ///< [Hq·dv, mo], if mo is not 0
  Broadcast<T> bias{};               ///< added to the scores, as in attn/inputs.h
};

/// `output` is required, null means "not wanted" for the others. Nothing is ever averaged over heads.
template <class T>
struct MultiHeadOutputs {
  T* output = nullptr;     ///< [B, nq, mo] or [B, nq, Hq·dv]
  T* heads = nullptr;      ///< [B, Hq, nq, dv], what each head gives
  T* weights = nullptr;    ///< [B, Hq, nq, nk]
  T* scores = nullptr;     ///< [B, Hq, nq, nk]
  T* logSumExp = nullptr;  ///< [B, Hq, nq]
};

/// The scratch memory `multiHeadAttention` will take from its arena, as an exact integer.
[[nodiscard]] std::uint64_t multiHeadWorkingBytes(const MultiHeadShape& shape, const Options& options, TileSize tile);

/// Computes multi-head attention in float32. All that attn/attention.h promises holds for the projected
/// queries, keys and values; whatever a masked row of the context holds, it has no influence. A projection
/// whose sum float32 cannot hold on the way is made in float64. Of the report, `flops` count all products.
[[nodiscard]] Report multiHeadAttention(const MultiHeadShape& shape, const MultiHeadInputs<float>& inputs,
                                        const Options& options, const MultiHeadOutputs<float>& outputs, TileSize tile,
                                        Arena& arena);

namespace reference {

/// The scratch memory `multiHeadAttention` will take from its arena, as an exact integer.
[[nodiscard]] std::uint64_t multiHeadWorkingBytes(const MultiHeadShape& shape, const Options& options);

/// The same by the formula in float64.
[[nodiscard]] Status multiHeadAttention(const MultiHeadShape& shape, const MultiHeadInputs<double>& inputs,
                                        const Options& options, const MultiHeadOutputs<double>& outputs, Arena& arena);

/// The first step alone: query [B, Hq, nq, d] and key [B, Hk, nk, dk].
[[nodiscard]] Status projectQueriesAndKeys(const MultiHeadShape& shape, const MultiHeadInputs<double>& inputs,
                                           double* query, double* key);

}  // namespace reference

}  // namespace attn
