// An in-memory SweepStore for tests.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ports/sweep_store.h"
#include "ports/unknown_errors.h"

namespace mete {

class MemorySweepStore final : public SweepStore {
 public:
  Status SaveSweep(const Sweep& sweep) override {
    if (sweep.id.empty()) return InvalidInput("save sweep: it has no id");
    sweeps_[sweep.id] = sweep;
    return {};
  }

  Result<Sweep> FindSweep(const std::string& id) override {
    if (id.empty()) return InvalidInput("find sweep: the id is empty");
    if (auto exact = sweeps_.find(id); exact != sweeps_.end()) {
      return exact->second;
    }
    const Sweep* found = nullptr;
    std::string candidates;  // in the order of their ids, oldest first
    size_t count = 0;
    for (auto entry = sweeps_.rbegin(); entry != sweeps_.rend(); ++entry) {
      if (!entry->first.starts_with(id)) continue;
      candidates += (found ? ", " : "") + entry->first;
      found = &entry->second;
      ++count;
    }
    if (count == 0) return UnknownSweep(id);
    if (count == 1) return *found;
    return InvalidInput("several sweeps begin with '" + id +
                        "': " + candidates);
  }

  Result<std::optional<Sweep>> UnfinishedSweep(
      const std::string& key) override {
    for (const auto& [id, sweep] : sweeps_) {
      if (sweep.key == key && !sweep.finished) return std::optional(sweep);
    }
    return std::optional<Sweep>();
  }

  Result<std::vector<Sweep>> ListSweeps() override {
    std::vector<Sweep> sweeps;
    for (const auto& [id, sweep] : sweeps_) sweeps.push_back(sweep);
    return sweeps;
  }

 private:
  std::map<std::string, Sweep, std::greater<>> sweeps_;  // newest first
};

}  // namespace mete
