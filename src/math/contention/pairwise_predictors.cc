#include "contention/pairwise_predictors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "contention/tenant_checks.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr size_t kPairLabels = kTimeKinds * kTimeStatistics;
constexpr std::array<std::string_view, 4> kRuleNames = {
    "perx", "scaloran", "scaloran-sum", "agnostic"};
// Beside nothing at all, a time is not a time: 1 us.
constexpr double kLeastTime = 1e-6;

using PairPoints =
    std::map<std::pair<size_t, size_t>, std::vector<LogisticPoint>>;

double MeanRate(const MeasuredMix& mix) {
  double rate = 0;
  double instances = 0;
  for (const MixObservation& row : mix.rows) {
    rate += row.tenant.rate * row.tenant.instances;
    instances += row.tenant.instances;
  }
  return rate / instances;
}

// The points of one label that a mix gives.
void AddPoints(const MeasuredMix& mix, const TimeLabel& label,
               const std::vector<std::string>& applications,
               PairPoints& points) {
  auto number = [&](const MixObservation& row) {
    return *FindApplication(applications, row.tenant.application);
  };
  std::set<size_t> present;
  double instances = 0;
  for (const MixObservation& row : mix.rows) {
    present.insert(number(row));
    instances += row.tenant.instances;
  }
  const bool pair = present.size() == 2 && mix.rows.size() == 2;
  if (present.size() > 1 && !pair) return;
  for (size_t i = 0; i < mix.rows.size(); ++i) {
    std::optional<double> time = MeasuredTime(mix.rows[i], label);
    if (!time) continue;
    const size_t own = number(mix.rows[i]);
    if (pair) {
      const MixObservation& other = mix.rows[1 - i];
      points[{own, number(other)}].push_back(
          {.instances = static_cast<double>(other.tenant.instances),
           .rate = other.tenant.rate,
           .time = *time});
    } else {
      points[{own, own}].push_back(
          {.instances = instances, .rate = MeanRate(mix), .time = *time});
    }
  }
}

Json CurveToJson(const LogisticCurve& curve) {
  return {{"alpha", curve.alpha}, {"beta", curve.beta}};
}

Result<LogisticCurve> ReadCurve(const Json& json) {
  LogisticCurve curve{.alpha = json.at("alpha").get<std::array<double, 3>>(),
                      .beta = json.at("beta").get<std::array<double, 3>>()};
  for (size_t i = 0; i < 3; ++i) {
    if (!std::isfinite(curve.alpha[i]) || !std::isfinite(curve.beta[i])) {
      return Corrupt("a parameter is not finite");
    }
  }
  return curve;
}

}  // namespace

std::string_view ToString(PairwiseRule rule) {
  return kRuleNames[static_cast<size_t>(rule)];
}

Result<PairwiseRule> ParsePairwiseRule(std::string_view name) {
  for (size_t i = 0; i < kRuleNames.size(); ++i) {
    if (kRuleNames[i] == name) return static_cast<PairwiseRule>(i);
  }
  return InvalidInput(
      fmt::format("'{}' is not one of {}", name, fmt::join(kRuleNames, ", ")));
}

PairwiseCurves FitPairwise(std::span<const MeasuredMix> mixes) {
  PairwiseCurves fitted{.applications = ApplicationsIn(mixes)};
  const auto alone = FindTimesAlone(mixes);
  for (const std::string& name : fitted.applications) {
    fitted.alone.push_back(alone.at(name));
  }
  for (const TimeLabel& label : AllTimeLabels()) {
    PairPoints points;
    for (const MeasuredMix& mix : mixes) {
      AddPoints(mix, label, fitted.applications, points);
    }
    for (const auto& [pair, own] : points) {
      if (auto curve = FitLogistic(own)) {
        fitted.curves[IndexOf(label)][pair] = *curve;
      }
    }
  }
  return fitted;
}

std::optional<double> PairwisePredictor::TimeAt(size_t label, size_t a,
                                                size_t b, double n,
                                                double rate) const {
  auto found = curves_.curves[label].find({a, b});
  if (found == curves_.curves[label].end()) return std::nullopt;
  return found->second.At(n, rate);
}

