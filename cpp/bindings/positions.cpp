#include "attn/positions.h"

#include <emscripten/bind.h>

#include "workspace.h"

namespace attn::bindings {
namespace {

// Positions come as float64, in which JavaScript has them: whole numbers up to 2⁵³ are exact.

void runRope(Address x, std::size_t heads, std::size_t length, std::size_t width, std::size_t dims, double base,
             double offset, bool interleaved, Address y) {
  rope(at<const float>(x), heads, length, width, dims, base, static_cast<std::int64_t>(offset),
       interleaved ? RotaryPairs::interleaved : RotaryPairs::halves, at<float>(y));
}

void runAlibi(std::size_t heads, std::size_t queries, std::size_t keys, double queryOffset, Address bias) {
  alibi(heads, queries, keys, static_cast<std::int64_t>(queryOffset), at<float>(bias));
}

void runSinusoidal(std::size_t length, std::size_t width, double base, double offset, Address y) {
  sinusoidal(length, width, base, static_cast<std::int64_t>(offset), at<float>(y));
}

}  // namespace

EMSCRIPTEN_BINDINGS(positions) {
  emscripten::function("_rope", &runRope);
  emscripten::function("_alibi", &runAlibi);
  emscripten::function("_sinusoidal", &runSinusoidal);
}

}  // namespace attn::bindings
