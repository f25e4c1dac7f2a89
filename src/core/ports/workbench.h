// Port: a device to measure on, which is this machine or a control group that
// stands in for a smaller one, and the processes of mete's own that run on it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "machine/limits.h"
#include "ports/launcher.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// What a process on the bench is for. Each kind has its part of the device and
// is counted apart.
enum class BenchRole {
  kWorkload,  // what is measured
  kLoad,      // keeps the device busy beside it
};

// One process, told and telling lines. One thread at a time.
class BenchProcess {
 public:
  // Ends it at once.
  virtual ~BenchProcess() = default;

  // `line` without its end. Fails with kUnavailable when it has ended.
  virtual Status Send(const std::string& line) = 0;
  // The next line that begins with "{"; others are kept as last words. Fails
  // with kTimeout, kInterrupted, or kUnavailable when it has ended: then
  // Ending says how.
  virtual Result<std::string> Receive(Seconds at_most,
                                      std::stop_token stop) = 0;
  virtual ProcessEnding Ending() = 0;
  // What it said last besides lines for us; "" when nothing.
  virtual const std::string& last_words() const = 0;
};

// CPU time used so far, to be compared with an earlier look.
struct BenchUsage {
  std::chrono::nanoseconds at{0};  // monotonic
  Seconds workload{0};
  // Everything else that competes with it: the load of an emulated device,
  // all other processes of a machine.
  Seconds others{0};
};

// The device while it is being used. What it made is removed with it.
class Workbench {
 public:
  virtual ~Workbench() = default;

  // `arguments` are words for mete itself. Fails with kUnavailable or
  // kUnsupported.
  virtual Result<std::unique_ptr<BenchProcess>> Start(
      BenchRole role, const std::vector<std::string>& arguments) = 0;
  // Keeps this share of the device's CPUs from the workload, for the load. Only
  // where the device is no whole number of cores: there the kernel hands out a
  // period's quota to whoever runs first, and weights do not help. Elsewhere
  // the two just compete.
  virtual Status KeepForLoad(double share) = 0;
  virtual BenchUsage Usage() = 0;
  // That a workload could still get; absent when unknown.
  virtual std::optional<Bytes> MemoryAvailable() = 0;
  // One sentence for each thing that is not as it should be.
  virtual const std::vector<std::string>& notes() const = 0;
};

// How the device is made. Absent: this machine, whole.
struct BenchRequest {
  std::optional<Limits> limits;  // of an emulated device: cpus and memory
  std::chrono::microseconds period{0};  // of the CPU quota
};

class WorkbenchMaker {
 public:
  virtual ~WorkbenchMaker() = default;
  // Fails with kPermissionDenied when limits are wanted and no control group
  // can be made, and with kUnsupported when the kernel refuses a limit.
  virtual Result<std::unique_ptr<Workbench>> Open(
      const BenchRequest& request) = 0;
  // For files of whoever uses the benches: removed with the maker, and by the
  // next one when this process is killed.
  virtual Result<std::filesystem::path> Folder() = 0;
};

}  // namespace mete
