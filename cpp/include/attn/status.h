#pragma once

#include <cstdint>

namespace attn {

/// What became of a call. The library throws nothing: in a WebAssembly build an exception could
/// not be caught, so even a failed allocation comes back as a value. After any status other than
/// `ok` the outputs are untouched and the next call works.
enum class Status : std::uint8_t {
  ok,
  invalidShape,    ///< a width or head count of 0, or Hq not a multiple of Hk
  invalidOptions,  ///< a scale, softcap or block size outside its documented range
  tooLarge,        ///< a tensor the call reads or writes could not exist in this address space
  outOfMemory,     ///< the scratch memory could not be allocated
};

}  // namespace attn