std::optional<double> PairwisePredictor::Answer(
    size_t label, const Group& own, std::span<const Group> others,
    std::span<const Group> all) const {
  const std::optional<double> base = curves_.alone[own.application][label];
  double instances = 0;
  for (const Group& group : all) instances += group.instances;
  switch (rule_) {
    case PairwiseRule::kPerx: {
      if (!base) return std::nullopt;
      double sum = *base;
      for (const Group& other : others) {
        const double beside = TimeAt(label, own.application, other.application,
                                     other.instances, other.rate)
                                  .value_or(*base);
        sum += std::max(0.0, beside - *base);
      }
      return sum;
    }
    case PairwiseRule::kAgnostic:
      return TimeAt(label, own.application, own.application, instances,
                    own.rate);
    default:
      break;
  }
  double sum = 0;
  for (const Group& group : all) {
    sum += TimeAt(label, group.application, group.application, instances,
                  group.rate)
               .value_or(curves_.alone[group.application][label].value_or(0));
  }
  if (rule_ == PairwiseRule::kScalOran) sum /= static_cast<double>(all.size());
  return sum;
}

Result<std::vector<TenantTimes>> PairwisePredictor::Predict(
    std::span<const Tenant> tenants) const {
  RETURN_IF_ERROR(CheckTenants(tenants));
  std::vector<size_t> numbers;
  for (const Tenant& tenant : tenants) {
    ASSIGN_OR_RETURN(size_t number,
                     FindApplication(curves_.applications, tenant.application));
    numbers.push_back(number);
  }
  auto groups_without = [&](size_t target) {
    std::map<size_t, Group> groups;
    std::map<size_t, double> count;
    for (size_t i = 0; i < tenants.size(); ++i) {
      if (i == target) continue;
      Group& group = groups[numbers[i]];
      group.application = numbers[i];
      group.instances += tenants[i].instances;
      group.rate += tenants[i].rate;
      count[numbers[i]] += 1;
    }
    std::vector<Group> list;
    for (auto& [number, group] : groups) {
      group.rate /= count[number];
      list.push_back(group);
    }
    return list;
  };
  const std::vector<Group> all = groups_without(tenants.size());
  std::vector<TenantTimes> answers(tenants.size());
  for (size_t i = 0; i < tenants.size(); ++i) {
    const Group own{.application = numbers[i],
                    .instances = static_cast<double>(tenants[i].instances),
                    .rate = tenants[i].rate};
    const std::vector<Group> others = groups_without(i);
    for (size_t label = 0; label < kPairLabels; ++label) {
      if (auto time = Answer(label, own, others, all)) {
        answers[i].times[label] =
            PredictedTime{.time = Seconds(std::max(*time, kLeastTime))};
      }
    }
    SortQuantiles(answers[i]);  // each label has curves of its own
  }
  return answers;
}

Json PairwisePredictor::ToJson() const {
  Json json{{"applications", curves_.applications}};
  Json& alone = json["alone_s"] = Json::array();
  for (const TimesAlone& times : curves_.alone) {
    Json one = Json::object();
    for (const TimeLabel& label : AllTimeLabels()) {
      SetNumber(one, ToString(label).c_str(), times[IndexOf(label)]);
    }
    alone.push_back(std::move(one));
  }
  Json& curves = json["curves"] = Json::array();
  for (const TimeLabel& label : AllTimeLabels()) {
    for (const auto& [pair, curve] : curves_.curves[IndexOf(label)]) {
      Json one{{"label", ToString(label)},
               {"application", pair.first},
               {"beside", pair.second}};
      one.update(CurveToJson(curve));
      curves.push_back(std::move(one));
    }
  }
  return json;
}

Result<PairwisePredictor> PairwisePredictor::FromJson(PairwiseRule rule,
                                                      const Json& json) {
  return ReadJson("pairwise predictor", [&]() -> Result<PairwisePredictor> {
    PairwiseCurves read{
        .applications =
            json.at("applications").get<std::vector<std::string>>()};
    if (read.applications.empty() ||
        !std::ranges::is_sorted(read.applications, std::ranges::less_equal())) {
      return Corrupt("its applications are not in order");
    }
    std::map<std::string, size_t> labels;
    for (const TimeLabel& label : AllTimeLabels()) {
      labels[ToString(label)] = IndexOf(label);
    }
    const size_t count = read.applications.size();
    for (size_t a = 0; a < count; ++a) {
      TimesAlone times;
      for (const auto& [label, index] : labels) {
        times[index] =
            GetOptional<double>(json.at("alone_s").at(a), label.c_str());
      }
      read.alone.push_back(times);
    }
    for (const Json& one : json.at("curves")) {
      auto label = labels.find(one.at("label").get<std::string>());
      const auto a = one.at("application").get<size_t>();
      const auto b = one.at("beside").get<size_t>();
      if (label == labels.end() || a >= count || b >= count) {
        return Corrupt("a curve of an unknown application or label");
      }
      ASSIGN_OR_RETURN(LogisticCurve curve, ReadCurve(one));
      read.curves[label->second][{a, b}] = curve;
    }
    return PairwisePredictor(rule, std::move(read));
  });
}

}  // namespace mete
