#include "adapters/process/process_testbed.h"

#include <fmt/format.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include "adapters/process/testbed_process.h"
#include "cgroups/control_group.h"
#include "cgroups/group_folders.h"
#include "linux/host_usage.h"
#include "linux/machine_facts.h"
#include "ports/launch_environment.h"
#include "support/clock.h"

namespace mete {
namespace {

// The load requests a share of the device and gets it, whatever the workload
// does: so the load before a run, which a predictor knows, is also the load
// during it. The generator keeps it from taking more.
constexpr int kLoadWeight = 16;
// An emulated device gets its share before everything else on this machine: it
// must not depend on other processes. The largest weight of cgroup v2.
constexpr int kDeviceWeight = 100;

// The last cores that this process may use: the first ones serve more
// interrupts.
std::string LastCores(size_t count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
  }
  auto first = cores.end() - static_cast<std::ptrdiff_t>(
                                 std::min<size_t>(count, cores.size()));
  return fmt::format("{}", fmt::join(first, cores.end(), ","));
}

// CPU time of the whole machine, without stolen time.
Seconds MachineTime(const SystemRoot& root) {
  std::chrono::nanoseconds busy{0};
  for (const CoreTime& core : ParseCoreTimes(root.TextOrNone("/proc/stat"))) {
    busy += core.user + core.system;
  }
  return busy;
}

// CPU time of one process, where no cgroup counts it; absent once it has ended.
std::optional<Seconds> ProcessTime(int pid) {
  clockid_t clock = 0;
  timespec time{};
  if (clock_getcpuclockid(pid, &clock) != 0) return std::nullopt;
  if (clock_gettime(clock, &time) != 0) return std::nullopt;
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

Seconds GroupTime(const SystemRoot& root, const ControlGroup& group) {
  return ReadGroupUsage(root, group.Paths()).cpu.value_or(Seconds(0));
}

class ProcessTestbed final : public Testbed {
 public:
  struct Parts {
    SystemRoot root;
    std::string program;
    std::vector<std::string> environment;
    // For an emulated device.
    std::optional<Bytes> memory;
    std::optional<Millicores> cpus;
    std::chrono::microseconds period{0};
    std::vector<std::string> notes;
  };

  ProcessTestbed(Parts parts, ControlGroup device)
      : parts_(std::move(parts)), device_(std::move(device)) {}

  Status MakeStations() {
    if (device_.empty()) return {};
    ASSIGN_OR_RETURN(ControlGroup workload, device_.CreateInner("workload", 1));
    workload_.emplace(std::move(workload));
    ASSIGN_OR_RETURN(ControlGroup load,
                     device_.CreateInner("load", kLoadWeight));
    load_.emplace(std::move(load));
    return {};
  }

  Result<std::unique_ptr<TestbedProcess>> Start(
      TestbedRole role, const std::vector<std::string>& arguments) override {
    const std::optional<ControlGroup>& group =
        role == TestbedRole::kWorkload ? workload_ : load_;
    KeptTestbedProcess::Request request{.command = {parts_.program},
                                        .environment = parts_.environment,
                                        .group = group ? &*group : nullptr,
                                        .group_folders = {}};
    request.command.insert(request.command.end(), arguments.begin(),
                           arguments.end());
    if (group) request.group_folders = AllFolders();
    ASSIGN_OR_RETURN(auto process,
                     KeptTestbedProcess::Start(std::move(request)));
    if (role == TestbedRole::kWorkload) workload_pid_ = process->pid();
    return std::unique_ptr<TestbedProcess>(std::move(process));
  }

  Status KeepForLoad(double share) override {
    if (!parts_.cpus || parts_.cpus->count % 1000 == 0) return {};
    // Remove the limit first: every step must fit into the device's quota.
    RETURN_IF_ERROR(RemoveCpuLimit(parts_.root, workload_->Paths()));
    if (share <= 0) return {};
    Millicores left{std::max<int64_t>(
        1,
        std::llround(static_cast<double>(parts_.cpus->count) * (1 - share)))};
    std::chrono::microseconds enough{
        kShortestQuota.count() * 1000 / left.count + 1};
    LimitReport report;
    return ApplyLimits(parts_.root, workload_->Paths(), {.cpus = left}, report,
                       std::max(parts_.period, enough));
  }

  TestbedUsage Usage() override {
    TestbedUsage usage{.at = clock_.Now()};
    if (parts_.cpus) {
      usage.workload = GroupTime(parts_.root, *workload_);
      usage.others = GroupTime(parts_.root, *load_);
      return usage;
    }
    if (workload_) {
      usage.workload = GroupTime(parts_.root, *workload_);
    } else if (workload_pid_ != 0) {
      usage.workload = ProcessTime(workload_pid_).value_or(Seconds(0));
    }
    usage.others = MachineTime(parts_.root) - usage.workload;
    return usage;
  }

  std::optional<Bytes> MemoryAvailable() override {
    auto free = ReadMemory(parts_.root, "MemAvailable");
    if (!parts_.memory) return free;
    Bytes used =
        ReadGroupUsage(parts_.root, device_.Paths()).memory.value_or(Bytes{0});
    Bytes left{parts_.memory->count -
               std::min(parts_.memory->count, used.count)};
    return free ? std::min(*free, left) : left;
  }

  const std::vector<std::string>& notes() const override {
    return parts_.notes;
  }

 private:
  // Inner cgroups first: whichever process ends last can then remove all.
  std::vector<std::string> AllFolders() const {
    std::vector<std::string> all;
    for (const ControlGroup* group : {&*workload_, &*load_, &device_}) {
      for (std::string& folder : group->folders()) {
        all.push_back(std::move(folder));
      }
    }
    return all;
  }

  Parts parts_;
  SystemClock clock_;
  ControlGroup device_;  // outlives those in it
  std::optional<ControlGroup> workload_;
  std::optional<ControlGroup> load_;
  int workload_pid_ = 0;
};

}  // namespace

ProcessTestbedFactory::ProcessTestbedFactory(
    std::string program, std::map<std::string, std::string> environment,
    SystemRoot root)
    : program_(std::move(program)),
      environment_(std::move(environment)),
      root_(std::move(root)) {}

Result<std::filesystem::path> ProcessTestbedFactory::Folder() {
  if (!folder_) {
    ASSIGN_OR_RETURN(folder_, ScratchFolder::Create());
  }
  return folder_->path();
}

Result<std::unique_ptr<Testbed>> ProcessTestbedFactory::Open(
    const TestbedRequest& request) {
  RemoveLeftoverGroups(root_);
  Limits limits;
  auto period = kDefaultQuotaPeriod;
  if (request.limits) {
    limits = *request.limits;
    limits.threads.reset();
    size_t cores = static_cast<size_t>((limits.cpus->count + 999) / 1000);
    limits.cpuset = LastCores(cores);
    period = request.period;
  }
  LimitReport report;
  ASSIGN_OR_RETURN(ControlGroup device,
                   ControlGroup::Create(root_, limits, report, period));
  if (request.limits && !report.notes.empty()) {
    return Error(ErrorCode::kPermissionDenied,
                 "emulating a device requires cgroups for memory, cpu and "
                 "cpuset; run as root, or in a delegated cgroup");
  }
  if (request.limits) {
    RETURN_IF_ERROR(ApplyWeight(root_, device.Paths(), kDeviceWeight));
  }
  if (device.empty()) {
    report.notes = {
        "no cgroups: the background load may be lower than requested"};
  }
  LaunchRequest launch{.environment = environment_};
  auto testbed = std::make_unique<ProcessTestbed>(
      ProcessTestbed::Parts{
          .root = root_,
          .program = program_,
          .environment = EnvironmentFor(launch, OwnEnvironment()),
          .memory = limits.memory,
          .cpus = limits.cpus,
          .period = period,
          .notes = std::move(report.notes)},
      std::move(device));
  RETURN_IF_ERROR(testbed->MakeStations());
  return std::unique_ptr<Testbed>(std::move(testbed));
}

}  // namespace mete
