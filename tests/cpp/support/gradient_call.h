#pragma once

#include <vector>

#include "attn/backward.h"
#include "support/call.h"

namespace attn::test {

/// Gradients by the kernel, or by the reference in float64.
template <class T>
struct GradientResult {
  std::vector<T> query;
  std::vector<T> key;
  std::vector<T> value;
  Report report;
};

[[nodiscard]] GradientResult<float> gradientsOf(const Call& call, const std::vector<float>& dOutput);
[[nodiscard]] GradientResult<double> referenceGradientsOf(const Call& call, const std::vector<float>& dOutput);

/// As many numbers as the output has.
[[nodiscard]] std::vector<float> randomOutputGradient(const Call& call, std::uint64_t seed);

/// Fails the running test with the call's description unless kernel and reference agree, within the
/// error that attn/backward.h states.
void checkGradientsAgainstReference(const Call& call, const std::vector<float>& dOutput);

}  // namespace attn::test
