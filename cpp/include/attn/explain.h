#pragma once

#include <cstddef>
#include <cstdint>

#include "attn/arena.h"
#include "attn/backward.h"
#include "attn/options.h"
#include "attn/reference.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn::explain {

// What an output depends on, asked in three ways that need not agree with the weights (Jain and Wallace,
// "Attention is not explanation", 2019; Wiegreffe and Pinter, "Attention is not not explanation", 2019). All in
// float64 with the rules of attn::reference; equal_output_weights.h asks a fourth way.

/// `without` is required, null means "not wanted" for the others.
struct LeaveOneOutOutputs {
  double* output = nullptr;      ///< [B, Hq, nq, dv], with all keys
  double* without = nullptr;     ///< [B, Hq, nq, nk, dv]: the output if key j were masked for that query
  double* difference = nullptr;  ///< [B, Hq, nq, nk]: |without − output|₂; 0 where key j is masked anyway
};

[[nodiscard]] std::uint64_t leaveOneOutWorkingBytes(const Shape& shape, const Options& options);

/// The output of every query without each key in turn (Jain and Wallace 2019, section 4.1): the same call with
/// that one cell masked. The other weights grow so that they sum to 1 again. Takes nk times as long as attention.
[[nodiscard]] Status leaveOneOut(const Shape& shape, const reference::Inputs& inputs, const Options& options,
                                 const LeaveOneOutOutputs& outputs, Arena& arena);

/// `after` is required, null means "not wanted" for the others.
struct ReplaceValueOutputs {
  double* output = nullptr;      ///< [B, Hq, nq, dv], before
  double* after = nullptr;       ///< [B, Hq, nq, dv]
  double* difference = nullptr;  ///< [B, Hq, nq]: |after − output|₂
};

[[nodiscard]] std::uint64_t replaceValueWorkingBytes(const Shape& shape, const Options& options);

/// The output once key `key` has another value, given for every batch entry and key/value head: `value`
/// [B, Hk, dv]. The weights stay what they are, so the output moves by wᵢ,key · (new − old). `invalidShape` if
/// there is no such key.
[[nodiscard]] Status replaceValue(const Shape& shape, const reference::Inputs& inputs, std::size_t key,
                                  const double* value, const Options& options, const ReplaceValueOutputs& outputs,
                                  Arena& arena);

/// Where gradients of Σ direction · output go; null means "not wanted" for the last two.
struct GradientOutputs {
  reference::Gradients inputs;
  double* weights = nullptr;  ///< [B, Hq, nq, nk]: if weights could be chosen freely; 0 where masked
  double* scores = nullptr;   ///< [B, Hq, nq, nk]: of what softmax sees; 0 where masked
};

/// The gradient of Σ direction · output, with `direction` [B, Hq, nq, dv], with respect to queries, keys, values,
/// weights and scores: `reference::attentionBackward` and what lies on its way. Scratch as there.
[[nodiscard]] Status gradient(const Shape& shape, const reference::Inputs& inputs, const double* direction,
                              const Options& options, const GradientOutputs& outputs, Arena& arena);

}  // namespace attn::explain
