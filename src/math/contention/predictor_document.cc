#include "contention/predictor_document.h"

#include <fmt/format.h>

#include "contention/deepsets_predictor.h"
#include "contention/pairwise_predictors.h"
#include "support/clock.h"

namespace mete {
namespace {

constexpr std::string_view kDocumentFormat = "mete contention predictor";
// 2: the pressure of an instance does not slow itself, and pressures know up to
// which utilisation tenants kept up.
constexpr int kDocumentVersion = 3;

using LoadedPredictor = std::shared_ptr<const ContentionPredictor>;

Result<LoadedPredictor> ReadPredictor(const std::string& method,
                                      const Json& json) {
  if (method == "pressure") {
    ASSIGN_OR_RETURN(auto read, PressurePredictor::FromJson(json));
    return LoadedPredictor(
        std::make_shared<PressurePredictor>(std::move(read)));
  }
  if (method == "deepsets") {
    ASSIGN_OR_RETURN(auto read, DeepSetsPredictor::FromJson(json));
    return LoadedPredictor(
        std::make_shared<DeepSetsPredictor>(std::move(read)));
  }
  Result<PairwiseRule> rule = ParsePairwiseRule(method);
  if (!rule.ok()) {
    return Unsupported("a predictor of method '" + method +
                       "'; this mete does not know it");
  }
  ASSIGN_OR_RETURN(auto read, PairwisePredictor::FromJson(*rule, json));
  return LoadedPredictor(std::make_shared<PairwisePredictor>(std::move(read)));
}

Json PredictorToJson(const ContentionPredictor& predictor) {
  if (auto* one = dynamic_cast<const PressurePredictor*>(&predictor)) {
    return one->ToJson();
  }
  if (auto* one = dynamic_cast<const DeepSetsPredictor*>(&predictor)) {
    return one->ToJson();
  }
  auto* one = dynamic_cast<const PairwisePredictor*>(&predictor);
  CHECK(one != nullptr) << "a predictor that cannot be written to a file";
  return one->ToJson();
}

}  // namespace

const PressurePredictor* ContentionDocument::pressure() const {
  return dynamic_cast<const PressurePredictor*>(predictor.get());
}

Result<ContentionDocument> ParseContentionDocument(std::string_view text) {
  ASSIGN_OR_RETURN(Json json, ParseJson(text));
  return ReadJson("contention predictor", [&]() -> Result<ContentionDocument> {
    if (json.at("format").get<std::string>() != kDocumentFormat) {
      return Corrupt("this is not a file of mete train contention");
    }
    if (json.at("version").get<int>() != kDocumentVersion) {
      return Unsupported("the file is of another version of mete; train again");
    }
    ContentionDocument document{.device = json.at("device").get<std::string>(),
                                .cores = json.at("cores").get<double>(),
                                .seed = json.at("seed").get<uint64_t>(),
                                .mixes = json.at("mixes").get<size_t>(),
                                .mete_version = GetText(json, "mete_version"),
                                .errors = json.value("errors", Json::object())};
    ASSIGN_OR_RETURN(document.trained_at,
                     ParseUtc(json.at("trained_at").get<std::string>()));
    ASSIGN_OR_RETURN(document.predictor,
                     ReadPredictor(json.at("method").get<std::string>(),
                                   json.at("predictor")));
    return document;
  });
}

std::string ContentionDocumentText(const ContentionDocument& document) {
  Json json{{"format", kDocumentFormat},
            {"version", kDocumentVersion},
            {"method", document.predictor->method()},
            {"device", document.device},
            {"cores", document.cores},
            {"trained_at", FormatUtc(document.trained_at)},
            {"seed", document.seed},
            {"mixes", document.mixes}};
  SetText(json, "mete_version", document.mete_version);
  json["errors"] = document.errors;
  json["predictor"] = PredictorToJson(*document.predictor);
  return DumpJson(json) + "\n";
}

}  // namespace mete
