#include "attn/row_sums.h"

#include <emscripten/bind.h>

#include "workspace.h"

namespace attn::bindings {
namespace {

void runRowSums(Address matrix, std::size_t rows, std::size_t columns, Address sums) {
  rowSums(at<const double>(matrix), rows, columns, at<double>(sums));
}

}  // namespace

EMSCRIPTEN_BINDINGS(row_sums) { emscripten::function("_rowSums", &runRowSums); }

}  // namespace attn::bindings
