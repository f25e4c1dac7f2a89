// Runs networks on the devices that are here and sets what was measured beside
// what was predicted.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "collect/collect.h"
#include "predict/answers.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// One prediction and the run it was checked by.
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
  const Answers& answers;  // of latency or throughput, at batch 1
  // Of the networks answered about, in their order.
  const std::vector<std::string>& paths;
  // To make beside the networks, as it was assumed for the answers. Absent:
  // none was assumed.
  std::optional<double> load;
  bool shapes_given = false;  // sizes of inputs that were not the networks' own
  std::string mete_version;
};

// Devices that are not here are passed over. Fails with kInvalidInput when the
// answers cannot be checked, with kUnavailable when nothing completed, and
// with kInterrupted when it was stopped.
Result<std::vector<CheckedPrediction>> CheckPredictions(
    const CheckRequest& request, const CollectDependencies& needs,
    const CollectCallbacks& callbacks, std::stop_token stop);

std::string ChecksText(const std::vector<CheckedPrediction>& checks);
// A line for each, with the prediction's interval.
std::string ChecksCsv(const std::vector<CheckedPrediction>& checks);
Json ChecksToJson(const std::vector<CheckedPrediction>& checks);

}  // namespace mete
