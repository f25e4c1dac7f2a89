#include "predict/predict_networks.h"

#include <filesystem>
#include <utility>

#include "domain/network_traits.h"

namespace mete {
namespace {

Result<NetworkQuestion> AskAboutFile(const std::string& path,
                                     const DescribeRequest& request,
                                     GraphReader& reader) {
  ASSIGN_OR_RETURN(Network network, reader.Read(path));
  ASSIGN_OR_RETURN(Characteristics described,
                   Describe(network, request).While("describe " + path));
  std::string name = std::filesystem::path(path).stem();
  ASSIGN_OR_RETURN(NetworkTraits traits,
                   ComputeTraits(described, name, request.batch).While(path));
  return NetworkQuestion{.name = name,
                         .counts = ToNetworkCounts(traits),
                         .traits = std::move(traits)};
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
  std::vector<NetworkQuestion> questions;
  for (const std::string& path : files.paths) {
    ASSIGN_OR_RETURN(NetworkQuestion question,
                     AskAboutFile(path, request, reader));
    questions.push_back(std::move(question));
  }
  return questions;
}

}  // namespace mete
