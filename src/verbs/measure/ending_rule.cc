#include "measure/ending_rule.h"

#include <algorithm>

#include "stats/interval.h"
#include "stats/stability.h"
#include "stats/warmup.h"

namespace mete {
namespace {

// The first call allocates memory and is always slower.
constexpr size_t kLeastWarmup = 1;
// The median is precise long before p99 has an interval (368 calls). At most a
// sixth of the allowed time is spent waiting for that.
constexpr double kShareOfTimeForTail = 1.0 / 6;

SteadyRequest MakeSteadyRequest(std::optional<uint64_t> warmup) {
  return {.warmup = warmup, .least_warmup = kLeastWarmup};
}

class PreciseRule final : public EndingRule {
 public:
  struct Setting {
    double target = 0.02;
    Seconds tail_patience{0};
    Seconds least{0};
    SteadyRequest cut;
  };
  explicit PreciseRule(const Setting& setting)
      : setting_(setting), stopping_(setting.target) {}

  bool IsDone(const std::vector<double>& series, Seconds elapsed) override {
    if (elapsed < setting_.least || series.size() < next_look_) return false;
    next_look_ = NextLook(series.size());
    SteadyPart part = FindSteadyPart(series, setting_.cut);
    if (!stopping_.ShouldStop(part)) return false;
    // What looks like drift may be a warm-up longer than half of the series so
    // far. A longer series will show.
    if (FindDrift(part.series)) return false;
    return elapsed >= setting_.tail_patience || HasTail(part);
  }
  SteadyRequest Cut() const override { return setting_.cut; }

 private:
  static bool HasTail(const SteadyPart& part) {
    return IntervalOfSeries(part.series, part.sorted, 0.99)
        .interval.has_value();
  }

  Setting setting_;
  StoppingRule stopping_;
  size_t next_look_ = NextLook(0);
};

// Makes the requested number of calls after the warm-up. The warm-up is
// detected once, when that many calls have been made; then the missing calls
// are added.
class CountRule final : public EndingRule {
 public:
  CountRule(uint64_t count, std::optional<uint64_t> warmup)
      : count_(count), warmup_(warmup) {}

  bool IsDone(const std::vector<double>& series, Seconds) override {
    if (!warmup_ && series.size() >= count_ + kLeastWarmup) {
      warmup_ = std::max(WarmupLength(series), kLeastWarmup);
    }
    return warmup_ && series.size() >= count_ + *warmup_;
  }
  SteadyRequest Cut() const override { return MakeSteadyRequest(warmup_); }

 private:
  uint64_t count_;
  std::optional<uint64_t> warmup_;
};

class TimeRule final : public EndingRule {
 public:
  TimeRule(Seconds length, const SteadyRequest& cut)
      : length_(length), cut_(cut) {}
  bool IsDone(const std::vector<double>&, Seconds elapsed) override {
    return elapsed >= length_;
  }
  SteadyRequest Cut() const override { return cut_; }

 private:
  Seconds length_;
  SteadyRequest cut_;
};

using Made = Result<std::unique_ptr<EndingRule>>;

Made Make(const UntilPrecise& until, const EndingRequest& request) {
  if (!(until.target > 0 && until.target < 1)) {
    return InvalidInput("the precision must lie between 0 and 100 %");
  }
  return std::unique_ptr<EndingRule>(
      std::make_unique<PreciseRule>(PreciseRule::Setting{
          .target = until.target,
          .tail_patience = *TimeLimit(request) * kShareOfTimeForTail,
          .least = request.least,
          .cut = MakeSteadyRequest(request.warmup)}));
}

Made Make(const FixedIterations& fixed, const EndingRequest& request) {
  if (fixed.count < 1) return InvalidInput("iterations must be at least 1");
  return std::unique_ptr<EndingRule>(
      std::make_unique<CountRule>(fixed.count, request.warmup));
}

Made Make(const FixedDuration& timed, const EndingRequest& request) {
  if (!(timed.length.count() > 0)) {
    return InvalidInput("the duration must be positive");
  }
  return std::unique_ptr<EndingRule>(std::make_unique<TimeRule>(
      timed.length, MakeSteadyRequest(request.warmup)));
}

}  // namespace

Result<std::unique_ptr<EndingRule>> MakeEndingRule(
    const EndingRequest& request) {
  if (request.max_duration && !(request.max_duration->count() > 0)) {
    return InvalidInput("the maximum duration must be positive");
  }
  return std::visit([&](const auto& when) { return Make(when, request); },
                    request.when);
}

std::optional<Seconds> TimeLimit(const EndingRequest& request) {
  if (request.max_duration) return request.max_duration;
  if (TargetFor(request)) return kDefaultMaxDuration;
  return std::nullopt;
}

std::optional<double> TargetFor(const EndingRequest& request) {
  auto* until = std::get_if<UntilPrecise>(&request.when);
  return until == nullptr ? std::nullopt : std::optional(until->target);
}

std::optional<uint64_t> IterationsFor(const EndingRequest& request) {
  auto* fixed = std::get_if<FixedIterations>(&request.when);
  return fixed == nullptr ? std::nullopt : std::optional(fixed->count);
}

}  // namespace mete
