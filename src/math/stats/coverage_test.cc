// How often nominal 95 % intervals contain the true quantile, by simulation.
// METE_SIMULATED_SERIES sets the number of series per line (default 1500); the
// table in docs/internals/statistics.md was computed with 20000.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "stats/distributions.h"
#include "stats/interval.h"
#include "stats/quantile.h"
#include "stats/stopping.h"
#include "stats/test_series.h"

namespace mete {
namespace {

constexpr double kSigma = 0.05;
constexpr double kMedian = 0.01;

int SeriesPerLine() { return SimulatedSeries(1500); }

// A source of latencies whose quantiles are known.
struct Source {
  std::string name;
  double phi = 0;
  double upper_share = 0;  // raised by kLift: the second level
};
constexpr double kLift = 1.25;

class Sampler {
 public:
  Sampler(const Source& source, uint64_t seed)
      : source_(source),
        series_({.median = kMedian, .sigma = kSigma, .phi = source.phi}, seed),
        random_(seed + 1) {}

  double Next() {
    double value = series_.Next();
    bool lifted =
        source_.upper_share > 0 && random_.Uniform() < source_.upper_share;
    return lifted ? value * kLift : value;
  }

 private:
  Source source_;
  LogNormalSeries series_;
  Random random_;
};

double EvaluateCdf(const Source& source, double x) {
  auto below = [](double log_ratio) {
    return 0.5 * std::erfc(-log_ratio / kSigma / std::sqrt(2.0));
  };
  double log_ratio = std::log(x / kMedian);
  return (1 - source.upper_share) * below(log_ratio) +
         source.upper_share * below(log_ratio - std::log(kLift));
}

double TrueQuantile(const Source& source, double p) {
  double low = kMedian / 2;
  double high = kMedian * 3;
  for (int step = 0; step < 60; ++step) {
    double middle = (low + high) / 2;
    (EvaluateCdf(source, middle) < p ? low : high) = middle;
  }
  return low;
}

struct Tally {
  int covered = 0;
  int existing = 0;
  double values = 0;

  void Add(const std::optional<Interval>& interval, double truth, size_t n) {
    if (!interval) return;
    ++existing;
    values += static_cast<double>(n);
    covered += interval->low <= truth && truth <= interval->high ? 1 : 0;
  }
  double coverage() const {
    return static_cast<double>(covered) / std::max(1, existing);
  }
};

void ExpectNominal(const std::string& what, const Source& source,
                   const Tally& tally) {
  fmt::print("{:<8} {:<24} n {:>6.0f}  coverage {:.2f} %  ({} of {} series)\n",
             what, source.name, tally.values / std::max(1, tally.existing),
             tally.coverage() * 100, tally.existing, SeriesPerLine());
  EXPECT_GT(tally.existing, SeriesPerLine() * 3 / 4);
  EXPECT_GE(tally.coverage(), 0.935) << what << " " << source.name;
  EXPECT_LE(tally.coverage(), 0.975) << what << " " << source.name;
}

void CheckFixed(const Source& source, double p, size_t n) {
  double truth = TrueQuantile(source, p);
  Sampler sampler(source, 2024);
  std::vector<double> series(n);
  Tally tally;
  for (int i = 0; i < SeriesPerLine(); ++i) {
    for (double& value : series) value = sampler.Next();
    tally.Add(IntervalOfSeries(series, Sorted(series), p).interval, truth, n);
  }
  ExpectNominal(p == 0.5 ? "median" : "p99", source, tally);
}

// As in a real run: looks at growing counts, with warm-up removed each time.
void CheckAdaptive(const Source& source, double target) {
  double truth = TrueQuantile(source, 0.5);
  Sampler sampler(source, 2025);
  std::vector<double> series;
  Tally tally;
  for (int i = 0; i < SeriesPerLine(); ++i) {
    series.clear();
    StoppingRule rule(target);
    SteadyPart part;
    do {
      size_t look = NextLook(series.size());
      while (series.size() < look) series.push_back(sampler.Next());
      part = FindSteadyPart(series, {.least_warmup = 1});
    } while (!rule.ShouldStop(part));
    tally.Add(part.interval, truth, series.size());
  }
  ExpectNominal("adaptive", source, tally);
}

const Source kLogNormal = {.name = "log-normal"};
const Source kBimodal = {.name = "bimodal 70/30", .upper_share = 0.3};
const Source kWeak = {.name = "AR(1) phi 0.3", .phi = 0.3};
const Source kMiddling = {.name = "AR(1) phi 0.6", .phi = 0.6};
const Source kStrong = {.name = "AR(1) phi 0.9", .phi = 0.9};

TEST(Coverage, OfTheMedianIsNominalOnIndependentValues) {
  for (size_t n : {12u, 30u, 100u, 300u}) {
    CheckFixed(kLogNormal, 0.5, n);
    CheckFixed(kBimodal, 0.5, n);
  }
}

TEST(Coverage, OfTheMedianIsNominalOnDependentValues) {
  CheckFixed(kWeak, 0.5, 100);
  CheckFixed(kWeak, 0.5, 300);
  CheckFixed(kMiddling, 0.5, 300);
  CheckFixed(kStrong, 0.5, 1000);
}

TEST(Coverage, OfP99IsNominalOnIndependentValues) {
  for (size_t n : {500u, 1000u}) {
    CheckFixed(kLogNormal, 0.99, n);
    CheckFixed(kBimodal, 0.99, n);
  }
}

TEST(Coverage, OfP99IsNominalOnDependentValues) {
  CheckFixed(kWeak, 0.99, 1000);
  CheckFixed(kMiddling, 0.99, 2000);
  CheckFixed(kStrong, 0.99, 5000);
}

TEST(Coverage, OfTheMedianIsNominalUnderTheStoppingRule) {
  CheckAdaptive(kLogNormal, 0.02);
  CheckAdaptive(kLogNormal, 0.005);
  CheckAdaptive(kBimodal, 0.02);
  CheckAdaptive(kWeak, 0.02);
  CheckAdaptive(kMiddling, 0.02);
  CheckAdaptive(kStrong, 0.02);
}

}  // namespace
}  // namespace mete
