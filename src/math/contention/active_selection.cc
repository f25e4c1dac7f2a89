#include "contention/active_selection.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "contention/pressure_training.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr std::array<TimeLabel, 3> kAskedLabels = {
    {{TimeKind::kService, TimeStatistic::kMean},
     {TimeKind::kService, TimeStatistic::kP95},
     {TimeKind::kSojourn, TimeStatistic::kP95}}};

double DeviationOf(std::span<const double> values) {
  double mean = 0;
  for (double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace

PressureCommittee::PressureCommittee(std::span<const MeasuredMix> mixes,
                                     const Request& request)
    : alone_(FindTimesAlone(mixes)) {
  std::vector<std::string> names = ApplicationsIn(mixes);
  names.insert(names.end(), request.applications.begin(),
               request.applications.end());
  const std::set<std::string> unique(names.begin(), names.end());
  names.assign(unique.begin(), unique.end());
  for (size_t member = 0; member < request.members; ++member) {
    const uint64_t seed =
        DeriveSeed(request.seed, "member " + std::to_string(member));
    Random random(seed);
    std::vector<double> weights(mixes.size());
    for (size_t i = 0; i < mixes.size(); ++i) {
      weights[random.Below(mixes.size())] += 1;
    }
    PressureTrainingSet set(mixes, names, weights);
    members_.push_back(PressurePredictor(
        {.applications = names,
         .network = FitPressures(set, {.pressures = request.pressures,
                                       .steps = request.steps,
                                       .seed = seed}),
         .margins = std::vector<LogMargins>(names.size())}));
  }
}

Result<double> PressureCommittee::DisagreementOn(
    std::span<const Tenant> tenants) const {
  std::vector<std::vector<TenantTimes>> answers;
  for (const PressurePredictor& member : members_) {
    ASSIGN_OR_RETURN(auto times, member.Predict(tenants));
    answers.push_back(std::move(times));
  }
  double sum = 0;
  for (size_t i = 0; i < tenants.size(); ++i) {
    auto alone = alone_.find(tenants[i].application);
    for (const TimeLabel& label : kAskedLabels) {
      std::optional<double> own;
      if (alone != alone_.end()) own = alone->second[IndexOf(label)];
      std::vector<double> logs;
      for (const auto& answer : answers) {
        const double time = answer[i].Get(label)->time.count();
        logs.push_back(
            std::log(own ? std::min(time, kSloRegion * *own) : time));
      }
      sum += DeviationOf(logs);
    }
  }
  return sum / static_cast<double>(tenants.size() * kAskedLabels.size());
}

}  // namespace mete
