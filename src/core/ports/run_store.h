// Port: stores runs, devices and the traits of networks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/device.h"
#include "domain/network_traits.h"
#include "domain/run.h"
#include "support/result.h"

namespace mete {

// Which runs to list, newest first. Absent fields do not filter.
struct RunFilter {
  std::optional<std::string> workload;  // name
  std::optional<std::string> device;    // name or id
  size_t limit = 0;                     // 0: all
};

// Stores runs, devices and networks. Every call is one transaction: it happens
// completely or not at all, even when the process is killed. Several processes
// may use one store.
class RunStore {
 public:
  virtual ~RunStore() = default;

  // Fails with kPermissionDenied when this store can only be read. For asking
  // before a measurement; a later save may still fail.
  virtual Status CheckWritable() { return {}; }

  // Fails with kInvalidInput when the id exists or the device is unknown.
  virtual Status SaveRun(const Run& run) = 0;
  // By id or an unambiguous prefix, including samples. Fails with kNotFound, or
  // with kInvalidInput and a list of the candidates.
  virtual Result<Run> FindRun(const std::string& id) = 0;
  // Without samples and layers.
  virtual Result<std::vector<Run>> ListRuns(const RunFilter& filter) = 0;

  // Inserts, or replaces the device with the same id. Fails with kInvalidInput
  // when another device has the name.
  virtual Status SaveDevice(const Device& device) = 0;
  // By name or id. Fails with kNotFound.
  virtual Result<Device> FindDevice(const std::string& name_or_id) = 0;
  virtual Result<std::vector<Device>> ListDevices() = 0;  // by name
  // By name or id, with all its runs. Fails with kNotFound.
  virtual Status RemoveDevice(const std::string& name_or_id) = 0;

  // Inserts, or replaces the traits of the same file at the same batch. Fails
  // with kInvalidInput without a sha256.
  virtual Status SaveNetwork(const NetworkTraits& network) = 0;
  // Fails with kNotFound.
  virtual Result<NetworkTraits> FindNetwork(const std::string& sha256,
                                            int64_t batch) = 0;
  virtual Result<std::vector<NetworkTraits>> ListNetworks() = 0;  // by name
};

}  // namespace mete
