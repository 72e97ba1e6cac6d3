#include "conformance/cases.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace attn::test::conformance {
namespace {

/// Like >>, but for infinities and NaN as well.
double readNumber(std::istream& from) {
  std::string word;
  from >> word;
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0') throw std::runtime_error("expected a number, got \"" + word + '"');
  return value;
}

Tensor readTensor(std::istream& from) {
  std::size_t rank = 0;
  from >> rank;
  Tensor tensor;
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::size_t size = 0;
    from >> size;
    tensor.sizes.push_back(size);
    count *= size;
  }
  for (std::size_t i = 0; i < count; ++i) tensor.values.push_back(readNumber(from));
  return tensor;
}

Case readCase(const std::string& name, std::istream& from) {
  Case result;
  std::string verdict;
  result.name = name;
  from >> result.op >> result.kind;
  result.rtol = readNumber(from);
  result.atol = readNumber(from);
  from >> verdict;
  result.refused = verdict == "refused";
  return result;
}

}  // namespace

Collection readCases(const char* file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(std::string("cannot read ") + file);
  Collection result;
  for (std::string text; std::getline(in, text);) {
    std::istringstream line(text);
    std::string kind;
    std::string name;
    line >> kind >> name;
    if (kind == "case") {
      result.cases.push_back(readCase(name, line));
    } else if (kind == "count") {
      std::string op;
      line >> op >> result.counts[{name, op}];
    } else if (kind == "call") {
      result.cases.back().calls.push_back({name, {}, {}, {}, {}});
    } else {
      Call& call = result.cases.back().calls.back();
      if (kind == "choice") {
        line >> call.choices[name];
      } else if (kind == "input") {
        call.inputs[name] = readTensor(line);
      } else if (kind == "option") {
        call.options[name] = readTensor(line);
      } else if (kind == "expect") {
        call.expected[name] = readTensor(line);
      } else {
        throw std::runtime_error("unknown line: " + kind);
      }
    }
  }
  return result;
}

}  // namespace attn::test::conformance
