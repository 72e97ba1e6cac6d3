#pragma once

#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

/// `invalidOptions` if blocks have no extent.
[[nodiscard]] Status check(const MaskOptions& options);

/// As above, and if scale or softcap is not finite or softcap not positive.
[[nodiscard]] Status check(const Options& options);

}  // namespace attn
