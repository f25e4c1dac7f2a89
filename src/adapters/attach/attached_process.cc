#include "adapters/attach/attached_process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "linux/process_usage.h"
#include "linux/tree_usage.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// How often to look whether a process has ended that the kernel gives no handle
// for (before Linux 5.3).
constexpr nanoseconds kLookEvery = milliseconds(20);

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
  ResourceUsage totals = ReadTreeUsage(root_, pid_);
  // Since the start of the process, not since mete attached to it.
  totals.resident_peak.reset();
  if (totals.processes == 0u) totals.processes.reset();
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
