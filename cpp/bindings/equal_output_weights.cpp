#include "attn/equal_output_weights.h"

#include <emscripten/bind.h>

#include "workspace.h"

namespace attn::bindings {
namespace {

Address prepareEqualOutputWeights(std::size_t keys, std::size_t valueDim, double bytes) {
  return reserve(bytes, equalOutputWeightsWorkingBytes(keys, valueDim));
}

/// `found` becomes whether there are others, whether they are the farthest, and their distance.
std::uint8_t runEqualOutputWeights(Address weights, Address values, Address allow, std::size_t keys,
                                   std::size_t valueDim, Address others, Address output, Address found) {
  const EqualOutputWeights result =
      equalOutputWeights(at<const double>(weights), at<const double>(values), at<const std::uint8_t>(allow), keys,
                         valueDim, at<double>(others), at<double>(output), workspace());
  auto* const numbers = at<double>(found);
  numbers[0] = result.exists ? 1 : 0;
  numbers[1] = result.farthest ? 1 : 0;
  numbers[2] = result.distance;
  return static_cast<std::uint8_t>(result.status);
}

}  // namespace

EMSCRIPTEN_BINDINGS(equal_output_weights) {
  emscripten::function("_prepareEqualOutputWeights", &prepareEqualOutputWeights);
  emscripten::function("_equalOutputWeights", &runEqualOutputWeights);
}

}  // namespace attn::bindings
