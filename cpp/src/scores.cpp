#include "attn/scores.h"

#include "attn/exact_size.h"
#include "exact_scores.h"
#include "score_rows.h"
#include "validate.h"

namespace attn {

std::uint64_t scoresWorkingBytes(const Shape& shape) {
  return sumOf({Arena::paddedBytes<double>(shape.keys), Arena::paddedBytes<std::uint8_t>(shape.keys)});
}

Status scores(const Shape& shape, const TensorInputs<float>& inputs, const Options& options, float* scores,
              Arena& arena) {
  return scoreRows(shape, inputs, options, {0, shape.batch * shape.queryHeads * shape.queries}, scores, arena);
}

Status scoreRows(const Shape& shape, const TensorInputs<float>& inputs, const Options& options, Rows rows,
                 float* scores, Arena& arena) {
  if (const Status status = check(shape, sizeof(float), true); status != Status::ok) return status;
  if (const Status status = check(options); status != Status::ok) return status;
  if (!shape.hasCells()) return Status::ok;

  const Arena::Scope scope(arena);
  if (!arena.reserve(scoresWorkingBytes(shape))) return Status::outOfMemory;
  const std::size_t nk = shape.keys;
  const auto row = arena.take<double>(nk);
  const auto visible = arena.take<std::uint8_t>(nk);

  const ExactScores exact(shape, options, inputs.bias);
  for (std::size_t r = rows.first; r < rows.last; ++r) {
    const std::size_t b = r / shape.queries / shape.queryHeads;
    const std::size_t h = r / shape.queries % shape.queryHeads;
    const float* const keys = inputs.key + (b * shape.kvHeads + shape.kvHeadOf(h)) * nk * shape.keyDim;
    const auto keyAt = [&](std::size_t j) { return keys + j * shape.keyDim; };
    exact.row(b, h, r % shape.queries, inputs.query + r * shape.keyDim, keyAt, row.data(), visible.data());
    for (std::size_t j = 0; j < nk; ++j) scores[r * nk + j] = static_cast<float>(row[j]);
  }
  return Status::ok;
}

}  // namespace attn
