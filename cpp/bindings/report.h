#pragma once

#include <cstdint>

#include "attn/attention.h"
#include "call.h"

namespace attn::bindings {

/// The counts of attn::Report as JavaScript numbers.
struct ReportNumbers {
  std::uint8_t status = 0;
  double flops = 0;
  double tilesVisited = 0;
  double tilesSkipped = 0;
  double workingBytes = 0;
};

[[nodiscard]] inline ReportNumbers numbersOf(const Report& report) {
  return {static_cast<std::uint8_t>(report.status), static_cast<double>(report.flops),
          static_cast<double>(report.tilesVisited), static_cast<double>(report.tilesSkipped),
          static_cast<double>(report.workingBytes)};
}

[[nodiscard]] inline Outputs outputsOf(const Call& call) {
  const CallTensors& places = call.tensors();
  return {call.at<float>(places.output), call.at<float>(places.weights), call.at<float>(places.scores),
          call.at<float>(places.logSumExp), call.trace()};
}

}  // namespace attn::bindings
