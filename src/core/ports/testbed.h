// Port: a device to measure on, which is this machine or a cgroup that emulates
// a smaller one, and mete's own processes that run on it.
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

// The purpose of a process on the testbed. Each role has its own part of the
// device and is accounted separately.
enum class TestbedRole {
  kWorkload,  // the measured workload
  kLoad,      // keeps the device busy next to it
};

// A process that exchanges lines with us. Not thread-safe.
class TestbedProcess {
 public:
  // Kills it.
  virtual ~TestbedProcess() = default;

  // `line` has no line end. Fails with kUnavailable when the process has ended.
  virtual Status Send(const std::string& line) = 0;
  // The next line that begins with "{"; other lines go to last_words. Fails
  // with kTimeout, kInterrupted, or kUnavailable when the process has ended;
  // then Ending says how.
  virtual Result<std::string> Receive(Seconds at_most,
                                      std::stop_token stop) = 0;
  virtual ProcessEnding Ending() = 0;
  // Its last output besides lines for us; may be "".
  virtual const std::string& last_output() const = 0;
};

// CPU time used so far, for comparison with an earlier reading.
struct TestbedUsage {
  std::chrono::nanoseconds at{0};  // monotonic
  Seconds workload{0};
  // Everything else that competes with it: the load on an emulated device, or
  // all other processes of a machine.
  Seconds others{0};
};

// The device while it is in use. The destructor removes what it created.
class Testbed {
 public:
  virtual ~Testbed() = default;

  // `arguments` are command-line arguments for mete itself. Fails with
  // kUnavailable or kUnsupported.
  virtual Result<std::unique_ptr<TestbedProcess>> Start(
      TestbedRole role, const std::vector<std::string>& arguments) = 0;
  // Reserves this share of the device's CPUs for the load. Only has an effect
  // where the device does not have a whole number of cores: there the kernel
  // gives the quota of a period to whatever runs first, and weights do not
  // help. Elsewhere the two simply compete.
  virtual Status KeepForLoad(double share) = 0;
  virtual TestbedUsage Usage() = 0;
  // Memory available to a workload; absent when unknown.
  virtual std::optional<Bytes> MemoryAvailable() = 0;
  // One sentence for each thing that is not as it should be.
  virtual const std::vector<std::string>& notes() const = 0;
};

// How to create the device. Absent limits: this machine as a whole.
struct TestbedRequest {
  std::optional<Limits> limits;  // of an emulated device: cpus and memory
  std::chrono::microseconds period{0};  // of the CPU quota
};

// Creates testbeds.
class TestbedFactory {
 public:
  virtual ~TestbedFactory() = default;
  // Fails with kPermissionDenied when limits are requested and no cgroup can be
  // created, and with kUnsupported when the kernel rejects a limit.
  virtual Result<std::unique_ptr<Testbed>> Open(
      const TestbedRequest& request) = 0;
  // A folder for files of the caller: removed with the maker, or by the next
  // one if this process is killed.
  virtual Result<std::filesystem::path> Folder() = 0;
};

}  // namespace mete
