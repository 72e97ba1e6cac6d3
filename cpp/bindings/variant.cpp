#include <emscripten/bind.h>

#include "tiled/kernel/rounding.h"

namespace attn::bindings {
namespace {

/// Whether this module was compiled with 128-bit SIMD.
bool simd() {
#ifdef __wasm_simd128__
  return true;
#else
  return false;
#endif
}

}  // namespace

EMSCRIPTEN_BINDINGS(variant) {
  emscripten::function("_simd", &simd);
  emscripten::function("_relaxed", &tiled::machineDecidesRounding);
}

}  // namespace attn::bindings
