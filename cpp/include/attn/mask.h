#pragma once

#include <cstdint>

#include "attn/options.h"
#include "attn/shape.h"
#include "attn/status.h"

namespace attn {

/// The boolean mask that these options mean: `cells` [B, Hq, nq, nk], 1 = may attend, 0 = masked.
/// Of the shape, the widths are not used. (A bias of −∞ forbids too, but is a score, not a mask.)
[[nodiscard]] Status visibleCells(const Shape& shape, const MaskOptions& options, std::uint8_t* cells);

}  // namespace attn
