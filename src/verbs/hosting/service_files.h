// The records of hosted services: one JSON file each, in the state folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "ports/service_host.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

Json HostedServiceToJson(const HostedService& service);
Result<HostedService> HostedServiceFromJson(const Json& json);

// The folder of the records. ID.json is the record and ID.log the output.
// ID.run is a folder for the service itself, with its port while it runs: what
// a service writes there is not to be trusted.
class ServiceFiles {
 public:
  explicit ServiceFiles(std::filesystem::path folder)
      : folder_(std::move(folder)) {}

  // Creates the folder, readable by its owner only.
  Status Write(const HostedService& service) const;
  // Fails with kNotFound for an unknown id, and with kCorrupt, also for a
  // record of another id.
  Result<HostedService> Read(const std::string& id) const;
  // Oldest first. Files that are no records are left out.
  Result<std::vector<HostedService>> ReadAll() const;
  // Removes everything of this service.
  void Remove(const std::string& id) const;

  std::filesystem::path RecordFile(const std::string& id) const;
  std::filesystem::path LogFile(const std::string& id) const;
  std::filesystem::path RunFolder(const std::string& id) const;
  std::filesystem::path PortFile(const std::string& id) const;

 private:
  std::filesystem::path folder_;
};

// Changes when the machine starts: a pid and start time from before may be
// those of another process now.
std::string BootId(const SystemRoot& root);

// True for ids that mete makes. Anything else could be a path.
bool IsServiceId(const std::string& id);

}  // namespace mete
