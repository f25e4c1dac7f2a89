// Port: where runs, devices and the traits of networks are kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/device.h"
#include "domain/network_traits.h"
#include "domain/run.h"
#include "support/result.h"

namespace mete {

// Which runs to list, newest first.
struct RunFilter {
  std::optional<std::string> workload;  // name
  std::optional<std::string> device;    // name or id
  size_t limit = 0;                     // 0: all
};

// Every call is one transaction: it happened whole or not at all, also when
// the process is killed in the middle. Several processes may use one store.
class RunStore {
 public:
  virtual ~RunStore() = default;

  // Fails with kInvalidInput when the id is taken or the device unknown.
  virtual Status SaveRun(const Run& run) = 0;
  // By id or by an unambiguous beginning of one, samples included. Fails with
  // kNotFound, or kInvalidInput naming the candidates.
  virtual Result<Run> FindRun(const std::string& id) = 0;
  // Without samples and layers.
  virtual Result<std::vector<Run>> ListRuns(const RunFilter& filter) = 0;

  // Inserts, or replaces the device of the same id. Fails with kInvalidInput
  // when another device has the name.
  virtual Status SaveDevice(const Device& device) = 0;
  // By name or id. Fails with kNotFound.
  virtual Result<Device> FindDevice(const std::string& name_or_id) = 0;
  virtual Result<std::vector<Device>> ListDevices() = 0;  // by name
  // By name or id, with all its runs. Fails with kNotFound.
  virtual Status RemoveDevice(const std::string& name_or_id) = 0;

  // Inserts, or replaces what is known of the same file at the same batch.
  // Fails with kInvalidInput without a sha256.
  virtual Status SaveNetwork(const NetworkTraits& network) = 0;
  // Fails with kNotFound.
  virtual Result<NetworkTraits> FindNetwork(const std::string& sha256,
                                            int64_t batch) = 0;
  virtual Result<std::vector<NetworkTraits>> ListNetworks() = 0;  // by name
};

}  // namespace mete
