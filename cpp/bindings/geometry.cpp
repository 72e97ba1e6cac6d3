#include "attn/geometry.h"

#include <emscripten/bind.h>

#include "workspace.h"

namespace attn::bindings {
namespace {

void runGeometry(Address query, Address keys, std::size_t keyCount, std::size_t dim, Address queryLength,
                 Address keyLengths, Address dots, Address angles) {
  geometry(at<const double>(query), at<const double>(keys), keyCount, dim, at<double>(queryLength),
           at<double>(keyLengths), at<double>(dots), at<double>(angles));
}

}  // namespace

EMSCRIPTEN_BINDINGS(geometry) { emscripten::function("_geometry", &runGeometry); }

}  // namespace attn::bindings
