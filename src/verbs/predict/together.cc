#include "predict/together.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr TimeLabel kMeanService{};
// Far beyond what one device serves; nothing is known out there.
constexpr int kMostInstances = 1000;
constexpr double kHighestRate = 1e6;

Error NotATenant(const std::string& text) {
  return InvalidInput("'" + text +
                      "' is not APP[:INSTANCES][@RATE], as in cnn:2@8");
}

Result<Tenant> ParseTenant(const std::string& text) {
  Tenant tenant{.rate = 1};
  std::string rest = text;
  if (size_t at = rest.find('@'); at != std::string::npos) {
    auto rate = ParseNumber<double>(rest.substr(at + 1));
    if (!rate || !(*rate > 0)) return NotATenant(text);
    if (*rate > kHighestRate) {
      return InvalidInput(fmt::format("'{}': the rate may be at most {:.0f}/s",
                                      text, kHighestRate));
    }
    tenant.rate = *rate;
    rest.resize(at);
  }
  if (size_t colon = rest.find(':'); colon != std::string::npos) {
    auto instances = ParseNumber<int>(rest.substr(colon + 1));
    if (!instances || *instances < 1) return NotATenant(text);
    if (*instances > kMostInstances) {
      return InvalidInput(fmt::format("'{}': there may be at most {} instances",
                                      text, kMostInstances));
    }
    tenant.instances = *instances;
    rest.resize(colon);
  }
  if (rest.empty()) return NotATenant(text);
  tenant.application = rest;
  return tenant;
}

// Far beyond any request. Damaged predictors exceed it.
constexpr double kLongestTime = 1e15;

bool IsTime(Seconds time) {
  return time.count() >= 0 && time.count() <= kLongestTime;
}

// Predicts; fails with kCorrupt instead of passing on what is no time.
Result<std::vector<TenantTimes>> Predict(const ContentionPredictor& predictor,
                                         std::span<const Tenant> tenants) {
  ASSIGN_OR_RETURN(std::vector<TenantTimes> answers,
                   predictor.Predict(tenants));
  for (const TenantTimes& answer : answers) {
    for (const auto& time : answer.times) {
      if (!time) continue;
      if (IsTime(time->time) && IsTime(time->low.value_or(Seconds(0))) &&
          IsTime(time->high.value_or(Seconds(0)))) {
        continue;
      }
      return Corrupt(fmt::format(
          "the predictor {} is damaged: it predicts impossible times",
          predictor.method()));
    }
  }
  return answers;
}

// The reverse of a slowdown of the other tenants without tenant `i`.
Result<double> ReliefWithout(const ContentionPredictor& predictor, size_t i,
                             const std::vector<TenantAnswer>& answers) {
  std::vector<Tenant> others;
  for (size_t j = 0; j < answers.size(); ++j) {
    if (j != i) others.push_back(answers[j].tenant);
  }
  ASSIGN_OR_RETURN(auto times, Predict(predictor, others));
  double sum = 0;
  size_t count = 0;
  for (size_t j = 0, other = 0; j < answers.size(); ++j) {
    if (j == i) continue;
    const auto& with = answers[j].together.Get(kMeanService);
    const auto& without = times[other++].Get(kMeanService);
    if (!with || !without) continue;
    sum += std::log(with->time / without->time);
    ++count;
  }
  return count == 0 ? 1 : std::exp(sum / static_cast<double>(count));
}

Result<std::optional<Bully>> FindBully(
    const ContentionPredictor& predictor,
    const std::vector<TenantAnswer>& answers) {
  std::optional<Bully> bully;
  if (answers.size() < 2) return bully;
  for (size_t i = 0; i < answers.size(); ++i) {
    ASSIGN_OR_RETURN(double relief, ReliefWithout(predictor, i, answers));
    if (!bully || relief > bully->relief) {
      bully = Bully{.tenant = i, .relief = relief};
    }
  }
  return bully;
}

std::optional<double> MedianErrorIn(const ContentionDocument& document) {
  // Documents of other programs may hold anything here.
  auto service = document.errors.find("service");
  if (service == document.errors.end() || !service->is_array()) {
    return std::nullopt;
  }
  std::optional<double> best;
  for (const Json& one : *service) {
    if (!one.is_object() || !one.contains("stable")) continue;
    const Json& stable = one["stable"];
    if (!stable.is_object() || !stable.contains("median_relative") ||
        !stable["median_relative"].is_number()) {
      continue;
    }
    const auto error = stable["median_relative"].get<double>();
    if (!best || error < *best) best = error;
  }
  return best;
}

}  // namespace

Result<std::vector<Tenant>> ParseTenants(const std::string& text) {
  std::vector<Tenant> tenants;
  for (const std::string& part : SplitAt(text, ',')) {
    ASSIGN_OR_RETURN(Tenant tenant, ParseTenant(part));
    tenants.push_back(std::move(tenant));
  }
  return tenants;
}

Result<TogetherAnswer> PredictTogether(const ContentionDocument& document,
                                       const std::vector<Tenant>& tenants) {
  const ContentionPredictor& predictor = *document.predictor;
  TogetherAnswer answer{.device = document.device,
                        .method = std::string(predictor.method()),
                        .median_error = MedianErrorIn(document)};
  ASSIGN_OR_RETURN(auto together, Predict(predictor, tenants));
  for (size_t i = 0; i < tenants.size(); ++i) {
    ASSIGN_OR_RETURN(auto alone, Predict(predictor, {{tenants[i]}}));
    TenantAnswer one{
        .tenant = tenants[i], .together = together[i], .alone = alone[0]};
    const auto& with = one.together.Get(kMeanService);
    const auto& without = one.alone.Get(kMeanService);
    if (with && without) one.slowdown = with->time / without->time;
    answer.tenants.push_back(std::move(one));
  }
  ASSIGN_OR_RETURN(answer.bully, FindBully(predictor, answer.tenants));
  return answer;
}

}  // namespace mete
