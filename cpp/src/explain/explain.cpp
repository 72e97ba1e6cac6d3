#include "attn/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "attn/exact_size.h"
#include "reference/single_row.h"
#include "validate.h"

namespace attn::explain {

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

double distance(const double* a, const double* b, std::size_t width) {
  double sum = 0;
  for (std::size_t c = 0; c < width; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return std::sqrt(sum);
}

/// One row, with all its keys and then without each.
class RowWithout {
 public:
  static std::uint64_t workingBytes(const Shape& shape) {
    return sumOf({Arena::paddedBytes<double>(shape.keys), Arena::paddedBytes<double>(shape.valueDim),
                  Arena::paddedBytes<std::uint8_t>(shape.keys)});
  }

  RowWithout(const Shape& shape, Arena& arena)
      : arena_(arena),
        scores_(arena.take<double>(shape.keys)),
        output_(arena.take<double>(shape.valueDim)),
        allow_(arena.take<std::uint8_t>(shape.keys)) {}

  /// without [nk, dv], difference [nk] or null
  Status compute(reference::SingleRow row, double* without, double* difference) {
    Status status =
        reference::attention(row.shape, row.inputs, row.options, {output_.data(), nullptr, scores_.data()}, arena_);
    // The visible cells, so that the mask they replace is among them.
    for (std::size_t j = 0; j < allow_.size(); ++j) allow_[j] = static_cast<std::uint8_t>(scores_[j] != kMinusInfinity);
    row.options.mask.allow = {allow_.data(), {0, 0, 0, 1}};
    for (std::size_t j = 0; j < allow_.size() && status == Status::ok; ++j, without += output_.size()) {
      if (allow_[j] == 0) {
        std::ranges::copy(output_, without);
      } else {
        allow_[j] = 0;
        status = reference::attention(row.shape, row.inputs, row.options, {without}, arena_);
        allow_[j] = 1;
      }
      if (difference == nullptr) continue;
      difference[j] = allow_[j] == 0 ? 0 : distance(without, output_.data(), output_.size());
    }
    return status;
  }

  [[nodiscard]] std::span<const double> output() const { return output_; }

 private:
  Arena& arena_;
  std::span<double> scores_;
  std::span<double> output_;
  std::span<std::uint8_t> allow_;
};

}  // namespace

std::uint64_t leaveOneOutWorkingBytes(const Shape& shape, const Options& options) {
  return sumOf({RowWithout::workingBytes(shape), reference::workingBytes(shape, options)});
}

Status leaveOneOut(const Shape& shape, const reference::Inputs& inputs, const Options& options,
                   const LeaveOneOutOutputs& outputs, Arena& arena) {
  const auto& [batch, queryHeads, kvHeads, nq, nk, dk, dv, d] = shape;
  if (const Status status = check(shape, sizeof(double), true); status != Status::ok) return status;
  if (const Status status = check(shape, options); status != Status::ok) return status;
  if (productOf({batch, queryHeads, nq, nk, dv, sizeof(double)}) > std::numeric_limits<std::ptrdiff_t>::max()) {
    return Status::tooLarge;
  }
  if (!shape.hasRows()) return Status::ok;

  const Arena::Scope scope(arena);
  if (!arena.reserve(leaveOneOutWorkingBytes(shape, options))) return Status::outOfMemory;
  RowWithout row(shape, arena);
  for (std::size_t r = 0; r < batch * queryHeads * nq; ++r) {
    const std::size_t head = r / nq;
    const Status status = row.compute(
        reference::SingleRow(shape, inputs, options, head / queryHeads, head % queryHeads, r % nq),
        outputs.without + r * nk * dv, outputs.difference == nullptr ? nullptr : outputs.difference + r * nk);
    if (status != Status::ok) return status;
    if (outputs.output != nullptr) std::ranges::copy(row.output(), outputs.output + r * dv);
  }
  return Status::ok;
}

std::uint64_t replaceValueWorkingBytes(const Shape& shape, const Options& options) {
  return sumOf({Arena::paddedBytes<double>(productOf({shape.batch, shape.kvHeads, shape.keys, shape.valueDim})),
                Arena::paddedBytes<double>(productOf({shape.batch, shape.queryHeads, shape.queries, shape.valueDim})),
                reference::workingBytes(shape, options)});
}

Status replaceValue(const Shape& shape, const reference::Inputs& inputs, std::size_t key, const double* value,
                    const Options& options, const ReplaceValueOutputs& outputs, Arena& arena) {
  const auto& [batch, queryHeads, kvHeads, nq, nk, dk, dv, d] = shape;
  if (const Status status = check(shape, sizeof(double), false); status != Status::ok) return status;
  if (const Status status = check(shape, options); status != Status::ok) return status;
  if (key >= nk) return Status::invalidShape;

  const Arena::Scope scope(arena);
  if (!arena.reserve(replaceValueWorkingBytes(shape, options))) return Status::outOfMemory;
  const auto values = arena.take<double>(batch * kvHeads * nk * dv);
  const auto before = arena.take<double>(batch * queryHeads * nq * dv);
  std::copy_n(inputs.value, values.size(), values.begin());
  for (std::size_t head = 0; head < batch * kvHeads; ++head) {
    std::copy_n(value + head * dv, dv, &values[(head * nk + key) * dv]);
  }
  if (const Status status = reference::attention(shape, inputs, options, {before.data()}, arena);
      status != Status::ok) {
    return status;
  }
  reference::Inputs replaced = inputs;
  replaced.value = values.data();
  const Status status = reference::attention(shape, replaced, options, {outputs.after}, arena);
  if (outputs.output != nullptr) std::ranges::copy(before, outputs.output);
  if (outputs.difference != nullptr) {
    for (std::size_t r = 0; r < batch * queryHeads * nq; ++r) {
      outputs.difference[r] = distance(outputs.after + r * dv, &before[r * dv], dv);
    }
  }
  return status;
}

Status gradient(const Shape& shape, const reference::Inputs& inputs, const double* direction, const Options& options,
                const GradientOutputs& outputs, Arena& arena) {
  const reference::CellGradients cells{outputs.weights, outputs.scores};
  if (cells.weights != nullptr || cells.scores != nullptr) {
    if (const Status status = check(shape, sizeof(double), true); status != Status::ok) return status;
  }
  return reference::attentionBackward(shape, inputs, direction, options, outputs.inputs, arena, cells);
}

}  // namespace attn::explain
