// The runs of a collection that are already stored, so that an interrupted
// collection resumes where it ended.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "domain/device.h"
#include "domain/run.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Counts runs that are done: completed ones for their load, and those that
// failed permanently (memory, time, an unsupported operator) for every load.
class Collected {
 public:
  // Reads the runs of these devices that have a load.
  static Result<Collected> Read(RunStore& store,
                                const std::vector<Device>& devices);

  void Add(const Run& run);
  // One thing to measure.
  struct Combination {
    std::string network;  // sha256 or recipe; see Workload::source
    int64_t batch = 1;
    std::string device_id;
    double load = 0;
  };
  // True when the combination was measured at least `times` times.
  bool Has(const Combination& combination, size_t times) const;

 private:
  using Key = std::tuple<std::string, int64_t, std::string, int>;
  std::map<Key, size_t> done_;  // number of runs
};

}  // namespace mete
