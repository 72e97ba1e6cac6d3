#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace attn::test::conformance {

/// Numbers or flags, row-major; rank 0 is one of them.
struct Tensor {
  std::vector<std::size_t> sizes;
  std::vector<double> values;

  template <class T>
  [[nodiscard]] std::vector<T> as() const {
    std::vector<T> result;
    result.reserve(values.size());
    for (const double value : values) result.push_back(static_cast<T>(value));
    return result;
  }
};

using Tensors = std::map<std::string, Tensor>;

/// One call, by the names that the JavaScript API has for methods, arguments and results.
struct Call {
  std::string method;
  Tensors inputs;
  Tensors options;
  std::map<std::string, std::string> choices;  ///< options that are words
  Tensors expected;

  [[nodiscard]] const Tensor* option(const std::string& name) const {
    const auto place = options.find(name);
    return place == options.end() ? nullptr : &place->second;
  }
  [[nodiscard]] bool flag(const std::string& name) const {
    const Tensor* const value = option(name);
    return value != nullptr && value->values[0] != 0;
  }
};

struct Case {
  std::string name;
  std::string op;
  std::string kind;  ///< "engine": in float32; "reference": in float64
  double rtol;
  double atol;
  bool refused;
  std::vector<Call> calls;
};

struct Collection {
  std::vector<Case> cases;
  std::map<std::pair<std::string, std::string>, int> counts;  ///< by kind and op: cases that have to pass
};

/// What tests/conformance/to-text.mjs wrote.
[[nodiscard]] Collection readCases(const char* file);

}  // namespace attn::test::conformance
