#include "attn/mask_after_softmax.h"

#include <emscripten/bind.h>

#include "workspace.h"

namespace attn::bindings {
namespace {

void runMaskAfterSoftmax(Address scores, Address allow, std::size_t rows, std::size_t columns, Address weights,
                         Address sums, Address renormalised) {
  maskAfterSoftmax(at<const double>(scores), at<const std::uint8_t>(allow), rows, columns, at<double>(weights),
                   at<double>(sums), at<double>(renormalised));
}

}  // namespace

EMSCRIPTEN_BINDINGS(mask_after_softmax) { emscripten::function("_maskAfterSoftmax", &runMaskAfterSoftmax); }

}  // namespace attn::bindings
