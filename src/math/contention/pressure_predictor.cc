#include "contention/pressure_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contention/tenant_checks.h"
#include "support/json.h"

namespace mete {
namespace {

Json ToJson(const PressureVector& pressure, size_t used) {
  Json json = Json::array();
  for (size_t k = 0; k < used; ++k) json.push_back(pressure.parts[k]);
  return json;
}

Json ToJson(const ServiceHead& head, size_t pressures) {
  Json json{{"offset", head.offset}, {"pieces", Json::array()}};
  for (const PressurePiece& piece : head.pieces) {
    json["pieces"].push_back({{"constant", piece.constant},
                              {"slope", ToJson(piece.slope, pressures)},
                              {"own", piece.own}});
  }
  return json;
}

Json ToJson(const LogMargins& margins) {
  Json json = Json::object();
  for (const TimeLabel& label : AllTimeLabels()) {
    const auto& margin = margins[IndexOf(label)];
    if (margin) json[ToString(label)] = {margin->low, margin->high};
  }
  return json;
}

// Reads numbers and remembers whether one of them was out of bounds.
class Numbers {
 public:
  double Any(const Json& json) { return Keep(json.get<double>(), -1e6); }
  double NotNegative(const Json& json) { return Keep(json.get<double>(), 0); }
  bool good() const { return good_; }
  void Require(bool condition) { good_ = good_ && condition; }

