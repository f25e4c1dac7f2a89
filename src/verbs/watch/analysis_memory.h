// Remembers analyses between rounds: a full analysis of thousands of pods every
// 30 s would keep several cores busy.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "support/units.h"
#include "watch/analyze_usage.h"
#include "watch/usage.h"

namespace mete {

// What decides whether an analysis is repeated.
struct AnalysisMemoryRules {
  double tolerance =
      0.05;  // change of a mean or maximum, relative to the maximum
  Seconds age = std::chrono::minutes(10);  // the oldest analysis that is used
};

// Thread-safe.
class AnalysisMemory {
 public:
  // The analysis of this subject, if it has the same series as then, their
  // means and maxima hardly changed, and it is not too old. `now` is in seconds
  // since 1970. Ages differ by up to half between subjects, so that they are
  // not all analyzed in the same round.
  std::optional<SubjectAnalysis> Find(const std::string& subject,
                                      const SeriesByName& series, double now,
                                      const AnalysisMemoryRules& rules) const;
  void Put(const std::string& subject, const SeriesByName& series, double now,
           const SubjectAnalysis& analysis);
  // Forgets what was not looked up since the last call.
  void Sweep();

 private:
  // Mean and maximum of a series.
  struct Level {
    double mean = 0;
    double max = 0;
  };
  struct Entry {
    double analyzed_at = 0;
    std::map<std::string, Level, std::less<>> levels;
    SubjectAnalysis analysis;
    mutable bool used = true;
  };
  static std::map<std::string, Level, std::less<>> Levels(
      const SeriesByName& series);

  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace mete
