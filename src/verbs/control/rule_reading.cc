#include "control/rule_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

using Labels = std::map<std::string, std::string, std::less<>>;

// A quantile or a bucket may be divided by a series without that label.
bool ArePartners(Labels series, Labels divisor) {
  series.erase("__name__");
  divisor.erase("__name__");
  for (const char* part : {"quantile", "le"}) {
    if (!divisor.contains(part)) series.erase(part);
  }
  return series == divisor;
}

const SeriesValue* Partner(const SeriesValue& series,
                           const SeriesValues& among) {
  for (const SeriesValue& candidate : among) {
    if (ArePartners(series.labels, candidate.labels)) return &candidate;
  }
  return nullptr;
}

// Counts what happened to the series of one source.
struct Counts {
  size_t stale = 0;
  size_t alone = 0;  // no matching divisor
};

void AddSeries(const SourceAnswer& answer, Seconds stale_after,
               RuleReading& reading, Counts& counts) {
  for (const SeriesValue& series : *answer.series) {
    SeriesEvidence evidence{.source = answer.source,
                            .labels = series.labels,
                            .value = series.value,
                            .age = series.age};
    if (answer.divisor) {
      const SeriesValue* partner = Partner(series, **answer.divisor);
      if (partner == nullptr || partner->value == 0) {
        ++counts.alone;
        continue;
      }
      evidence.divided_by = partner->value;
      evidence.value = series.value / partner->value;
      evidence.age = std::max(series.age, partner->age);
    }
    if (evidence.age > stale_after) {
      ++counts.stale;
    } else if (std::isfinite(evidence.value)) {
      reading.series.push_back(std::move(evidence));
    }
  }
}

std::string Remark(const Counts& counts, Seconds stale_after) {
  if (counts.stale > 0) {
    return fmt::format("its series are older than {}",
                       FormatSeconds(stale_after.count()));
  }
  if (counts.alone > 0) return "no series to divide by has the same labels";
  return "no such series";
}

}  // namespace

RuleReading ReadRule(const SloRule& rule,
                     const std::vector<SourceAnswer>& answers,
                     Seconds stale_after) {
  RuleReading reading;
  Counts counts;
  for (const SourceAnswer& answer : answers) {
    const bool failed =
        !answer.series.ok() || (answer.divisor && !answer.divisor->ok());
    if (failed) {
      reading.complete = false;
      const Error& error =
          answer.series.ok() ? answer.divisor->error() : answer.series.error();
      reading.remark = error.message();
      continue;
    }
    AddSeries(answer, stale_after, reading, counts);
  }
  std::ranges::stable_sort(reading.series, [&](const SeriesEvidence& one,
                                               const SeriesEvidence& other) {
    return rule.objective.Worse(one.value, other.value);
  });
  if (!reading.series.empty()) {
    reading.remark.clear();
  } else if (reading.complete) {
    reading.remark = Remark(counts, stale_after);
  }
  return reading;
}

std::string SeriesText(const SeriesEvidence& series) {
  std::string name;
  std::vector<std::string> labels;
  for (const auto& [label, value] : series.labels) {
    if (label == "__name__") {
      name = value;
    } else {
      labels.push_back(fmt::format("{}=\"{}\"", label, value));
    }
  }
  if (labels.empty()) return name;
  return fmt::format("{}{{{}}}", name, fmt::join(labels, ","));
}

}  // namespace mete
