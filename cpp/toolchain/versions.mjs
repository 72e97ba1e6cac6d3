// What the project needs and from where: the one place to change when a version moves.

/** The first Emscripten whose ES modules load in Node and whose relaxed-SIMD opcodes engines accept. */
export const emscriptenVersion = '3.1.69';

/** Major version of the LLVM that this Emscripten expects. */
export const llvmVersion = 19;

/** The Debian release whose packages hold the versions above. */
export const debianRelease = 'trixie';
export const debianReleaseNumber = 13;

/** Counts changes to how the private folder is put together; part of its name. */
const recipe = 2;
export const toolchainKey = `toolchain-${emscriptenVersion}-${recipe}`;

/** Header-only libraries: the file that shows each is there. */
export const headerLibraries = {
  xtensor: 'xtensor/xarray.hpp',
  xtl: 'xtl/xtl_config.hpp',
  hwy: 'hwy/highway.h',
};

export const headerPackages = ['libxtensor-dev', 'xtl-dev', 'libhwy-dev'];

/** Source package of the C++ test framework; sources, because it is compiled natively and to WebAssembly. */
export const testFramework = 'catch2';

/** Emscripten with everything it runs on, the C library included, so that it works on an older Debian. */
export const emscriptenPackages = ['emscripten', 'binaryen', 'node-acorn', 'libc6', 'libstdc++6', 'libgcc-s1'];
