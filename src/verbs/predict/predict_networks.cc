#include "predict/predict_networks.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "domain/input_shapes.h"
#include "domain/network_traits.h"

namespace mete {
namespace {

bool HasInput(const Network& network, const std::string& name) {
  return std::ranges::any_of(
      network.graph.inputs,
      [&](const GraphValue& input) { return input.name == name; });
}

// The shapes whose inputs the network has.
std::vector<ShapeOverride> ShapesFor(const Network& network,
                                     const std::vector<ShapeOverride>& all) {
  std::vector<ShapeOverride> own;
  for (const ShapeOverride& shape : all) {
    if (HasInput(network, shape.input)) own.push_back(shape);
  }
  return own;
}

// The values whose inputs the network has. The name comes before "=".
std::vector<std::string> ValuesFor(const Network& network,
                                   const std::vector<std::string>& all) {
  std::vector<std::string> own;
  for (const std::string& value : all) {
    if (HasInput(network, value.substr(0, value.find('=')))) {
      own.push_back(value);
    }
  }
  return own;
}

Result<NetworkQuestion> AskAboutNetwork(const Network& network,
                                        const std::string& path,
                                        const DescribeRequest& request) {
  ASSIGN_OR_RETURN(Characteristics described,
                   Describe(network, request).While("describe " + path));
  RETURN_IF_ERROR(
      CheckBatch(described.inputs, request.batch).While("describe " + path));
  std::string name = std::filesystem::path(path).stem();
  ASSIGN_OR_RETURN(NetworkTraits traits,
                   ComputeTraits(described, name, request.batch).While(path));
  return NetworkQuestion{.name = name,
                         .counts = ToNetworkCounts(traits),
                         .traits = std::move(traits),
                         .shapes = request.shapes};
}

}  // namespace

Result<PredictOutcome> PredictNetworks(const PredictRequest& request,
                                       const PredictDependencies& needs) {
  ASSIGN_OR_RETURN(std::shared_ptr<const PredictorSet> predictors,
                   needs.predictors());
  if (request.objective == Objective::kEnergy && !predictors->energy) {
    return PredictOutcome(NoEnergyPredictor{});
  }
  ASSIGN_OR_RETURN(NodeSnapshot snapshot, needs.nodes());
  auto chosen = ChooseNodes(request.nodes, snapshot.nodes);
  if (auto* unknown = std::get_if<UnknownNode>(&chosen)) {
    return PredictOutcome(std::move(*unknown));
  }
  snapshot.nodes = std::get<std::vector<ClusterNode>>(std::move(chosen));
  return PredictOutcome(AnswerAll(*predictors, std::move(snapshot),
                                  request.networks, request.objective,
                                  request.batch));
}

Result<std::vector<NetworkQuestion>> AskAboutFiles(const NetworkFiles& files,
                                                   GraphReader& reader) {
  DescribeRequest request{
      .shapes = files.shapes, .batch = files.batch, .layers = true};
  const bool several = files.paths.size() > 1;
  std::set<std::string> used;  // inputs and values
  std::vector<NetworkQuestion> questions;
  for (const std::string& path : files.paths) {
    ASSIGN_OR_RETURN(Network network, reader.Read(path));
    if (several) request.shapes = ShapesFor(network, files.shapes);
    ASSIGN_OR_RETURN(NetworkQuestion question,
                     AskAboutNetwork(network, path, request));
    question.inputs = several ? ValuesFor(network, files.inputs) : files.inputs;
    used.insert(question.inputs.begin(), question.inputs.end());
    for (const ShapeOverride& shape : question.shapes) used.insert(shape.input);
    questions.push_back(std::move(question));
  }
  for (const ShapeOverride& shape : files.shapes) {
    if (used.contains(shape.input)) continue;
    return InvalidInput("no network has an input '" + shape.input + "'");
  }
  for (const std::string& value : files.inputs) {
    if (used.contains(value)) continue;
    return InvalidInput("no network has an input '" +
                        value.substr(0, value.find('=')) + "'");
  }
  return questions;
}

}  // namespace mete
