# What setup.mjs found or installed: ATTN_EMSCRIPTEN, ATTN_HEADERS, ATTN_CATCH2.
include(${CMAKE_CURRENT_LIST_DIR}/../../build/toolchain.cmake OPTIONAL RESULT_VARIABLE ATTN_FOUND)
if(NOT ATTN_FOUND)
  message(FATAL_ERROR "Please run \"node cpp/toolchain/setup.mjs\" once: it finds or installs the compilers and libraries.")
endif()
