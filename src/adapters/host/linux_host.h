// Implements Host for Linux.
#pragma once

#include <filesystem>

#include "linux/system_root.h"
#include "ports/host.h"
#include "support/clock.h"

namespace mete {

// Reads below `root`, which is "/" except in tests. `state_folder` stores the
// device id if the machine has none. Thread-safe.
class LinuxHost final : public Host {
 public:
  LinuxHost(std::filesystem::path root, std::filesystem::path state_folder)
      : root_(std::move(root)), state_folder_(std::move(state_folder)) {}

  Result<std::string> DeviceId() override;
  std::string HostName() override;
  Result<DeviceFacts> Facts() override;
  Result<DeviceSpeed> MeasureSpeed() override;
  Environment ReadEnvironment() override;
  std::optional<Bytes> PeakMemory() override;
  void ResetPeakMemory() override;
  std::optional<CpuTimes> ReadCpuTimes() override;
  std::vector<int> UsableCpus() override;
  Status PinThread(const std::vector<int>& cpus) override;

 private:
  SystemRoot root_;
  std::filesystem::path state_folder_;
  SystemClock clock_;
};

// Cores this process may run on (sched_getaffinity), at least 1.
int UsableCores();

}  // namespace mete
