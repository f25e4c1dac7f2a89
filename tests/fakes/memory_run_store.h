// An in-memory RunStore for tests.
#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ports/run_store.h"
#include "ports/unknown_errors.h"

namespace mete {

class MemoryRunStore final : public RunStore {
 public:
  std::optional<Error> save_failure;  // of every save, e.g. for a full disk
  std::optional<Error> find_failure;  // of every search for a run by id
  bool read_only = false;

  Status CheckWritable() override {
    if (!read_only) return {};
    return Error(ErrorCode::kPermissionDenied, "the store is read-only");
  }

  Status SaveRun(const Run& run) override {
    if (save_failure) return *save_failure;
    if (run.id.empty()) return InvalidInput("save run: it has no id");
    if (runs_.count(run.id) > 0) {
      return InvalidInput("save run " + run.id + ": the id already exists");
    }
    if (devices_.count(run.device_id) == 0) {
      return InvalidInput("save run " + run.id + ": no device has the id '" +
                          run.device_id + "'");
    }
    runs_[run.id] = run;
    return {};
  }

  Result<Run> FindRun(const std::string& id) override {
    if (find_failure) return *find_failure;
    if (id.empty()) return InvalidInput("find run: the id is empty");
    if (auto exact = runs_.find(id); exact != runs_.end()) {
      return exact->second;
    }
    std::vector<const Run*> found;
    std::vector<std::string> candidates;
    for (const auto& [candidate, run] : runs_) {
      if (candidate.compare(0, id.size(), id) != 0) continue;
      candidates.push_back(candidate);
      found.push_back(&run);
    }
    if (found.empty()) return UnknownRun(id);
    if (found.size() == 1) return *found[0];
    return InvalidInput(fmt::format("several runs begin with '{}': {}", id,
                                    fmt::join(candidates, ", ")));
  }

  Result<std::vector<Run>> ListRuns(const RunFilter& filter) override {
    std::vector<Run> runs;
    for (const auto& [id, run] : runs_) {
      if (Matches(run, filter)) runs.push_back(run);
    }
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
      return std::tie(a.started_at, a.id) > std::tie(b.started_at, b.id);
    });
    if (filter.limit > 0 && runs.size() > filter.limit) {
      runs.resize(filter.limit);
    }
    for (Run& run : runs) {
      if (!run.network()) continue;
      run.network()->samples.clear();
      run.network()->layers.clear();
    }
    return runs;
  }

  Status SaveDevice(const Device& device) override {
    if (device.id.empty() || device.name.empty()) {
      return InvalidInput("save device: it has no id or no name");
    }
    for (const auto& [id, other] : devices_) {
      if (other.name == device.name && id != device.id) {
        return InvalidInput("save device " + device.name +
                            ": the name belongs to " + id);
      }
    }
    devices_[device.id] = device;
    return {};
  }

  Result<Device> FindDevice(const std::string& name_or_id) override {
    if (auto exact = devices_.find(name_or_id); exact != devices_.end()) {
      return exact->second;
    }
    for (const auto& [id, device] : devices_) {
      if (device.name == name_or_id) return device;
    }
    return UnknownDevice(name_or_id);
  }

  Result<std::vector<Device>> ListDevices() override {
    std::vector<Device> devices;
    for (const auto& [id, device] : devices_) devices.push_back(device);
    std::sort(devices.begin(), devices.end(),
              [](const Device& a, const Device& b) { return a.name < b.name; });
    return devices;
  }

  Status RemoveDevice(const std::string& name_or_id) override {
    ASSIGN_OR_RETURN(Device device, FindDevice(name_or_id));
    std::erase_if(runs_, [&](const auto& entry) {
      return entry.second.device_id == device.id;
    });
    devices_.erase(device.id);
    return {};
  }

  Status SaveNetwork(const NetworkTraits& network) override {
    if (network.sha256.empty()) {
      return InvalidInput("save network: it has no sha256");
    }
    networks_[{network.sha256, network.batch}] = network;
    return {};
  }

  Result<NetworkTraits> FindNetwork(const std::string& sha256,
                                    int64_t batch) override {
    auto found = networks_.find({sha256, batch});
    if (found != networks_.end()) return found->second;
    return NotFound("no network has the sha256 '" + sha256 + "' at batch " +
                    std::to_string(batch));
  }

  Result<std::vector<NetworkTraits>> ListNetworks() override {
    std::vector<NetworkTraits> networks;
    for (const auto& [key, network] : networks_) networks.push_back(network);
    std::sort(networks.begin(), networks.end(),
              [](const NetworkTraits& a, const NetworkTraits& b) {
                return std::tie(a.name, a.sha256, a.batch) <
                       std::tie(b.name, b.sha256, b.batch);
              });
    return networks;
  }

 private:
  bool Matches(const Run& run, const RunFilter& filter) const {
    if (filter.workload && run.workload.name != *filter.workload) return false;
    if (!filter.device) return true;
    auto device = devices_.find(run.device_id);
    return run.device_id == *filter.device ||
           (device != devices_.end() && device->second.name == *filter.device);
  }

  std::map<std::string, Run> runs_;
  std::map<std::string, Device> devices_;
  std::map<std::pair<std::string, int64_t>, NetworkTraits> networks_;
};

}  // namespace mete
