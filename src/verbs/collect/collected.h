// The runs of a collection that are already stored, so that an interrupted
// collection resumes where it ended.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "domain/device.h"
#include "domain/run.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// A run that another mete has already stored.
struct SkippedRun {
  std::string network;         // sha256 or recipe
  std::optional<double> load;  // absent: every load
  bool operator==(const SkippedRun&) const = default;
};

// "RECIPE@0,20" or "RECIPE@all": a run for each load. Fails with kInvalidInput.
Result<std::vector<SkippedRun>> ParseSkipped(const std::string& text);
// One such text for each network, in their order. Files are named by content.
std::vector<std::string> SkippedTexts(const std::vector<Run>& runs,
                                      int64_t batch);

// Counts runs that are done: completed ones for their load, and those that
// failed permanently (memory, time, an unsupported operator) for every load.
class Collected {
 public:
  // Reads the runs of these devices that have a load.
  static Result<Collected> Read(RunStore& store,
                                const std::vector<Device>& devices);

  void Add(const Run& run);
  // As if the device had a completed run, or without a load one that failed
  // permanently.
  void AddSkipped(const std::string& device_id, int64_t batch,
                  const SkippedRun& skipped);
  // One thing to measure.
  struct Combination {
    std::string network;  // sha256 or recipe; see Workload::source
    int64_t batch = 1;
    std::string device_id;
    double load = 0;
  };
  // True when the combination was measured at least `times` times or failed
  // permanently.
  bool Has(const Combination& combination, size_t times) const;

 private:
  using Key = std::tuple<std::string, int64_t, std::string, int>;
  std::map<Key, size_t> done_;  // number of runs
};

}  // namespace mete
