#pragma once

#include <string_view>

namespace attn {

/// Version of the package this library was built from, e.g. "0.1.0".
std::string_view version() noexcept;

}  // namespace attn
