# Warnings for our own sources; libraries are included as system headers and stay silent.
add_library(attn-warnings INTERFACE)
target_compile_options(attn-warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
