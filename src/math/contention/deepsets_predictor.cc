#include "contention/deepsets_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contention/deepsets_points.h"
#include "contention/tenant_checks.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr std::array<TimeStatistic, kDeepSetsOutputs> kPredicted = {
    TimeStatistic::kMean, TimeStatistic::kP75, TimeStatistic::kP95};

Json LayersToJson(std::span<const DenseLayer> layers) {
  Json json = Json::array();
  for (const DenseLayer& layer : layers) {
    json.push_back({{"weights", layer.weights}, {"biases", layer.biases}});
  }
  return json;
}

Result<std::vector<float>> ReadFloats(const Json& json) {
  auto numbers = json.get<std::vector<float>>();
  for (float number : numbers) {
    if (!std::isfinite(number)) return Corrupt("a weight is not finite");
  }
  return numbers;
}

Status ReadLayers(const Json& json, std::span<DenseLayer> layers) {
  for (size_t l = 0; l < layers.size(); ++l) {
    ASSIGN_OR_RETURN(layers[l].weights, ReadFloats(json.at(l).at("weights")));
    ASSIGN_OR_RETURN(layers[l].biases, ReadFloats(json.at(l).at("biases")));
  }
  return {};
}

Result<ScaledDeepSets> ReadNetwork(const Json& json, size_t applications) {
  ScaledDeepSets read;
  ASSIGN_OR_RETURN(read.network.embedding, ReadFloats(json.at("embedding")));
  RETURN_IF_ERROR(ReadLayers(json.at("element"), read.network.element));
  RETURN_IF_ERROR(ReadLayers(json.at("time"), read.network.time));
  RETURN_IF_ERROR(ReadLayers(json.at("counter"), read.network.counter));
  read.scales = json.at("scales").get<decltype(read.scales)>();
  if (!read.network.Fits(applications) || read.scales.size() != applications) {
    return Corrupt("a layer has another size");
  }
  for (const auto& scales : read.scales) {
    for (double scale : scales) {
      if (!(scale > 0) || !std::isfinite(scale)) {
        return Corrupt("a scale is not positive");
      }
    }
  }
  return read;
}

}  // namespace

DeepSetsPredictor::DeepSetsPredictor(Parts parts) : parts_(std::move(parts)) {
  for (const ScaledDeepSets& one : parts_.networks) {
    CHECK(one.network.Fits(parts_.applications.size()) &&
          one.scales.size() == parts_.applications.size())
        << "a network for another number of applications";
  }
}

Result<DeepSetsNetwork> DeepSetsPredictor::WarmStart(
    TimeKind kind, std::span<const std::string> applications,
    const DeepSetsNetwork& fresh) const {
  DeepSetsNetwork start = parts_.networks[static_cast<size_t>(kind)].network;
  const std::vector<float> known = std::move(start.embedding);
  start.embedding = fresh.embedding;
  for (size_t a = 0; a < parts_.applications.size(); ++a) {
    auto found = std::ranges::find(applications, parts_.applications[a]);
    if (found == applications.end()) {
      return InvalidInput(
          fmt::format("the network to start from knows '{}', which the table "
                      "does not have",
                      parts_.applications[a]));
    }
    std::copy_n(
        known.begin() + static_cast<int64_t>(a * kDeepSetsEmbedding),
        kDeepSetsEmbedding,
        start.embedding.begin() + (found - applications.begin()) *
                                      static_cast<int64_t>(kDeepSetsEmbedding));
  }
  return start;
}

Result<std::vector<TenantTimes>> DeepSetsPredictor::Predict(
    std::span<const Tenant> tenants) const {
  RETURN_IF_ERROR(CheckTenants(tenants));
  std::vector<size_t> numbers;
  for (const Tenant& tenant : tenants) {
    ASSIGN_OR_RETURN(size_t number,
                     FindApplication(parts_.applications, tenant.application));
    numbers.push_back(number);
  }
  std::vector<TenantTimes> answers(tenants.size());
  for (size_t i = 0; i < tenants.size(); ++i) {
    const DeepSetsElement target{
        .application = numbers[i],
        .instances = static_cast<double>(tenants[i].instances),
        .rate = tenants[i].rate};
    const auto context = ContextOf(tenants, i, parts_.applications);
    for (size_t kind = 0; kind < kTimeKinds; ++kind) {
      const ScaledDeepSets& one = parts_.networks[kind];
      const auto scaled = one.network.Evaluate(target, context);
      for (size_t o = 0; o < kPredicted.size(); ++o) {
        answers[i].times[IndexOf({.kind = static_cast<TimeKind>(kind),
                                  .statistic = kPredicted[o]})] = PredictedTime{
            .time = Seconds(scaled[o] * one.scales[numbers[i]][o])};
      }
    }
    SortQuantiles(answers[i]);  // outputs of their own, which may cross
  }
  return answers;
}

Json DeepSetsPredictor::ToJson() const {
  Json json{{"applications", parts_.applications}};
  for (size_t kind = 0; kind < kTimeKinds; ++kind) {
    const ScaledDeepSets& one = parts_.networks[kind];
    json[std::string(ToString(static_cast<TimeKind>(kind)))] = {
        {"scales", one.scales},
        {"embedding", one.network.embedding},
        {"element", LayersToJson(one.network.element)},
        {"time", LayersToJson(one.network.time)},
        {"counter", LayersToJson(one.network.counter)}};
  }
  return json;
}

Result<DeepSetsPredictor> DeepSetsPredictor::FromJson(const Json& json) {
  return ReadJson("deepsets predictor", [&]() -> Result<DeepSetsPredictor> {
    Parts parts;
    parts.applications =
        json.at("applications").get<std::vector<std::string>>();
    if (parts.applications.empty() ||
        !std::ranges::is_sorted(parts.applications,
                                std::ranges::less_equal())) {
      return Corrupt("its applications are not in order");
    }
    for (size_t kind = 0; kind < kTimeKinds; ++kind) {
      ASSIGN_OR_RETURN(
          parts.networks[kind],
          ReadNetwork(
              json.at(std::string(ToString(static_cast<TimeKind>(kind)))),
              parts.applications.size()));
    }
    return DeepSetsPredictor(std::move(parts));
  });
}

}  // namespace mete
