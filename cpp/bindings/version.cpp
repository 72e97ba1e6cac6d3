#include "attn/version.h"

#include <emscripten/bind.h>

#include <string>

EMSCRIPTEN_BINDINGS(version) {
  emscripten::function("_version", +[] { return std::string(attn::version()); });
}
