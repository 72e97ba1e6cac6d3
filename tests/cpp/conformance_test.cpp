// Cases of other projects (tests/conformance/data) through the C++ API.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <sstream>

#include "conformance/cases.h"
#include "conformance/methods.h"

using namespace attn::test::conformance;

namespace {

using Method = std::function<std::optional<Tensors>(const Call&)>;
using Methods = std::map<std::string, Method>;

/// By kind of case; what has no float64 version is missing from "reference".
const std::map<std::string, Methods>& methodsOf() {
  static const std::map<std::string, Methods> methods{
      {"engine",
       {{"attention", attention},
        {"scores", scores},
        {"mask", mask},
        {"createKvCache", kvCache},
        {"linearAttention", linearAttention},
        {"multiHeadAttention", multiHeadAttention}}},
      {"reference",
       {{"attention", referenceAttention},
        {"scores", referenceScores},
        {"linearAttention", referenceLinearAttention},
        {"multiHeadAttention", referenceMultiHeadAttention}}},
  };
  return methods;
}

bool near(double got, double want, const Case& given) {
  if (std::isnan(want)) return std::isnan(got);
  return got == want || std::fabs(got - want) <= given.atol + given.rtol * std::fabs(want);
}

/// What is wrong with a result, or nothing.
std::string complaint(const std::string& name, const Tensor& got, const Tensor& want, const Case& given) {
  std::ostringstream text;
  if (got.sizes != want.sizes) text << name << ": another shape";
  for (std::size_t i = 0; text.str().empty() && i < want.values.size(); ++i) {
    if (near(got.values[i], want.values[i], given)) continue;
    text.precision(17);
    text << name << ": expected " << want.values[i] << " at " << i << ", got " << got.values[i];
  }
  return text.str();
}

std::string complaint(const Case& given, const Call& call, const Method& method) {
  const std::optional<Tensors> results = method(call);
  if (given.refused) return results ? "expected a refusal" : "";
  if (!results) return "refused";
  for (const auto& [name, want] : call.expected) {
    const auto got = results->find(name);
    if (got == results->end()) return "no " + name;
    std::string problem = complaint(call.method + ": " + name, got->second, want, given);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace

TEST_CASE("the cases of other projects", "[conformance]") {
  const Collection collection = readCases(ATTN_CONFORMANCE_CALLS);
  std::map<std::pair<std::string, std::string>, int> passed;
  for (const Case& given : collection.cases) {
    INFO(given.op << ' ' << given.name << ", " << given.kind);
    const Methods& methods = methodsOf().at(given.kind);
    std::string problem;
    int compared = 0;
    for (const Call& call : given.calls) {
      const auto method = methods.find(call.method);
      if (method == methods.end()) {
        if (given.kind == "engine") problem = "the C++ API has no " + call.method;
        continue;
      }
      if (problem.empty()) problem = complaint(given, call, method->second);
      ++compared;
    }
    if (!problem.empty()) FAIL_CHECK(problem);
    if (problem.empty() && compared > 0) ++passed[{given.kind, given.op}];
  }
  for (const auto& [what, count] : passed) WARN(what.first << ' ' << what.second << ": " << count);
  CHECK(passed == collection.counts);
}
