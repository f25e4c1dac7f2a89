#include "adapters/process/process_launcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <mutex>
#include <thread>

#include "adapters/process/keeper.h"
#include "cgroups/control_group.h"
#include "cgroups/group_folders.h"
#include "linux/interfaces.h"
#include "linux/opened_files.h"
#include "linux/perf_counters.h"
#include "linux/process_usage.h"
#include "linux/proportional_memory.h"
#include "linux/tree_usage.h"
#include "ports/launch_environment.h"
#include "support/core_list.h"

namespace mete {
namespace {

using Kind = KeeperReport::Kind;

// The kernel counts in blocks of 512 bytes, whatever the device.
Bytes ToBlocks(long count) { return Bytes{static_cast<uint64_t>(count) * 512}; }

// The peak of the largest process that was waited for. Absent if it may be that
// of the copy of mete that became the process.
std::optional<Bytes> ToResidentPeak(const rusage& ended,
                                    int64_t copy_kilobytes) {
  // The copy still grows a little between its report and exec.
  constexpr int64_t kGrowth = 1024;
  if (ended.ru_maxrss <= copy_kilobytes + kGrowth) return std::nullopt;
  return Kibibytes(static_cast<uint64_t>(ended.ru_maxrss));
}

// Usage of all ended processes as counted by wait(2).
ResourceUsage ToUsage(const rusage& ended, int64_t copy_kilobytes) {
  ResourceUsage usage;
  usage.cpu_user = ToSeconds(ended.ru_utime);
  usage.cpu_system = ToSeconds(ended.ru_stime);
  usage.cpu = *usage.cpu_user + *usage.cpu_system;
  usage.resident_peak = ToResidentPeak(ended, copy_kilobytes);
  usage.memory_peak = usage.resident_peak;
  usage.disk_read = ToBlocks(ended.ru_inblock);
  usage.disk_written = ToBlocks(ended.ru_oublock);
  usage.minor_faults = static_cast<uint64_t>(ended.ru_minflt);
  usage.major_faults = static_cast<uint64_t>(ended.ru_majflt);
  return usage;
}

// How long a keeper may take to end its processes before it is killed itself.
constexpr std::chrono::seconds kKeeperPatience{5};

// Passes on everything from the pipe until every writer has closed it, or the
// pipe is empty after a stop was requested.
void Drain(int pipe, const std::function<void(std::string_view)>& output,
           std::stop_token stop) {
  constexpr int kLookMilliseconds = 100;
  std::array<char, 65536> buffer;
  while (true) {
    pollfd wait{.fd = pipe, .events = POLLIN, .revents = 0};
    if (poll(&wait, 1, kLookMilliseconds) == 0) {
      if (stop.stop_requested()) return;
      continue;
    }
    ssize_t got = read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    if (output) output({buffer.data(), static_cast<size_t>(got)});
  }
}

class RunningProcess final : public RunningApplication {
 public:
  struct Parts {
    SystemRoot root;
    ControlGroup group;
    Keeper keeper;
    Result<PerfCounters> counters;
    LimitReport report;
    Descriptor output;
    std::function<void(std::string_view)> sink;
    std::unique_ptr<mete::OpenedFiles> files;  // empty: not recorded
  };

  explicit RunningProcess(Parts parts)
      : root_(std::move(parts.root)),
        notes_(std::move(parts.report.notes)),
        missing_limits_(std::move(parts.report.missing)),
        group_(std::move(parts.group)),
        keeper_(std::move(parts.keeper)),
        counters_(std::move(parts.counters)),
        output_(std::move(parts.output)),
        files_(std::move(parts.files)),
        reader_([this, sink = std::move(parts.sink)](std::stop_token stop) {
          Drain(output_.number(), sink, stop);
        }) {}

  ~RunningProcess() override { Kill(); }

  bool Wait(std::chrono::nanoseconds at_most) override {
    auto deadline = std::chrono::steady_clock::now() + at_most;
    std::chrono::nanoseconds left = at_most;
    while (!first_ended_) {
      Take(std::max(left, std::chrono::nanoseconds(0)));
      left = deadline - std::chrono::steady_clock::now();
      if (left.count() <= 0) break;
    }
    return first_ended_;
  }

