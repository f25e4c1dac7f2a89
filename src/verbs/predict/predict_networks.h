// Which device runs networks best: from questions to ranked devices.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "describe/describe.h"
#include "domain/cluster_node.h"
#include "ports/graph_reader.h"
#include "predict/answers.h"
#include "predict/choose_nodes.h"
#include "predict/latency_predictor.h"
#include "predict/question.h"
#include "support/result.h"

namespace mete {

struct PredictRequest {
  std::vector<NetworkQuestion> networks;
  Objective objective = Objective::kLatency;
  NodeChoice nodes;
  int64_t batch = 1;
};

struct PredictDependencies {
  // Fails with kUnavailable and what to do when there are no predictors.
  std::function<Result<std::shared_ptr<const PredictorSet>>()> predictors;
  std::function<Result<NodeSnapshot>()> nodes;
};

// Nobody measured energy, so it cannot be predicted.
struct NoEnergyPredictor {};
inline constexpr const char* kNoEnergyPredictor =
    "nobody measured energy on these devices, so it cannot be predicted";

// Answers, or what is wrong with the request; front ends word the latter.
using PredictOutcome = std::variant<Answers, NoEnergyPredictor, UnknownNode>;

// Fails as the dependencies do.
Result<PredictOutcome> PredictNetworks(const PredictRequest& request,
                                       const PredictDependencies& needs);

struct NetworkFiles {
  std::vector<std::string> paths;
  std::vector<ShapeOverride> shapes;  // for inputs that leave sizes open
  int64_t batch = 1;
};

// Questions about networks in files, by their traits, in their order. Fails as
// the reader does, and with kInvalidInput when sizes are left open.
Result<std::vector<NetworkQuestion>> AskAboutFiles(const NetworkFiles& files,
                                                   GraphReader& reader);

}  // namespace mete
