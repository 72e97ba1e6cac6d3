#include "attn/scores.h"

#include "attn/exact_size.h"
#include "exact_scores.h"
#include "score_rows.h"
#include "scoring/given.h"
#include "scoring/head_vectors.h"
#include "validate.h"

namespace attn {

std::uint64_t scoresWorkingBytes(const Shape& shape, const Options& options) {
  const scoring::Projection projection(shape, options.scoring);
  return sumOf({Arena::paddedBytes<double>(shape.keys), Arena::paddedBytes<std::uint8_t>(shape.keys),
                scoring::HeadVectors::workingBytes(shape, projection)});
}

Status scores(const Shape& shape, const TensorInputs<float>& inputs, const Options& options, float* scores,
              Arena& arena) {
  return scoreRows(shape, inputs, options, {0, shape.batch * shape.queryHeads * shape.queries}, scores, arena);
}

Status scoreRows(const Shape& whole, const TensorInputs<float>& inputs, const Options& options, Rows rows,
                 float* scores, Arena& arena) {
  if (const Status status = check(whole, sizeof(float), true); status != Status::ok) return status;
  if (const Status status = check(whole, options); status != Status::ok) return status;
  if (!whole.hasCells()) return Status::ok;
  const Shape shape = scoring::shapeRead(whole, options.scoring);

  const Arena::Scope scope(arena);
  if (!arena.reserve(scoresWorkingBytes(whole, options))) return Status::outOfMemory;
  const std::size_t nk = shape.keys;
  const auto row = arena.take<double>(nk);
  const auto visible = arena.take<std::uint8_t>(nk);

  const ExactScores exact(shape, options, inputs.bias);
  const scoring::Projection projection(shape, options.scoring);
  scoring::HeadVectors vectors(shape, projection, arena);
  for (std::size_t r = rows.first; r < rows.last; ++r) {
    const std::size_t b = r / shape.queries / shape.queryHeads;
    const std::size_t h = r / shape.queries % shape.queryHeads;
    const std::size_t i = r % shape.queries;
    const std::size_t kvHead = b * shape.kvHeads + shape.kvHeadOf(h);
    const auto keyAt = [&](std::size_t j) { return inputs.key + (kvHead * nk + j) * shape.keyDim; };
    vectors.setKeys(kvHead, keyAt);
    const scoring::RowProducts products = vectors.products(b, h, i, inputs.query + r * shape.queryWidth());
    exact.row(b, h, i, [&](std::size_t j) { return products.at(j, keyAt); }, row.data(), visible.data());
    for (std::size_t j = 0; j < nk; ++j) scores[r * nk + j] = static_cast<float>(row[j]);
  }
  return Status::ok;
}

}  // namespace attn