 private:
  // 1e6: far beyond anything learnt, and sums of them stay finite.
  double Keep(double number, double least) {
    good_ = good_ && std::isfinite(number) && number >= least && number <= 1e6;
    return number;
  }
  bool good_ = true;
};

PressureVector ReadPressure(const Json& json, size_t pressures,
                            Numbers& numbers) {
  PressureVector pressure;
  numbers.Require(json.size() == pressures);
  if (!numbers.good()) return pressure;
  for (size_t k = 0; k < pressures; ++k) {
    pressure.parts[k] = numbers.NotNegative(json.at(k));
  }
  return pressure;
}

ServiceHead ReadHead(const Json& json, size_t pressures, Numbers& numbers) {
  ServiceHead head{.offset = numbers.Any(json.at("offset"))};
  for (const Json& piece : json.at("pieces")) {
    head.pieces.push_back(
        {.constant = numbers.Any(piece.at("constant")),
         .slope = ReadPressure(piece.at("slope"), pressures, numbers),
         .own = numbers.NotNegative(piece.at("own"))});
  }
  return head;
}

LogMargins ReadMargins(const Json& json, Numbers& numbers) {
  LogMargins margins;
  for (const TimeLabel& label : AllTimeLabels()) {
    auto found = json.find(ToString(label));
    if (found == json.end()) continue;
    LogMargin margin{.low = numbers.Any(found->at(0)),
                     .high = numbers.NotNegative(found->at(1))};
    numbers.Require(margin.low <= 0);
    margins[IndexOf(label)] = margin;
  }
  return margins;
}

void ReadApplication(const Json& json, PressurePredictor::Parts& parts,
                     Numbers& numbers) {
  const size_t pressures = parts.network.pressures;
  PressureApplication application;
  application.service_alone = numbers.NotNegative(json.at("service_alone_s"));
  numbers.Require(application.service_alone > 0);
  const Json& weights = json.at("weights");
  numbers.Require(weights.size() == pressures);
  for (size_t k = 0; k < pressures && numbers.good(); ++k) {
    for (size_t m = 0; m < kDemandTerms; ++m) {
      application.weights[k][m] = numbers.NotNegative(weights.at(k).at(m));
    }
  }
  const Json& service = json.at("service");
  const Json& offsets = json.at("sojourn_offsets");
  for (size_t s = 0; s < kTimeStatistics && numbers.good(); ++s) {
    application.service[s] = ReadHead(service.at(s), pressures, numbers);
    application.sojourn_offsets[s] = numbers.Any(offsets.at(s));
  }
  parts.applications.push_back(json.at("name").get<std::string>());
  parts.margins.push_back(ReadMargins(json.at("margins"), numbers));
  parts.network.applications.push_back(std::move(application));
}

void ReadCurves(const Json& json, PressureNetwork& network, Numbers& numbers) {
  for (size_t s = 0; s < kTimeStatistics; ++s) {
    SojournCurve& curve = network.sojourn[s];
    curve.kappa = numbers.NotNegative(json.at(s).at("kappa"));
    const Json& values = json.at(s).at("values");
    for (size_t i = 0; i < curve.values.size(); ++i) {
      curve.values[i] = numbers.Any(values.at(i));
      numbers.Require(i == 0 || curve.values[i] >= curve.values[i - 1]);
    }
  }
}

}  // namespace

PressurePredictor::PressurePredictor(Parts parts) : parts_(std::move(parts)) {
  CHECK(parts_.applications.size() == parts_.network.applications.size() &&
        parts_.applications.size() == parts_.margins.size())
      << "applications, networks and margins differ in number";
  CHECK(std::ranges::is_sorted(parts_.applications))
      << "applications of a predictor are not sorted";
}

Result<size_t> PressurePredictor::Find(std::string_view application) const {
  return FindApplication(parts_.applications, application);
}

Result<PressureVector> PressurePredictor::PressureOf(
    std::string_view application, double rate) const {
  ASSIGN_OR_RETURN(size_t index, Find(application));
  return parts_.network.PressureOf(index, rate);
}

Result<PressureVector> PressurePredictor::SumOf(
    std::span<const Tenant> tenants) const {
  PressureVector sum;
  for (const Tenant& tenant : tenants) {
    ASSIGN_OR_RETURN(PressureVector one,
                     PressureOf(tenant.application, tenant.rate));
    sum.Add(one, tenant.instances);
  }
  return sum;
}

Result<PressureRegion> PressurePredictor::RegionOf(
    const TimeObjective& objective, Margin margin) const {
  ASSIGN_OR_RETURN(size_t index, Find(objective.application));
  RETURN_IF_ERROR(CheckRate(objective.rate));
  if (!(objective.limit.count() > 0)) {
    return InvalidInput("the limit of an objective must be positive");
  }
  double log_limit = std::log(objective.limit.count());
  const auto& known = parts_.margins[index][IndexOf(objective.label)];
  if (margin == Margin::kUpperEnd && known) log_limit -= known->high;
  return parts_.network.RegionOf(index, objective.rate, objective.label,
                                 log_limit);
}

TenantTimes PressurePredictor::TimesOf(size_t application, double rate,
                                       const PressureVector& sum) const {
  const auto logs = parts_.network.LogTimes(application, rate, sum);
  TenantTimes tenant{.saturated = parts_.network.Saturates(rate, logs[0])};
  for (const TimeLabel& label : AllTimeLabels()) {
    const size_t i = IndexOf(label);
    PredictedTime time{
        .time = Seconds(std::exp(logs[i])),
        .at_least = tenant.saturated && label.kind == TimeKind::kSojourn};
    if (const auto& margin = parts_.margins[application][i]) {
      time.low = Seconds(std::exp(logs[i] + margin->low));
      if (!time.at_least) time.high = Seconds(std::exp(logs[i] + margin->high));
    }
    tenant.times[i] = time;
  }
  return tenant;
}

Result<TenantTimes> PressurePredictor::TimesUnder(
    std::string_view application, double rate,
    const PressureVector& sum) const {
  ASSIGN_OR_RETURN(size_t index, Find(application));
  RETURN_IF_ERROR(CheckRate(rate));
  return TimesOf(index, rate, sum);
}

Result<std::vector<TenantTimes>> PressurePredictor::Predict(
    std::span<const Tenant> tenants) const {
  RETURN_IF_ERROR(CheckTenants(tenants));
  ASSIGN_OR_RETURN(PressureVector sum, SumOf(tenants));
  std::vector<TenantTimes> times;
  for (const Tenant& tenant : tenants) {
    ASSIGN_OR_RETURN(size_t index, Find(tenant.application));
    times.push_back(TimesOf(index, tenant.rate, sum));
  }
  return times;
}

Json PressurePredictor::ToJson() const {
  const PressureNetwork& network = parts_.network;
  Json json{{"pressures", network.pressures},
            {"gamma", network.gamma},
            {"stable_utilisation", network.stable_utilisation},
            {"largest_slowdown", network.largest_slowdown}};
  Json& curves = json["sojourn"] = Json::array();
  for (const SojournCurve& curve : network.sojourn) {
    curves.push_back({{"kappa", curve.kappa}, {"values", curve.values}});
  }
  Json& applications = json["applications"] = Json::array();
  for (size_t a = 0; a < parts_.applications.size(); ++a) {
    const PressureApplication& known = network.applications[a];
    Json one{{"name", parts_.applications[a]},
             {"service_alone_s", known.service_alone},
             {"weights", Json::array()},
             {"service", Json::array()},
             {"sojourn_offsets", known.sojourn_offsets},
             {"margins", mete::ToJson(parts_.margins[a])}};
    for (size_t k = 0; k < network.pressures; ++k) {
      one["weights"].push_back(known.weights[k]);
    }
    for (const ServiceHead& head : known.service) {
      one["service"].push_back(mete::ToJson(head, network.pressures));
    }
    applications.push_back(std::move(one));
  }
  return json;
}

Result<PressurePredictor> PressurePredictor::FromJson(const Json& json) {
  return ReadJson("pressure predictor", [&]() -> Result<PressurePredictor> {
    Parts parts;
    Numbers numbers;
    parts.network.pressures = json.at("pressures").get<size_t>();
    parts.network.gamma = numbers.NotNegative(json.at("gamma"));
    parts.network.stable_utilisation =
        numbers.NotNegative(json.at("stable_utilisation"));
    parts.network.largest_slowdown =
        numbers.NotNegative(json.at("largest_slowdown"));
    numbers.Require(parts.network.pressures >= 1 &&
                    parts.network.pressures <= kMostPressures &&
                    parts.network.gamma > 1e-6 && parts.network.gamma <= 1 &&
                    parts.network.stable_utilisation > 1e-6 &&
                    parts.network.stable_utilisation <= 1 &&
                    parts.network.largest_slowdown >= 1);
    if (!numbers.good()) return Corrupt("a number is out of its range");
    ReadCurves(json.at("sojourn"), parts.network, numbers);
    for (const Json& application : json.at("applications")) {
      ReadApplication(application, parts, numbers);
      if (!numbers.good()) return Corrupt("a number is out of its range");
    }
    if (!std::ranges::is_sorted(parts.applications,
                                std::ranges::less_equal()) ||
        parts.applications.empty()) {
      return Corrupt("its applications are not in order");
    }
    return PressurePredictor(std::move(parts));
  });
}

}  // namespace mete
