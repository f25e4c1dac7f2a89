// Services of this machine that outlive mete, each kept by a process of its own
// (`mete place keep`).
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "hosting/service_files.h"
#include "linux/system_root.h"
#include "ports/service_host.h"
#include "support/clock.h"

namespace mete {

// What the services need.
struct DetachedServicesDependencies {
  Clock& clock;
  SystemRoot root;
  // Starts `mete place keep ID`, detached from this process and its terminal,
  // with its messages in `log`.
  std::function<Status(const std::string& id, const std::filesystem::path& log)>
      start_keeper;
  std::function<std::string()> draw_id;
  std::filesystem::path folder;  // of the records
};

// Starts, lists and ends them.
class DetachedServices final : public ServiceHost {
 public:
  explicit DetachedServices(DetachedServicesDependencies dependencies)
      : needs_(std::move(dependencies)), files_(needs_.folder) {}

  Result<HostedService> Start(const ServiceOrder& order,
                              std::stop_token stop) override;
  Result<std::vector<HostedService>> List(std::stop_token stop) override;
  Status Stop(const std::string& id, std::stop_token stop) override;

 private:
  // Whether the process that keeps it still runs.
  bool IsKept(const HostedService& service) const;
  // Without control characters; a note if the log is empty.
  std::string LastLogLine(const std::string& id) const;
  void AwaitKeeper(const std::string& id, std::chrono::nanoseconds begin);
  Status EndKeeper(const HostedService& service, std::stop_token stop);

  DetachedServicesDependencies needs_;
  ServiceFiles files_;
};

}  // namespace mete
