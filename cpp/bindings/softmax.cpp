#include "attn/softmax.h"

#include <emscripten/bind.h>

#include "workspace.h"

namespace attn::bindings {
namespace {

void runSoftmax(Address x, std::size_t rows, std::size_t columns, std::uint8_t precision, bool stable, Address y) {
  softmax(at<const float>(x), rows, columns, at<float>(y), {static_cast<Precision>(precision), stable});
}

}  // namespace

EMSCRIPTEN_BINDINGS(softmax) { emscripten::function("_softmax", &runSoftmax); }

}  // namespace attn::bindings