  void Terminate() override {
    {
      std::lock_guard lock(mutex_);  // the last time that all are running
      proportional_.Look([this] { return Processes(); }, ReadMemory());
    }
    for (pid_t pid : Processes()) kill(pid, SIGTERM);
  }

  void Kill() override {
    if (settled_) return;
    settled_ = true;
    if (!all_ended_) keeper_.KillAll();
    const auto deadline = std::chrono::steady_clock::now() + kKeeperPatience;
    // The keeper kills generation after generation; processes that fork faster
    // than that are killed through the cgroup's list.
    while (!all_ended_) {
      for (pid_t pid : group_.Members()) kill(pid, SIGKILL);
      Take(std::chrono::milliseconds(20));
      // The application may have stopped its keeper.
      if (std::chrono::steady_clock::now() > deadline) {
        kill(keeper_.pid(), SIGKILL);
      }
    }
    if (orphaned_) KillOrphans();
    Settle();
  }

  ResourceUsage Usage() override {
    std::lock_guard lock(mutex_);
    ResourceUsage usage =
        group_.counts()  ? GroupUsage()
        : keeper_killed_ ? WithPeak({})
        : all_ended_     ? WithPeak(ToUsage(ended_, keeper_.copy_kilobytes()))
                         : WithPeak(LiveUsage());
    RemoveCpuBeforeStart(usage);
    if (counters_.ok()) usage.hardware = counters_->Read();
    if (!first_ended_) {
      if (auto now = ReadOwnTraffic(root_, keeper_.first())) traffic_ = now;
    }
    if (traffic_) {
      usage.network_received = traffic_->received;
      usage.network_sent = traffic_->sent;
    }
    if (files_ && !files_->complete()) files_->LookAtMappings(Processes());
    if (!all_ended_) {
      proportional_.LookIfDue([this] { return Processes(); }, usage.memory);
    }
    if (auto reading = proportional_.NearPeak(usage.memory_peak)) {
      usage.proportional_memory = reading->bytes;
      usage.proportional_at = reading->at;
    }
    return usage;
  }

  std::vector<int> ProcessIds() const override { return Processes(); }

  std::optional<std::vector<std::filesystem::path>> OpenedFiles() override {
    if (!files_) return std::nullopt;
    return files_->Files();
  }

  std::string Accounting() const override {
    return group_.counts() ? group_.Description() : "wait and /proc";
  }

  ProcessEnding Outcome() override {
    ProcessEnding ending;
    if (WIFEXITED(status_)) ending.exit_code = WEXITSTATUS(status_);
    if (WIFSIGNALED(status_)) ending.signal = WTERMSIG(status_);
    ending.lifetime = lifetime_;
    if (keeper_killed_) {
      ending.exit_code.reset();
      ending.evidence = "the mete-keeper process that watched it was killed";
    } else {
      ending.evidence = "wait status";
    }
    if (group_.counts()) {
      std::lock_guard lock(mutex_);
      ending.oom_kills = group_.Usage().oom_kills.value_or(0);
      if (!keeper_killed_ || ending.oom_kills > 0) {
        ending.evidence += ", " + group_.Description() + " oom_kill";
      }
    }
    return ending;
  }

  const std::vector<std::string>& notes() const override { return notes_; }
  std::vector<EnforcedLimit> MissingLimits() const override {
    return missing_limits_;
  }

  std::vector<AbsentProbe> AbsentProbes() const override {
    if (counters_.ok()) return {};
    return {{.probe = "perf", .reason = counters_.error().message()}};
  }

 private:
  // Waits for a report and stores its contents.
  void Take(std::chrono::nanoseconds at_most) {
    KeeperReport report;
    const KeeperNews news = keeper_.NextReport(at_most, report);
    if (news == KeeperNews::kNothing) return;
    std::lock_guard lock(mutex_);
    if (news == KeeperNews::kEnded) {
      orphaned_ = !all_ended_;
      keeper_killed_ = !first_ended_;
      first_ended_ = true;
      all_ended_ = true;
      return;
    }
    ended_ = report.usage;
    if (report.kind == Kind::kFirstEnded) {
      first_ended_ = true;
      status_ = report.status;
      lifetime_ = std::chrono::nanoseconds(report.lifetime_nanoseconds);
    }
    if (report.kind == Kind::kAllEnded) all_ended_ = true;
  }

