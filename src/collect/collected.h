// What a store already holds of a collection, so that one that was broken off
// goes on where it ended.
#pragma once

#include <set>
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
  // `network` is a sha256 or how the network was made: Workload::source.
  bool Has(const std::string& network, const std::string& device_id,
           double load) const;

 private:
  using Key = std::tuple<std::string, std::string, int>;
  std::set<Key> done_;
};

}  // namespace mete
