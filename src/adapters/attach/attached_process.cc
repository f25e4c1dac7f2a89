#include "adapters/attach/attached_process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "linux/process_usage.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// How often to look whether a process has ended that the kernel gives no handle
// for (before Linux 5.3).
constexpr nanoseconds kLookEvery = milliseconds(20);

template <typename Sum, typename Part>
void AddTo(std::optional<Sum>& sum, const std::optional<Part>& part) {
  if (part) sum = sum.value_or(Sum{}) + Sum(*part);
}

void AddTo(std::optional<Bytes>& sum, const std::optional<Bytes>& part) {
  if (part) sum = Bytes{sum.value_or(Bytes{}).count + part->count};
}

}  // namespace

AttachedProcess::AttachedProcess(const SystemRoot& root, int pid)
    : root_(root),
      pid_(pid),
      started_(ReadProcessUsage(root, pid).started),
      handle_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))),
      usage_(ReadTotals()) {
  Usage();  // the first reading of memory
  notes_.emplace_back(
      "CPU time is counted in steps of 10 ms, and the memory peak is the "
      "highest sample");
  if (!usage_.last().disk_read) {
    notes_.emplace_back(
        "disk I/O of another user's process can only be read by root");
  }
}

bool AttachedProcess::Ended() const {
  // A pid is reused, but not with the same start.
  auto started = ReadProcessUsage(root_, pid_).started;
  if (!started || started != started_) return true;
  std::string state =
      root_.TextOrNone("/proc/" + std::to_string(pid_) + "/stat");
  size_t name_end = state.rfind(')');
  return name_end != std::string::npos && name_end + 2 < state.size() &&
         (state[name_end + 2] == 'Z' || state[name_end + 2] == 'X');
}

bool AttachedProcess::Wait(nanoseconds at_most) {
  if (Ended()) return true;
  if (handle_.open()) {
    pollfd ready{.fd = handle_.number(), .events = POLLIN, .revents = 0};
    timespec time{
        .tv_sec = static_cast<time_t>(at_most.count() / 1'000'000'000),
        .tv_nsec = static_cast<long>(at_most.count() % 1'000'000'000)};
    ppoll(&ready, 1, &time, nullptr);
    return (ready.revents & POLLIN) != 0;
  }
  while (at_most > nanoseconds(0)) {
    nanoseconds part = std::min(at_most, kLookEvery);
    std::this_thread::sleep_for(part);
    if (Ended()) return true;
    at_most -= part;
  }
  return false;
}

std::vector<int> AttachedProcess::ProcessIds() const {
  return ProcessTree(root_, pid_);
}

ResourceUsage AttachedProcess::ReadTotals() const {
  ResourceUsage totals;
  uint64_t processes = 0;
  for (int pid : ProcessTree(root_, pid_)) {
    ProcessUsage part = ReadProcessUsage(root_, pid);
    AddTo(totals.cpu_user, part.user);
    AddTo(totals.cpu_user, part.reaped_user);
    AddTo(totals.cpu_system, part.system);
    AddTo(totals.cpu_system, part.reaped_system);
    AddTo(totals.memory, part.resident);
    AddTo(totals.swap, part.swap);
    AddTo(totals.minor_faults, part.minor_faults);
    AddTo(totals.major_faults, part.major_faults);
    AddTo(totals.disk_read, part.read);
    AddTo(totals.disk_written, part.written);
    ++processes;
  }
  if (totals.cpu_user && totals.cpu_system) {
    totals.cpu = *totals.cpu_user + *totals.cpu_system;
  }
  if (processes > 0) totals.processes = processes;
  return totals;
}

ResourceUsage AttachedProcess::Usage() {
  // After its end there is nothing to read: the last reading is kept.
  if (Ended()) return usage_.last();
  return usage_.Update(ReadTotals());
}

ProcessEnding AttachedProcess::Outcome() {
  return {.evidence = "it is not a child of mete"};
}

}  // namespace mete
