#include "tiled/kernel/rounding.h"

namespace attn::tiled {

bool machineDecidesRounding() {
#ifdef __wasm_relaxed_simd__
  return true;
#else
  return false;
#endif
}

}  // namespace attn::tiled
