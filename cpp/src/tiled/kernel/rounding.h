#pragma once

namespace attn::tiled {

/// Whether the machine decides if a·b + c is rounded once or twice in the matrix products and in softmax (relaxed
/// SIMD): the last digits may then differ from one machine to another.
bool machineDecidesRounding();

}  // namespace attn::tiled
