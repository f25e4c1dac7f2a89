#include "adapters/docker/running_container.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "adapters/docker/engine_json.h"
#include "cgroups/group_folders.h"
#include "linux/interfaces.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

// As in Docker and shells: exit codes above this are signal numbers plus 128.
constexpr int kSignalBase = 128;
constexpr int kLastSignal = 64;

// The engine's runtime grows a little between the last look at it and the start
// of the program.
constexpr Bytes kRuntimeGrowth = Mebibytes(1);

template <typename T>
void Subtract(std::optional<T>& total, const std::optional<T>& before) {
  if (total && before) *total = *total > *before ? *total - *before : T{};
}

void Subtract(std::optional<Bytes>& total, const std::optional<Bytes>& before) {
  if (!total || !before) return;
  total->count -= std::min(total->count, before->count);
}

// Counters since the start, without what was there before.
ResourceUsage Since(ResourceUsage usage, const ResourceUsage& before) {
  Subtract(usage.cpu, before.cpu);
  Subtract(usage.cpu_user, before.cpu_user);
  Subtract(usage.cpu_system, before.cpu_system);
  Subtract(usage.periods, before.periods);
  Subtract(usage.throttled_periods, before.throttled_periods);
  Subtract(usage.throttled, before.throttled);
  Subtract(usage.minor_faults, before.minor_faults);
  Subtract(usage.major_faults, before.major_faults);
  Subtract(usage.disk_read, before.disk_read);
  Subtract(usage.disk_written, before.disk_written);
  // Nothing runs without CPU time or memory: what is 0 was not counted, because
  // the container ended before it was seen or ran in another cgroup.
  if (usage.cpu == Seconds(0)) {
    usage.cpu.reset();
    usage.cpu_user.reset();
    usage.cpu_system.reset();
  }
  if (usage.memory_peak == Bytes{0}) usage.memory_peak.reset();
  return usage;
}

}  // namespace

Result<std::unique_ptr<RunningApplication>> RunningContainer::Start(
    Parts parts) {
  std::unique_ptr<RunningContainer> container(
      new RunningContainer(std::move(parts)));
  RETURN_IF_ERROR(container->Start());
  container->Follow();
  return std::unique_ptr<RunningApplication>(std::move(container));
}

RunningContainer::RunningContainer(Parts parts)
    : api_(parts.api),
      root_(std::move(parts.root)),
      parent_(std::move(parts.parent)),
      id_(std::move(parts.id)),
      stop_signal_(std::move(parts.stop_signal)),
      output_(std::move(parts.output)),
      notes_(std::move(parts.notes)) {}

void RunningContainer::Follow() {
  follower_ = std::jthread([this](std::stop_token stop) {
    auto sink = [this](std::string_view text) {
      delivered_ += text.size();
      if (output_) output_(text);
    };
    Status followed = api_.Logs(id_, sink, stop);
    std::lock_guard lock(mutex_);
    output_ended_ = followed.ok();
    change_.notify_all();
  });
}

Status RunningContainer::Start() {
  StartWatch watch(root_, parent_, id_);
  Status started = api_.Start(id_);
  seen_ = watch.Finish();
  if (!started.ok()) {
    std::lock_guard lock(mutex_);
    ended_ = true;
    return started;
  }
  if (!seen_.program_start) FindProcess();
  if (seen_.group) reader_.emplace(root_, *seen_.group);
  if (seen_.group && !seen_.before.cpu) {
    notes_.push_back(
        "CPU time and memory peak include the container's own start, which "
        "could not be observed");
  }
  watcher_ = std::jthread([this](std::stop_token stop) { AwaitEnd(stop); });
  return {};
}

void RunningContainer::FindProcess() {
  // may be a process of the runtime that is long gone
  seen_.process = Descriptor();
  auto state = api_.Inspect(id_);
  if (!state.ok() || state->pid <= 0) return;
  seen_.process = OpenProcess(state->pid);
  if (seen_.group) return;
  CgroupPaths paths = FindCgroupPaths(root_, state->pid);
  if (paths.memory) seen_.group = paths;
}

RunningContainer::~RunningContainer() {
  Kill();
  static_cast<void>(api_.Remove(id_).ok());
}

