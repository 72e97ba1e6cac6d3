#include <algorithm>

#include "attn/exact_size.h"
#include "attn/reference.h"
#include "reference/score_rows.h"
#include "scoring/given.h"
#include "validate.h"

namespace attn::reference {

std::uint64_t scoresWorkingBytes(const Shape& shape, const Options& options) {
  return sumOf({ScoreRows::workingBytes(shape, options), Arena::paddedBytes<std::uint8_t>(shape.keys)});
}

Status scores(const Shape& whole, const Inputs& inputs, const Options& options, double* scores, Arena& arena) {
  if (const Status status = check(whole, sizeof(double), true); status != Status::ok) return status;
  if (const Status status = check(whole, options); status != Status::ok) return status;
  if (!whole.hasCells()) return Status::ok;
  const Shape shape = scoring::shapeRead(whole, options.scoring);

  const Arena::Scope scope(arena);
  if (!arena.reserve(scoresWorkingBytes(whole, options))) return Status::outOfMemory;
  ScoreRows rows(shape, options, inputs.bias, arena);
  const auto visible = arena.take<std::uint8_t>(shape.keys);

  const double* query = inputs.query;
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t h = 0; h < shape.queryHeads; ++h) {
      rows.setKeys(inputs.key + (b * shape.kvHeads + shape.kvHeadOf(h)) * shape.keys * shape.keyDim);
      for (std::size_t i = 0; i < shape.queries; ++i, query += shape.queryWidth(), scores += shape.keys) {
        rows.row(b, h, i, query, scores, visible.data());
      }
    }
  }
  return Status::ok;
}

}  // namespace attn::reference