  // Without its keeper, the application is what its cgroup or its session
  // holds. A process that left both may survive.
  void KillOrphans() {
    constexpr int kTries = 200;
    for (int i = 0; i < kTries; ++i) {
      const std::vector<pid_t> orphans =
          group_.empty() ? ProcessTree(root_, keeper_.first())
                         : group_.Members();
      if (orphans.empty()) break;
      for (pid_t pid : orphans) kill(pid, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    reader_.request_stop();
  }

  // After the last process has ended, its output is complete.
  void Settle() {
    if (reader_.joinable()) reader_.join();
    const bool unknown =
        !group_.counts() && !peak_ &&
        !ToResidentPeak(ended_, keeper_.copy_kilobytes()).has_value();
    if (unknown) {
      notes_.push_back(fmt::format(
          "the memory peak is unknown: without a cgroup, peaks below {} cannot "
          "be measured unless a sample shows them",
          FormatBytes(
              Kibibytes(static_cast<uint64_t>(keeper_.copy_kilobytes())))));
    }
  }

  // The duration does not include the time before the start either. A cgroup
  // counts user and system time in steps longer than that.
  void RemoveCpuBeforeStart(ResourceUsage& usage) const {
    auto remove = [](std::optional<Seconds>& time, Seconds before) {
      if (time) time = std::max(Seconds(0), *time - before);
    };
    const CpuBeforeStart& before = keeper_.cpu_before_start();
    if (group_.counts()) {
      remove(usage.cpu, before.group);
      return;
    }
    remove(usage.cpu, before.user + before.system);
    remove(usage.cpu_user, before.user);
    remove(usage.cpu_system, before.system);
  }

  std::optional<Bytes> ReadMemory() {
    return group_.counts() ? group_.Usage().memory : LiveUsage().memory;
  }

  // cgroup v1 often does not count storage traffic, and never delayed writes;
  // the kernel counts both for processes.
  ResourceUsage GroupUsage() {
    ResourceUsage usage = group_.Usage();
    const ResourceUsage ended = ToUsage(ended_, keeper_.copy_kilobytes());
    if (all_ended_) usage.resident_peak = ended.resident_peak;
    if (group_.version() != 1) return usage;
    usage.disk_read.reset();
    usage.disk_written.reset();
    if (keeper_killed_) return usage;  // its count is lost
    if (all_ended_) {
      usage.disk_read = ended.disk_read;
      usage.disk_written = ended.disk_written;
      return usage;
    }
    std::vector<int> pids = Processes();
    pids.push_back(keeper_.pid());  // has what it waited for
    if (auto traffic = ReadStorageTraffic(root_, pids)) {
      usage.disk_read = traffic->read;
      usage.disk_written = traffic->written;
    }
    return usage;
  }

  std::vector<pid_t> Processes() const {
    if (!group_.empty()) return group_.Members();
    std::vector<pid_t> tree = ProcessTree(root_, keeper_.pid());
    std::erase(tree, keeper_.pid());
    return tree;
  }

  // Without a cgroup: running processes, plus those the keeper waited for.
  ResourceUsage LiveUsage() {
    ResourceUsage usage = ReadUsageBelow(root_, keeper_.pid());
    for (const auto& seen : {usage.memory, usage.resident_peak}) {
      if (seen && (!peak_ || *seen > *peak_)) peak_ = seen;
    }
    return usage;
  }

  // The sum over the processes is only known at samples.
  ResourceUsage WithPeak(ResourceUsage usage) const {
    if (peak_ && (!usage.memory_peak || *peak_ > *usage.memory_peak)) {
      usage.memory_peak = peak_;
    }
    return usage;
  }

  SystemRoot root_;
  std::vector<std::string> notes_;
  std::vector<EnforcedLimit> missing_limits_;
  ControlGroup group_;  // outlives the keeper: its members end first
  Keeper keeper_;
  Result<PerfCounters> counters_;
  Descriptor output_;
  std::unique_ptr<mete::OpenedFiles> files_;
  // Guards group_ and what follows against Usage from another thread.
  std::mutex mutex_;
  bool first_ended_ = false;
  bool all_ended_ = false;
  bool keeper_killed_ = false;  // before the first process ended
  bool orphaned_ = false;       // the keeper was killed before all ended
  bool settled_ = false;        // Kill was called
  int status_ = 0;
  std::optional<std::chrono::nanoseconds> lifetime_;
  rusage ended_{};
  std::optional<Bytes> peak_;
  std::optional<NetworkTraffic> traffic_;  // at the last sample
  SystemClock clock_;
  ProportionalMemory proportional_{root_, clock_};
  std::jthread reader_;
};

// The variables of the user take the place of mete's own, not of given ones.
LaunchRequest WithUserVariables(LaunchRequest request) {
  if (!request.user) return request;
  request.environment.emplace("HOME", request.user->home);
  request.environment.emplace("USER", request.user->name);
  request.environment.emplace("LOGNAME", request.user->name);
  return request;
}

// What another user may know of mete's own variables, which may contain
// passwords: those that programs need to find files and to print text.
bool IsForEveryUser(const std::string& entry) {
  constexpr std::array kNames = {
      "PATH=", "LD_LIBRARY_PATH=", "LANG=", "LANGUAGE=", "LC_",
      "TZ=",   "TMPDIR="};
  return std::ranges::any_of(
      kNames, [&](const char* name) { return entry.starts_with(name); });
}

std::vector<std::string> BaseEnvironment(const LaunchRequest& request) {
  std::vector<std::string> own = OwnEnvironment();
  if (request.user) std::erase_if(own, std::not_fn(IsForEveryUser));
  return own;
}

// Files are recorded only in a cgroup, which shows who belongs to the
// application.
std::unique_ptr<OpenedFiles> RecordFiles(const SystemRoot& root,
                                         const ControlGroup& group) {
  if (group.empty()) return nullptr;
  auto is_member = [root, name = group.name()](pid_t pid) {
    if (pid == getpid()) return false;
    const std::string process = "/proc/" + std::to_string(pid);
    if (!root.Exists(process)) return true;  // perhaps
    return root.TextOrNone(process + "/cgroup").find(name) != std::string::npos;
  };
  return std::make_unique<OpenedFiles>(root, is_member);
}

}  // namespace

ProcessLauncher::ProcessLauncher(SystemRoot root) : root_(std::move(root)) {
  RemoveLeftoverGroups(root_);
}

Result<std::unique_ptr<RunningApplication>> ProcessLauncher::Start(
    const LaunchRequest& request) {
  if (request.command.empty() || request.command[0].empty()) {
    return InvalidInput("start: no command given");
  }
  LimitReport report;
  ASSIGN_OR_RETURN(ControlGroup group,
                   ControlGroup::Create(root_, request.limits, report));
  if (!group.counts()) {
    report.notes.push_back(
        "measured by wait and /proc: peak memory is the largest sum over "
        "processes at any sample");
  }
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return SystemError("make a pipe", errno);
  }
  Descriptor reader(ends[0]);
  KeptProgram program{.arguments = request.command,
                      .environment = EnvironmentFor(WithUserVariables(request),
                                                    BaseEnvironment(request)),
                      .folder = request.folder.string(),
                      .group_folders = group.folders(),
                      .pin = {},
                      .user = request.user,
                      .output = Descriptor(ends[1])};
  if (request.limits.pin) {
    ASSIGN_OR_RETURN(std::vector<int> cpus, ListCores(*request.limits.pin));
    program.pin = MakeCpuMask(cpus);
  }
  ASSIGN_OR_RETURN(program.groups, group.OpenEntries());
  program.cpu_counter = group.OpenCpuCounter();
  Result<PerfCounters> counters = Unavailable("performance counters");
  program.before_start = [&](pid_t keeper) {
    counters = PerfCounters::Open(root_, keeper);
  };
  std::unique_ptr<OpenedFiles> files;
  if (request.record_files) files = RecordFiles(root_, group);
  ASSIGN_OR_RETURN(Keeper keeper, Keeper::Start(std::move(program)));
  return std::unique_ptr<RunningApplication>(std::make_unique<RunningProcess>(
      RunningProcess::Parts{.root = root_,
                            .group = std::move(group),
                            .keeper = std::move(keeper),
                            .counters = std::move(counters),
                            .report = std::move(report),
                            .output = std::move(reader),
                            .sink = request.output,
                            .files = std::move(files)}));
}

}  // namespace mete