bool RunningContainer::Wait(nanoseconds at_most) {
  std::unique_lock lock(mutex_);
  return change_.wait_for(lock, at_most, [this] { return ended_; });
}

// Before mete ends it: reads what is only available while it is running.
void RunningContainer::LookOnceMore() {
  std::lock_guard lock(reading_);
  std::optional<Bytes> memory;
  if (reader_) memory = ToUsage(reader_->Read()).memory;
  proportional_.Look([this] { return ProcessIds(); }, memory);
}

void RunningContainer::Terminate() {
  LookOnceMore();
  std::string signal = stop_signal_.empty() ? "SIGTERM" : stop_signal_;
  // Fails when it has just ended, which was the intention.
  static_cast<void>(api_.Signal(id_, signal).ok());
}

void RunningContainer::Kill() {
  constexpr std::chrono::seconds kPatience{30};
  if (!Ended()) {
    LookOnceMore();
    static_cast<void>(api_.Signal(id_, "SIGKILL").ok());
    Wait(kPatience);
  }
  watcher_ = std::jthread();  // stops and waits
  FinishOutput();
  if (!std::exchange(settled_, true)) NoteUnknownPeak();
}

void RunningContainer::NoteUnknownPeak() {
  if (!seen_.runtime_peak || Usage().memory_peak) return;
  notes_.push_back(fmt::format(
      "the memory peak is unknown: the container's own start needs {}, and "
      "less cannot be measured unless a sample shows it",
      FormatBytes(*seen_.runtime_peak)));
}

// The engine ends the stream with the container, but Podman may fail to: then
// the rest is requested.
void RunningContainer::FinishOutput() {
  if (!follower_.joinable()) return;
  constexpr std::chrono::seconds kPatience{1};
  bool complete = false;
  {
    std::unique_lock lock(mutex_);
    complete =
        change_.wait_for(lock, kPatience, [this] { return output_ended_; });
  }
  follower_ = std::jthread();  // stops and waits
  if (complete || !output_) return;
  uint64_t skip = delivered_;
  auto sink = [&](std::string_view text) {
    size_t known = std::min<uint64_t>(skip, text.size());
    skip -= known;
    text.remove_prefix(known);
    if (!text.empty()) output_(text);
  };
  static_cast<void>(api_.WrittenLogs(id_, sink).ok());
}

bool RunningContainer::Ended() {
  std::lock_guard lock(mutex_);
  return ended_;
}

ResourceUsage RunningContainer::ReadUsage() {
  if (seen_.group) {
    std::lock_guard lock(reading_);
    ResourceUsage usage = ToUsage(reader_->Read());
    std::vector<int> processes = ProcessIds();
    if (!processes.empty()) {
      auto now = ReadOwnTraffic(root_, processes.front());
      if (now) traffic_ = now;
    }
    if (traffic_) {
      usage.network_received = traffic_->received;
      usage.network_sent = traffic_->sent;
    }
    return usage;
  }
  auto stats = api_.Stats(id_);
  return stats.ok() ? ParseStats(*stats) : ResourceUsage();
}

std::vector<int> RunningContainer::ProcessIds() const {
  if (!seen_.group) return {};
  return ReadMembers(root_, seen_.group->memory->folder);
}

ResourceUsage RunningContainer::Usage() {
  std::optional<ResourceUsage> now;
  if (!Ended()) now = ReadUsage();
  std::optional<ProportionalMemory::Reading> proportional;
  {
    std::lock_guard lock(reading_);
    if (now) {
      proportional_.LookIfDue([this] { return ProcessIds(); }, now->memory);
      highest_peak_ = std::max(highest_peak_, now->memory_peak);
      highest_sample_ = std::max(highest_sample_, now->memory);
    }
    proportional = proportional_.NearPeak(highest_peak_);
  }
  std::lock_guard lock(mutex_);
  if (now && now->cpu && !read_at_end_) last_ = *now;
  ResourceUsage usage = last_;
  if (proportional) {
    usage.proportional_memory = proportional->bytes;
    usage.proportional_at = proportional->at;
  }
  if (ended_ && !read_at_end_ && !parent_.empty()) {
    // The parent outlives the container's own cgroup; it includes Podman's
    // monitor.
    ResourceUsage parent = parent_.Usage();
    usage.memory_peak = parent.memory_peak;
    usage.cpu = parent.cpu;
  }
  usage = Since(usage, seen_.before);
  usage.memory_peak = OwnPeak(usage.memory_peak);
  return usage;
}

