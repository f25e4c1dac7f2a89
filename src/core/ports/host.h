// Port: the machine mete runs on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/device.h"
#include "domain/run.h"
#include "support/result.h"

namespace mete {

// The local machine.
class Host {
 public:
  virtual ~Host() = default;

  // A stable, anonymous id: a hash of the machine id, so that neither a new
  // network card nor a new host name makes it another device.
  virtual Result<std::string> DeviceId() = 0;
  virtual std::string HostName() = 0;
  virtual Result<DeviceFacts> Facts() = 0;
  // Takes about two seconds on all cores.
  virtual Result<DeviceSpeed> MeasureSpeed() = 0;
  // Conditions that could influence a measurement made now.
  virtual Environment ReadEnvironment() = 0;

  // Peak resident memory of this process since ResetPeakMemory, or since its
  // start where the kernel cannot reset it. Absent when unreadable.
  virtual std::optional<Bytes> PeakMemory() = 0;
  virtual void ResetPeakMemory() = 0;

  // CPU time of the whole machine so far. Absent when unreadable.
  virtual std::optional<CpuTimes> ReadCpuTimes() = 0;
  // The CPUs that this thread may use, ascending.
  virtual std::vector<int> UsableCpus() = 0;
  // Binds this thread, and the threads it starts from now on, to these CPUs.
  // Fails with kInvalidInput when one of them does not exist or is not allowed.
  virtual Status PinThread(const std::vector<int>& cpus) = 0;
};

}  // namespace mete
