// mete predict --check: runs the networks on the devices that are here and sets
// what was measured beside what was predicted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "predict/answers.h"

namespace mete {

struct CheckedPrediction {
  std::string network;
  std::string device;
  Estimate predicted;   // seconds
  double measured = 0;  // mean of the run
  double load = 0;      // measured during the run

  double off() const { return predicted.value / measured - 1; }
  bool inside() const {
    return predicted.low <= measured && measured <= predicted.high;
  }
};

struct CheckRequest {
  const Answers& answers;  // of latency or throughput
  // Of the networks answered about, in their order.
  const std::vector<std::string>& paths;
  double load = 0;  // to make beside the networks
};

// Devices that are not here are passed over; what ran before under the same
// load is not run again. Fails when nothing could be checked.
Result<std::vector<CheckedPrediction>> CheckPredictions(
    Invocation& invocation, const CheckRequest& request);

std::string ChecksText(const std::vector<CheckedPrediction>& checks);
// A line for each, with the prediction's interval.
std::string ChecksCsv(const std::vector<CheckedPrediction>& checks);
Json ChecksToJson(const std::vector<CheckedPrediction>& checks);

}  // namespace mete
