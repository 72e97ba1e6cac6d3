#pragma once

#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

/// `invalidOptions` if blocks have no extent.
[[nodiscard]] Status check(const MaskOptions& options);

/// As above, and if scale or softcap is not finite or softcap not positive.
[[nodiscard]] Status check(const Options& options);

/// `invalidOptions` if a parameter is missing or b not finite; `invalidShape` if queries and keys that are
/// multiplied with each other differ in width.
[[nodiscard]] Status check(const Shape& shape, const Scoring& scoring);

/// All that options have to meet in a call of this shape.
[[nodiscard]] Status check(const Shape& shape, const Options& options);

/// As above, and `invalidOptions` for a scoring whose gradient is not known.
[[nodiscard]] Status checkDifferentiable(const Shape& shape, const Options& options);

}  // namespace attn
