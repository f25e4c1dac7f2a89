// Formats predictions of networks on devices: rankings as JSON, CSV and text
// for a terminal. The command line and the HTTP API print the same JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/cluster_node.h"
#include "predict/latency_predictor.h"
#include "predict/question.h"
#include "predict/rank_devices.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// "latency", "throughput", "energy".
std::string_view ToString(Objective objective);
// Fails with kInvalidInput and lists the valid names.
Result<Objective> ParseObjective(std::string_view name);

// Printed with every answer of the bundled predictors.
inline constexpr std::string_view kBundledHint =
    "these predictors are bundled with mete and have not seen your devices; "
    "measure them with mete collect, then run mete train latency";

// One network and the devices ranked for it.
struct NetworkAnswer {
  NetworkQuestion question;
  Ranking ranking;
};

// Rankings of all networks of one request, and the data they were made from.
struct Answers {
  Objective objective = Objective::kLatency;
  int64_t batch = 1;
  PredictorSet predictors;
  NodeSnapshot nodes;  // DeviceAnswer::node is an index into these
  std::vector<NetworkAnswer> networks;
};

// Ranks the nodes for every question.
Answers AnswerAll(const PredictorSet& predictors, NodeSnapshot nodes,
                  std::vector<NetworkQuestion> questions, Objective objective,
                  int64_t batch);

// docs/reference/predict.md lists the keys.
Json AnswersToJson(const Answers& answers);
// At most 80 columns wide: the best device first, then the ranking, then the
// reasons.
std::string AnswersText(const Answers& answers);
// One row for each network and device.
std::string AnswersCsv(const Answers& answers);

}  // namespace mete
