#include "attn/mask.h"

#include <emscripten/bind.h>

#include "call.h"

namespace attn::bindings {
namespace {

/// The mask's cells are the call's `output`.
Address prepareMask(double bytes) {
  return prepare(bytes, [](const Call&) { return std::uint64_t{0}; });
}

std::uint8_t runMask() {
  const Call& call = prepared();
  return static_cast<std::uint8_t>(
      visibleCells(call.shape(), call.options().mask, call.at<std::uint8_t>(call.tensors().output)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(mask) {
  emscripten::function("_prepareMask", &prepareMask);
  emscripten::function("_mask", &runMask);
}

}  // namespace attn::bindings
