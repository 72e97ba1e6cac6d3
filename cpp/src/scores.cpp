#include "attn/scores.h"

#include "attn/exact_size.h"
#include "exact_scores.h"
#include "validate.h"

namespace attn {

std::uint64_t scoresWorkingBytes(const Shape& shape) {
  return sumOf({Arena::paddedBytes<double>(shape.keys), Arena::paddedBytes<std::uint8_t>(shape.keys)});
}

Status scores(const Shape& shape, const TensorInputs<float>& inputs, const Options& options, float* scores,
              Arena& arena) {
  if (const Status status = check(shape, sizeof(float), true); status != Status::ok) return status;
  if (const Status status = check(options); status != Status::ok) return status;
  if (!shape.hasCells()) return Status::ok;

  const Arena::Scope scope(arena);
  if (!arena.reserve(scoresWorkingBytes(shape))) return Status::outOfMemory;
  const std::size_t nk = shape.keys;
  const auto row = arena.take<double>(nk);
  const auto visible = arena.take<std::uint8_t>(nk);

  const ExactScores exact(shape, options, inputs.bias);
  const float* query = inputs.query;
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t h = 0; h < shape.queryHeads; ++h) {
      const float* const keys = inputs.key + (b * shape.kvHeads + shape.kvHeadOf(h)) * nk * shape.keyDim;
      for (std::size_t i = 0; i < shape.queries; ++i, query += shape.keyDim, scores += nk) {
        exact.row(b, h, i, query, keys, row.data(), visible.data());
        for (std::size_t j = 0; j < nk; ++j) scores[j] = static_cast<float>(row[j]);
      }
    }
  }
  return Status::ok;
}

}  // namespace attn
