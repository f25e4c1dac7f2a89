// Remembers analyses between rounds: a full analysis of thousands of pods every
// 30 s would keep several cores busy.
#pragma once

#include <map>
#include <memory>
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

// An analysis of an earlier round.
struct EarlierAnalysis {
  std::shared_ptr<const SubjectAnalysis> analysis;
  double analyzed_at = 0;  // seconds since 1970
  bool due = false;        // it should be repeated
};

// Thread-safe.
class AnalysisMemory {
 public:
  // The last analysis of this subject; absent without any. It is due when the
  // subject has other series than then, when their means or maxima changed, or
  // when it is too old. `now` is in seconds since 1970. Ages differ by up to
  // half between subjects, so that they are not all due in the same round.
  std::optional<EarlierAnalysis> Find(const std::string& subject,
                                      const SeriesByName& series, double now,
                                      const AnalysisMemoryRules& rules) const;
  void Put(const std::string& subject, const SeriesByName& series, double now,
           std::shared_ptr<const SubjectAnalysis> analysis);
  // Forgets what was not looked up since the last call.
  void Sweep();

 private:
  // Mean and maximum of a series.
  struct Level {
    double mean = 0;
    double max = 0;
  };
  using Levels = std::map<std::string, Level, std::less<>>;
  struct Entry {
    double analyzed_at = 0;
    Levels levels;
    std::shared_ptr<const SubjectAnalysis> analysis;
    mutable bool used = true;
  };
  static Levels LevelsOf(const SeriesByName& series);
  static bool Changed(const Levels& before, const Levels& now,
                      double tolerance);

  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace mete
