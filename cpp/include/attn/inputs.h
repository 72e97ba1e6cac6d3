#pragma once

#include "attn/broadcast.h"

namespace attn {

/// What attention is computed from, all of one precision. Layouts as in attn/shape.h; a pointer to an
/// empty tensor may be null.
template <class T>
struct TensorInputs {
  const T* query = nullptr;
  const T* key = nullptr;
  const T* value = nullptr;
  Broadcast<T> bias{};  ///< added to the scores, if given (see attn/options.h); −∞ forbids
};

}  // namespace attn
