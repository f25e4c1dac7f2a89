#include "adapters/host/linux_host.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "adapters/host/device_id.h"
#include "adapters/host/speed.h"
#include "linux/cgroup_facts.h"
#include "linux/cpu_affinity.h"
#include "linux/cpu_facts.h"
#include "linux/host_usage.h"
#include "linux/machine_facts.h"
#include "support/descriptor.h"

namespace mete {
namespace {

KernelAnswers AskKernel() {
  utsname name{};
  CHECK(uname(&name) == 0) << "uname";
  return {.architecture = name.machine, .cores = UsableCores()};
}

// Free memory, limited by the container's own limit.
Bytes SpareMemory(const SystemRoot& root) {
  Bytes spare = ReadMemory(root, "MemAvailable").value_or(Mebibytes(256));
  auto limit = ReadMemoryLimit(root, ReadCgroups(root));
  return limit ? std::min(spare, *limit) : spare;
}

// Three arrays per thread exceed any cache it can reach, and those of all
// threads take at most a quarter of the free memory.
Bytes ArraySize(const SystemRoot& root, int threads) {
  Bytes requested = Mebibytes(16);
  for (const CacheLevel& cache : ReadCaches(root)) {
    requested = std::max(requested, cache.size);
  }
  uint64_t allowed =
      SpareMemory(root).count / 4 / (3 * static_cast<uint64_t>(threads));
  return std::min({requested, Mebibytes(64), Bytes{allowed}});
}

// Share of the root file system's user-accessible space.
std::optional<double> DiskUsed(const SystemRoot& root) {
  struct statvfs disk {};
  if (statvfs(root.Locate("/").c_str(), &disk) != 0) return std::nullopt;
  auto used = static_cast<double>(disk.f_blocks - disk.f_bfree);
  double all = used + static_cast<double>(disk.f_bavail);
  if (all <= 0) return std::nullopt;
  return used / all;
}

}  // namespace

int UsableCores() {
  auto cpus = AllowedCpus();
  if (!cpus.empty()) return static_cast<int>(cpus.size());
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Result<std::string> LinuxHost::DeviceId() {
  return ReadDeviceId(root_, state_folder_);
}

std::string LinuxHost::HostName() {
  utsname name{};
  CHECK(uname(&name) == 0) << "uname";
  return name.nodename;
}

Result<DeviceFacts> LinuxHost::Facts() {
  return ReadDeviceFacts(root_, AskKernel());
}

Result<DeviceSpeed> LinuxHost::MeasureSpeed() {
  const int cores = UsableCores();
  const SpeedRequest request{.threads = cores,
                             .array = ArraySize(root_, cores)};
  DeviceSpeed speed;
  ASSIGN_OR_RETURN(speed.operations_per_second,
                   MeasureOperations(request, clock_));
  ASSIGN_OR_RETURN(speed.memory_bytes_per_second,
                   MeasureBandwidth(request, clock_));
  speed.measured_at = clock_.Wall();
  return speed;
}

Environment LinuxHost::ReadEnvironment() {
  Environment environment = ReadMachineState(root_, AskKernel());
  environment.disk_used = DiskUsed(root_);
  return environment;
}

std::optional<Bytes> LinuxHost::PeakMemory() { return ReadPeakMemory(root_); }

void LinuxHost::ResetPeakMemory() {
  // proc(5): "5" resets VmHWM to the current size. Where the kernel or a
  // container forbids it, the peak counts from the start, as documented in
  // Host.
  Descriptor file(open(root_.Locate("/proc/self/clear_refs").c_str(),
                       O_WRONLY | O_CLOEXEC));
  if (!file.open()) return;
  ssize_t written = write(file.number(), "5", 1);
  static_cast<void>(written);
}

std::optional<CpuTimes> LinuxHost::ReadCpuTimes() {
  std::vector<CoreTime> cores = ParseCoreTimes(root_.TextOrNone("/proc/stat"));
  if (cores.empty()) return std::nullopt;
  CpuTimes times{.cpus = static_cast<int>(cores.size())};
  for (const CoreTime& core : cores) {
    times.busy += core.user + core.system;
    times.stolen += core.stolen;
  }
  return times;
}

std::vector<int> LinuxHost::UsableCpus() { return AllowedCpus(); }

Status LinuxHost::PinThread(const std::vector<int>& cpus) {
  return SetAffinity(cpus);
}

}  // namespace mete
