// Runs networks on the devices of this machine and compares the measured times
// with the predicted ones.
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

// One prediction and the run that checks it.
struct CheckedPrediction {
  std::string network;
  std::string device;
  Estimate predicted;                    // seconds
  std::optional<double> assumed_load{};  // by the prediction; absent: unknown
  // Mean of the run, in seconds. Absent: the run did not complete.
  std::optional<double> measured{};
  double load = 0;        // measured during the run
  std::string failure{};  // why it did not complete

  // Relative error of the prediction; needs a completed run.
  double off() const { return predicted.value / *measured - 1; }
  // True when the measured time is within the predicted interval.
  bool inside() const {
    return measured && predicted.low <= *measured &&
           *measured <= predicted.high;
  }
};

// The predictions to check and how they were made.
struct CheckRequest {
  const Answers& answers;  // for latency or throughput
  // Files of the predicted networks, in the same order.
  const std::vector<std::string>& paths;
  // Load to generate beside the networks, as assumed for the predictions.
  // Absent: no load was assumed.
  std::optional<double> load;
  // The loads in the answers are those that this machine has anyway, so none is
  // generated.
  bool load_is_present = false;
  std::string mete_version;
};

// Skips devices that are not on this machine. Fails with kInvalidInput when the
// answers cannot be checked, with kUnavailable and the reason when nothing
// completed, and with kInterrupted when stopped.
Result<std::vector<CheckedPrediction>> CheckPredictions(
    const CheckRequest& request, const CollectDependencies& needs,
    const CollectCallbacks& callbacks, std::stop_token stop);

// A table for the terminal.
std::string ChecksText(const std::vector<CheckedPrediction>& checks);
// One line per check, with the prediction's interval.
std::string ChecksCsv(const std::vector<CheckedPrediction>& checks);
Json ChecksToJson(const std::vector<CheckedPrediction>& checks);

}  // namespace mete
