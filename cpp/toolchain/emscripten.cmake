# Toolchain file of the wasm presets: Emscripten, wherever setup.mjs found it.
include(${CMAKE_CURRENT_LIST_DIR}/found.cmake)
include(${ATTN_EMSCRIPTEN}/cmake/Modules/Platform/Emscripten.cmake)