std::optional<Bytes> RunningContainer::OwnPeak(std::optional<Bytes> peak) {
  if (!peak || !seen_.runtime_peak) return peak;
  if (peak->count > seen_.runtime_peak->count + kRuntimeGrowth.count) {
    return peak;
  }
  std::lock_guard lock(reading_);
  return highest_sample_;
}

std::string RunningContainer::Accounting() const {
  if (!seen_.group) return "engine statistics";
  std::string group = fmt::format("cgroup v{}", seen_.group->memory->version);
  if (!seen_.before.cpu) return group;
  return fmt::format("{}, without {} of CPU time of the container's start",
                     group, FormatSeconds(seen_.before.cpu->count()));
}

void RunningContainer::AwaitFirstProcess(std::stop_token stop) {
  Descriptor stopped(eventfd(0, EFD_CLOEXEC));
  std::stop_callback wake(stop, [&] { eventfd_write(stopped.number(), 1); });
  std::array<pollfd, 2> waiting = {
      pollfd{.fd = seen_.process.number(), .events = POLLIN, .revents = 0},
      pollfd{.fd = stopped.number(), .events = POLLIN, .revents = 0}};
  while (poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
  }
}

void RunningContainer::AwaitEnd(std::stop_token stop) {
  if (seen_.process.open()) {
    AwaitFirstProcess(stop);
    // The engine takes some milliseconds to remove the cgroup; until then it
    // has what nothing else reports: throttling and OOM kills.
    auto end = steady_clock::now();
    ResourceUsage last = ReadUsage();
    std::lock_guard lock(mutex_);
    end_ = end;
    if (last.cpu) {
      last_ = last;
      read_at_end_ = true;
    }
  }
  Status awaited = api_.AwaitEnd(id_, stop);
  auto state = api_.Inspect(id_);
  if (awaited.ok() && !state.ok()) awaited = state.error();
  Settle(state.ok() ? *state : ContainerState(), awaited);
}

void RunningContainer::Settle(ContainerState state, const Status& awaited) {
  uint64_t out_of_memory_events = 0;
  if (state.out_of_memory) {
    auto events = api_.OutOfMemoryEvents(id_);
    out_of_memory_events = std::max<uint64_t>(1, events.ok() ? *events : 0);
  }
  std::lock_guard lock(mutex_);
  state_ = state;
  if (!read_at_end_ && !parent_.empty()) {
    // cgroup v2 also counts those of descendants.
    last_.oom_kills = std::max(last_.oom_kills, parent_.Usage().oom_kills);
  }
  // For when no cgroup could be read in time, or at all.
  if (state.out_of_memory && last_.oom_kills.value_or(0) == 0) {
    last_.oom_kills = out_of_memory_events;
  }
  if (!awaited.ok()) unknown_ = awaited.error().message();
  ended_ = true;
  change_.notify_all();
}

ProcessEnding RunningContainer::Outcome() {
  ProcessEnding ending;
  std::lock_guard lock(mutex_);
  ending.oom_kills = last_.oom_kills.value_or(0);
  if (!unknown_.empty()) {
    ending.evidence = "the engine does not report its exit status: " + unknown_;
    return ending;
  }
  int code = state_.exit_code;
  if (code > kSignalBase && code <= kSignalBase + kLastSignal) {
    ending.signal = code - kSignalBase;
  } else {
    ending.exit_code = code;
  }
  ending.lifetime = state_.lifetime;
  if (seen_.program_start && end_)
    ending.lifetime = *end_ - *seen_.program_start;
  ending.evidence = fmt::format("exit status {} from the engine", code);
  if (state_.out_of_memory) ending.evidence += " and OOMKilled";
  if (seen_.group) ending.evidence += ", oom_kill of its cgroup";
  return ending;
}

}  // namespace mete
