#pragma once

#include <cstdint>

#include "attn/arena.h"
#include "attn/exact_size.h"
#include "attn/multi_head.h"
#include "multi_head/split_rows.h"

namespace attn {

// What multi-head attention is in every precision: the order of its steps and the places of what passes
// between them.

/// The sizes of a layer's matrix product.
struct LayerSize {
  std::size_t rows;
  std::size_t in;
  std::size_t out;
};

struct LayerSizes {
  LayerSize query;
  LayerSize key;
  LayerSize value;
  LayerSize output;

  /// For one batch entry.
  explicit LayerSizes(const MultiHeadShape& s)
      : query{s.attention.queries, s.queryWidth, s.attention.queryHeads * s.attention.queryWidth()},
        key{s.attention.keys, s.keyWidth, s.attention.kvHeads * s.attention.keyDim},
        value{s.attention.keys, s.valueWidth, s.attention.kvHeads * s.attention.valueDim},
        output{s.attention.queries, s.attention.queryHeads * s.attention.valueDim, s.outputWidth} {}
};

/// `check` of the attention in it, and of x, context, output and the matrices of weights.
[[nodiscard]] Status check(const MultiHeadShape& shape, std::size_t elementBytes, bool needsCells);

/// Multiplications and additions of the projections.
[[nodiscard]] std::uint64_t projectionFlops(const MultiHeadShape& shape);

/// The projected queries, keys and values of a call and what its heads give, each [B, heads, length, width].
template <class T>
struct ProjectedHeads {
  T* query;
  T* key;
  T* value;
  T* output;

  static std::uint64_t bytes(const Shape& s) {
    return sumOf({Arena::paddedBytes<T>(productOf({s.batch, s.queryHeads, s.queries, s.queryWidth()})),
                  Arena::paddedBytes<T>(productOf({s.batch, s.kvHeads, s.keys, s.keyDim})),
                  Arena::paddedBytes<T>(productOf({s.batch, s.kvHeads, s.keys, s.valueDim})),
                  Arena::paddedBytes<T>(productOf({s.batch, s.queryHeads, s.queries, s.valueDim}))});
  }

  /// Takes `bytes` from the arena.
  ProjectedHeads(const Shape& s, Arena& arena)
      : query(arena.take<T>(s.batch * s.queryHeads * s.queries * s.queryWidth()).data()),
        key(arena.take<T>(s.batch * s.kvHeads * s.keys * s.keyDim).data()),
        value(arena.take<T>(s.batch * s.kvHeads * s.keys * s.valueDim).data()),
        output(arena.take<T>(s.batch * s.queryHeads * s.queries * s.valueDim).data()) {}
};

/// All rows of an input, through its layer, to [B, heads, rows, width]. `map(size, from, layer, to)` multiplies:
/// SplitRows [rows, in] to [rows, out].
template <class T, class Map>
void projectRows(std::size_t batch, const LayerSize& size, const T* from, const LinearLayer<T>& layer, T* to,
                 std::size_t width, Map map) {
  if (size.rows == 0) return;  // however many batch entries there are
  for (std::size_t b = 0; b < batch; ++b, from += size.rows * size.in, to += size.rows * size.out) {
    map(size, SplitRows<const T>::whole(from, size.in), layer, SplitRows<T>::byHead(to, size.rows, width));
  }
}

/// Q and K of all heads.
template <class T, class Map>
void projectQueriesAndKeys(const MultiHeadShape& shape, const MultiHeadInputs<T>& inputs, T* query, T* key, Map map) {
  const Shape& s = shape.attention;
  const LayerSizes sizes(shape);
  projectRows(s.batch, sizes.query, inputs.x, inputs.query, query, s.queryWidth(), map);
  projectRows(s.batch, sizes.key, inputs.context, inputs.key, key, s.keyDim, map);
}

/// Q, K and V of all heads.
template <class T, class Map>
void projectInputs(const MultiHeadShape& shape, const MultiHeadInputs<T>& inputs, const ProjectedHeads<T>& heads,
                   Map map) {
  const Shape& s = shape.attention;
  projectQueriesAndKeys(shape, inputs, heads.query, heads.key, map);
  projectRows(s.batch, LayerSizes(shape).value, inputs.contextValues, inputs.value, heads.value, s.valueDim, map);
}

/// output = [head₀, head₁, …], times the output's weights if it has some.
template <class T, class Map>
void projectOutput(const MultiHeadShape& shape, const LinearLayer<T>& layer, const T* heads, T* output, Map map) {
  const Shape& s = shape.attention;
  const LayerSize size = LayerSizes(shape).output;
  if (size.rows == 0) return;
  for (std::size_t b = 0; b < s.batch; ++b, heads += size.rows * size.in) {
    const auto from = SplitRows<const T>::byHead(heads, s.queries, s.valueDim);
    if (shape.outputWidth != 0) {
      map(size, from, layer, SplitRows<T>::whole(output + b * size.rows * size.out, size.out));
      continue;
    }
    T* const joined = output + b * size.rows * size.in;
    for (std::size_t i = 0; i < size.rows; ++i) {
      for (std::size_t c = 0; c < size.in; ++c) joined[i * size.in + c] = *from.at(i, c);
    }
  }
}

}  // namespace attn
