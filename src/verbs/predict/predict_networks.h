// Predicts which device runs a network best: from questions to ranked devices.
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

// The networks to predict, the candidate nodes and the objective.
struct PredictRequest {
  std::vector<NetworkQuestion> networks;
  Objective objective = Objective::kLatency;
  NodeChoice nodes;
  int64_t batch = 1;
};

// The functions that PredictNetworks gets its inputs from.
struct PredictDependencies {
  // Fails with kUnavailable and says what to do when there are no predictors.
  std::function<Result<std::shared_ptr<const PredictorSet>>()> predictors;
  std::function<Result<NodeSnapshot>()> nodes;
};

// Energy cannot be predicted because it was never measured.
struct NoEnergyPredictor {};
inline constexpr const char* kNoEnergyPredictor =
    "energy cannot be predicted: it was not measured on these devices; collect "
    "runs on a device with energy counters, then run mete train latency";

// The answers, or what is wrong with the request. Front ends phrase the error.
using PredictOutcome = std::variant<Answers, NoEnergyPredictor, UnknownNode>;

// Fails when a dependency fails.
Result<PredictOutcome> PredictNetworks(const PredictRequest& request,
                                       const PredictDependencies& needs);

// ONNX files to predict for.
struct NetworkFiles {
  std::vector<std::string> paths;
  // For inputs that leave sizes open. With several files, each applies to the
  // networks that have such an input.
  std::vector<ShapeOverride> shapes;
  // Values for runs that check the predictions ("sr=16000"), chosen likewise.
  std::vector<std::string> inputs{};
  int64_t batch = 1;
};

// Reads the files and makes one question per file, by its traits, in the same
// order. Fails when the reader fails, and with kInvalidInput when sizes are
// left open or no network has the input of a shape or of a value.
Result<std::vector<NetworkQuestion>> AskAboutFiles(const NetworkFiles& files,
                                                   GraphReader& reader);

}  // namespace mete
