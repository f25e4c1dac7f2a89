// The search assumes that more load never makes a service faster, so that there
// is one rate R up to which the objective is kept. It first doubles
// the rate until the objective is violated, and halves it until it is kept,
// then divides this bracket at its geometric mean.
//
// A rate is judged by the confidence interval of the quantile over all its
// windows. If the interval contains the bound, the window is repeated with
// other arrival times, up to kMostRepeats times. A rate that remains undecided
// is close to R; then the bracket is narrowed on both sides of it separately.
//
// The result is the interval from the highest rate that was judged kept to the
// lowest that was judged violated. It misses R only if one of the judgements
// was wrong. Each window leads to one judgement at the confidence
// 1 - 0.05 / most_windows, so all of them are right, and the interval contains
// R, with a probability of at least 95 % (Bonferroni), however often a rate was
// repeated and however the search chose its rates.
#include "load/find_rate.h"

#include <cmath>
#include <map>
#include <optional>

#include "load/saturation.h"

namespace mete {
namespace {

constexpr size_t kMostRepeats = 4;
// Below this number of requests in a window no rate can be judged.
constexpr double kFewestRequests = 20;
constexpr double kError = 0.05;

// False if there were too few requests, as at low rates, to be sure of a
// quantile that is within the bound: that says nothing against the rate.
bool Judged(const FindRateRequest& request, const RateTrial& trial) {
  const ObjectiveCheck& check = trial.check;
  return check.verdict != ObjectiveVerdict::kUndecided ||
         check.high.has_value() || !check.value ||
         *check.value > request.objective.bound;
}

class RateSearch {
 public:
  RateSearch(const FindRateRequest& request, const MeasureRate& measure,
             const OnTrial& on_trial, std::stop_token stop)
      : request_(request),
        measure_(measure),
        on_trial_(on_trial),
        stop_(std::move(stop)) {}

  Result<FoundRate> Run();

 private:
  // Measures a rate until it is decided or may not be repeated.
  Result<ObjectiveVerdict> Judge(double rate);
  Status Bracket();
  // Narrows the gap between rates that count as good and the next one above.
  // Undecided rates are good on the upper side and bad on the lower one.
  Status Narrow(bool undecided_is_good);
  bool Over() const {
    return generator_ || windows_ == request_.most_windows ||
           stop_.stop_requested();
  }
  FoundRate Finish() const;
  SearchEnd Why(const FoundRate& found) const;

  const FindRateRequest& request_;
  const MeasureRate& measure_;
  const OnTrial& on_trial_;
  const std::stop_token stop_;
  std::map<double, RateTrial> trials_;  // by rate
  size_t windows_ = 0;
  bool generator_ = false;
};

Result<ObjectiveVerdict> RateSearch::Judge(double rate) {
  double confidence = 1 - kError / static_cast<double>(request_.most_windows);
  RateTrial& trial = trials_[rate];
  trial.rate = rate;
  std::vector<LoadSamples> samples;
  while (trial.windows < kMostRepeats && !Over()) {
    ASSIGN_OR_RETURN(LoadSamples window, measure_(rate, trial.windows));
    if (window.interrupted) break;
    ++windows_;
    ++trial.windows;
    generator_ = JudgeSaturation(window).sign == SaturationSign::kGenerator;
    if (generator_) break;
    samples.push_back(std::move(window));
    trial.check = CheckObjective(request_.objective, samples, confidence);
    if (on_trial_) on_trial_(trial);
    if (trial.check.verdict != ObjectiveVerdict::kUndecided) break;
  }
  return trial.check.verdict;
}

Status RateSearch::Bracket() {
  bool kept = false;
  for (double rate = request_.start; !Over(); rate *= 2) {
    ASSIGN_OR_RETURN(ObjectiveVerdict verdict, Judge(rate));
    if (verdict == ObjectiveVerdict::kViolated) break;
    kept = kept || verdict == ObjectiveVerdict::kKept;
  }
  for (double rate = request_.start / 2; !kept && !Over(); rate /= 2) {
    if (rate * request_.window.count() < kFewestRequests) break;
    ASSIGN_OR_RETURN(ObjectiveVerdict verdict, Judge(rate));
    kept = verdict == ObjectiveVerdict::kKept;
  }
  return {};
}

Status RateSearch::Narrow(bool undecided_is_good) {
  auto good = [&](const RateTrial& trial) {
    return trial.check.verdict == ObjectiveVerdict::kKept ||
           (undecided_is_good &&
            trial.check.verdict == ObjectiveVerdict::kUndecided);
  };
  while (!Over()) {
    std::optional<double> low;
    std::optional<double> high;
    for (const auto& [rate, trial] : trials_) {
      if (!Judged(request_, trial)) continue;
      if (!good(trial)) {
        high = rate;
        break;
      }
      low = rate;
    }
    // Without a rate on each side there is nothing to narrow.
    if (!low || !high || *high <= *low * (1 + request_.precision)) return {};
    double middle = std::sqrt(*low * *high);
    // Measured already, without a result.
    if (trials_.contains(middle)) return {};
    auto judged = Judge(middle);
    if (!judged.ok()) return judged.error();
  }
  return {};
}

SearchEnd RateSearch::Why(const FoundRate& found) const {
  if (stop_.stop_requested()) return SearchEnd::kInterrupted;
  if (generator_) return SearchEnd::kGenerator;
  if (windows_ == request_.most_windows) return SearchEnd::kOutOfWindows;
  if (found.kept) return SearchEnd::kFound;
  return found.violated ? SearchEnd::kNeverKept : SearchEnd::kTooFew;
}

FoundRate RateSearch::Finish() const {
  FoundRate found;
  for (const auto& [rate, trial] : trials_) {
    if (trial.windows > 0) found.trials.push_back(trial);
  }
  for (const RateTrial& trial : found.trials) {
    if (trial.check.verdict == ObjectiveVerdict::kViolated) {
      found.violated = trial.rate;
      break;
    }
    // Of rates above a violated one nothing is concluded.
    if (trial.check.verdict == ObjectiveVerdict::kKept) found.kept = trial.rate;
  }
  found.end = Why(found);
  return found;
}

Result<FoundRate> RateSearch::Run() {
  RETURN_IF_ERROR(Bracket());
  RETURN_IF_ERROR(Narrow(false));
  RETURN_IF_ERROR(Narrow(true));
  return Finish();
}

}  // namespace

std::string_view ToString(SearchEnd end) {
  switch (end) {
    case SearchEnd::kFound:
      return "found";
    case SearchEnd::kNeverKept:
      return "never_kept";
    case SearchEnd::kTooFew:
      return "too_few_requests";
    case SearchEnd::kGenerator:
      return "generator";
    case SearchEnd::kOutOfWindows:
      return "out_of_windows";
    case SearchEnd::kInterrupted:
      return "interrupted";
  }
  return "found";
}

Result<FoundRate> FindRate(const FindRateRequest& request,
                           const MeasureRate& measure, const OnTrial& on_trial,
                           std::stop_token stop) {
  return RateSearch(request, measure, on_trial, std::move(stop)).Run();
}

}  // namespace mete
