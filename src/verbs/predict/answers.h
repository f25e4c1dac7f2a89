// What is told about networks on devices: rankings as JSON, and as text for a
// terminal. The command line and the HTTP API give the same JSON.
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
// Fails with kInvalidInput and the names there are.
Result<Objective> ParseObjective(std::string_view name);

// Said with every answer of predictors that came with the program.
inline constexpr std::string_view kBundledHint =
    "these predictors came with mete and have not seen your devices; mete "
    "collect measures on them and mete train latency learns from it";

struct NetworkAnswer {
  NetworkQuestion question;
  Ranking ranking;
};

struct Answers {
  Objective objective = Objective::kLatency;
  int64_t batch = 1;
  PredictorSet predictors;
  NodeSnapshot nodes;  // what the rankings point into
  std::vector<NetworkAnswer> networks;
};

// Ranks the nodes for every question.
Answers AnswerAll(const PredictorSet& predictors, NodeSnapshot nodes,
                  std::vector<NetworkQuestion> questions, Objective objective,
                  int64_t batch);

// docs/reference/predict.md lists the keys.
Json AnswersToJson(const Answers& answers);
// At most 80 columns wide: the answer first, then the ranking, then why.
std::string AnswersText(const Answers& answers);
// One row for each network and device.
std::string AnswersCsv(const Answers& answers);

}  // namespace mete
