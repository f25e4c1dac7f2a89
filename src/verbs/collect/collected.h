// What a store already holds of a collection, so that one that was broken off
// goes on where it ended.
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

// Runs count as done when they completed, and those that failed for good
// (memory, time, an operator the engine lacks) for every load.
class Collected {
 public:
  // Looks through the runs of these devices that have a load.
  static Result<Collected> Read(RunStore& store,
                                const std::vector<Device>& devices);

  void Add(const Run& run);
  // What is to be measured.
  struct Combination {
    std::string network;  // a sha256 or how it was made: Workload::source
    int64_t batch = 1;
    std::string device_id;
    double load = 0;
  };
  bool Has(const Combination& combination, size_t times) const;

 private:
  using Key = std::tuple<std::string, int64_t, std::string, int>;
  std::map<Key, size_t> done_;  // runs
};

}  // namespace mete
