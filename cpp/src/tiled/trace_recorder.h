#pragma once

#include <cstddef>

#include "attn/shape.h"
#include "attn/trace.h"
#include "tiled/plan.h"

namespace attn::tiled {

/// One row's part of a trace.
struct RowTrace {
  double* max;     ///< [tiles]
  double* sum;     ///< [tiles]
  double* output;  ///< [tiles, dv]
};

/// Where in a trace things belong.
class TraceRecorder {
 public:
  TraceRecorder(const Shape& shape, const Plan& plan, const Trace& trace) : shape_(shape), plan_(plan), trace_(trace) {}

  [[nodiscard]] bool isWanted() const { return trace_.visited != nullptr; }

  /// Whether the tile whose first query is `query` was gone through.
  void setVisited(std::size_t b, std::size_t h, std::size_t query, std::size_t keyTile, bool visited) const {
    const std::size_t queryTile = (b * shape_.queryHeads + h) * plan_.queryTiles + query / plan_.queries;
    trace_.visited[queryTile * plan_.keyTiles + keyTile] = static_cast<std::uint8_t>(visited);
  }

  [[nodiscard]] RowTrace row(std::size_t b, std::size_t h, std::size_t i) const {
    const std::size_t first = ((b * shape_.queryHeads + h) * shape_.queries + i) * plan_.keyTiles;
    return {trace_.max + first, trace_.sum + first, trace_.output + first * shape_.valueDim};
  }

 private:
  const Shape& shape_;
  const Plan& plan_;
  Trace trace_;
};

}  // namespace attn::tiled
