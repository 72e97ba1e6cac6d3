#pragma once

#include <optional>

#include "conformance/cases.h"

/// The C++ API under the names that the cases call it by. Results by name; nothing if the call is refused.
namespace attn::test::conformance {

[[nodiscard]] std::optional<Tensors> attention(const Call& call);
[[nodiscard]] std::optional<Tensors> referenceAttention(const Call& call);
[[nodiscard]] std::optional<Tensors> scores(const Call& call);
[[nodiscard]] std::optional<Tensors> referenceScores(const Call& call);
[[nodiscard]] std::optional<Tensors> mask(const Call& call);
[[nodiscard]] std::optional<Tensors> kvCache(const Call& call);
[[nodiscard]] std::optional<Tensors> multiHeadAttention(const Call& call);
[[nodiscard]] std::optional<Tensors> referenceMultiHeadAttention(const Call& call);
[[nodiscard]] std::optional<Tensors> linearAttention(const Call& call);
[[nodiscard]] std::optional<Tensors> referenceLinearAttention(const Call& call);

}  // namespace attn::test::conformance
