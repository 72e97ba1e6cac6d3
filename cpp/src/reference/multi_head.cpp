#include "multi_head/multi_head.h"

#include "attn/reference.h"
#include "validate.h"

namespace attn::reference {

namespace {

/// y = x·W + b, number by number.
void multiply(const LayerSize& size, const SplitRows<const double>& from, const LinearLayer<double>& layer,
              const SplitRows<double>& to) {
  for (std::size_t row = 0; row < size.rows; ++row) {
    for (std::size_t column = 0; column < size.out; ++column) {
      double sum = 0;
      for (std::size_t c = 0; c < size.in; ++c) sum += *from.at(row, c) * layer.weights[c * size.out + column];
      *to.at(row, column) = layer.bias == nullptr ? sum : sum + layer.bias[column];
    }
  }
}

}  // namespace

std::uint64_t multiHeadWorkingBytes(const MultiHeadShape& shape, const Options& options) {
  return sumOf({ProjectedHeads<double>::bytes(shape.attention), workingBytes(shape.attention, options)});
}

Status multiHeadAttention(const MultiHeadShape& shape, const MultiHeadInputs<double>& inputs, const Options& options,
                          const MultiHeadOutputs<double>& outputs, Arena& arena) {
  const bool needsCells = outputs.weights != nullptr || outputs.scores != nullptr;
  if (const Status status = check(shape, sizeof(double), needsCells); status != Status::ok) return status;
  if (const Status status = check(shape.attention, options); status != Status::ok) return status;

  const Arena::Scope scope(arena);
  if (!arena.reserve(multiHeadWorkingBytes(shape, options))) return Status::outOfMemory;
  const ProjectedHeads<double> heads(shape.attention, arena);
  double* const given = outputs.heads == nullptr ? heads.output : outputs.heads;
  projectInputs(shape, inputs, heads, multiply);
  const Status status = attention(shape.attention, {heads.query, heads.key, heads.value, inputs.bias}, options,
                                  {given, outputs.weights, outputs.scores, outputs.logSumExp}, arena);
  if (status == Status::ok)
    projectOutput(shape, inputs.output, static_cast<const double*>(given), outputs.output, multiply);
  return status;
}

Status projectQueriesAndKeys(const MultiHeadShape& shape, const MultiHeadInputs<double>& inputs, double* query,
                             double* key) {
  const Status status = check(shape, sizeof(double), false);
  if (status == Status::ok) attn::projectQueriesAndKeys(shape, inputs, query, key, multiply);
  return status;
}

}  // namespace attn::reference
