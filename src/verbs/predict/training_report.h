// Formats the results of training as text for a terminal, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "predict/train_latency.h"
#include "support/json_fwd.h"

namespace mete {

// "random folds", "unseen network", "unseen device".
std::string_view ToString(Protocol protocol);

// One table for each protocol, at most 80 columns wide, then the most important
// columns.
std::string TrainingText(const Trained& trained);
std::string TrainingCsv(const Trained& trained);
Json TrainingToJson(const Trained& trained);

// One line for each run of the unseen-network protocol: network, device, load,
// measured and predicted value.
std::string HeldOutCsv(std::span<const LatencyRow> rows, const HeldOut& held);

// Rows of {"predictor", "protocol", "errors", "coverage"}.
Json ValidationsToJson(const std::vector<Validation>& validations);

}  // namespace mete
