#include "adapters/docker/start_watch.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroups/group_folders.h"

namespace mete {
namespace {

constexpr std::chrono::microseconds kBetweenLooks{500};

// The file that a process runs: a link that changes when it executes another.
std::string ReadProgram(const SystemRoot& root, pid_t pid) {
  std::error_code error;
  auto link = std::filesystem::read_symlink(
      root.Locate(fmt::format("/proc/{}/exe", pid)), error);
  return error ? "" : link.string();
}

// Runtimes continue as a copy of themselves in memory, and after they have
// changed the root the kernel has no path for it at all.
bool IsRuntime(const std::string& program) {
  if (program == "/" || program.starts_with("/memfd:")) return true;
  std::string name = std::filesystem::path(program).filename();
  return name == "runc" || name == "crun" || name == "youki";
}

// Docker names the cgroup by the container's id, Podman "libpod-ID", with its
// monitor next to it in "libpod-conmon-ID".
bool IsCgroupOfContainer(const std::string& container,
                         const std::string& name) {
  return name.ends_with(container) && name.find("conmon") == std::string::npos;
}

// cgroup v1 allows resetting the peak to the current value.
void ForgetPeak(const SystemRoot& root, const CgroupPaths& group) {
  if (!group.memory || group.memory->version != 1) return;
  auto file = group.memory->folder / "memory.max_usage_in_bytes";
  static_cast<void>(WriteControl(root.Locate(file), "0").ok());
}

}  // namespace

Descriptor OpenProcess(pid_t pid) {
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

StartWatch::StartWatch(const SystemRoot& root, const ControlGroup& parent,
                       std::string container)
    : root_(root),
      parent_(parent),
      container_(std::move(container)),
      thread_([this](std::stop_token stop) {
        if (!parent_.empty()) Watch(stop);
      }) {}

SeenStart StartWatch::Finish() {
  thread_.request_stop();
  thread_.join();
  return std::move(seen_);
}

void StartWatch::Watch(std::stop_token stop) {
  bool last = false;
  while (!last) {
    // Look once more after the engine reports the start: on a busy machine this
    // thread may not have run before.
    last = stop.stop_requested();
    if (Look()) return;
    if (!last) std::this_thread::sleep_for(kBetweenLooks);
  }
}

bool StartWatch::Look() {
  if (!seen_.group) {
    seen_.group = parent_.Inner([this](const std::string& name) {
      return IsCgroupOfContainer(container_, name);
    });
  }
  if (!seen_.group) return false;
  auto members = ReadMembers(root_, seen_.group->memory->folder);
  pid_t runtime = 0;
  for (pid_t pid : members) {
    std::string program = ReadProgram(root_, pid);
    if (program.empty()) continue;  // not visible to us, or gone
    if (!IsRuntime(program)) {
      TakeOver(pid);
      return true;
    }
    runtime = pid;
  }
  if (runtime != 0) RememberRuntime(runtime);
  return false;
}

// If the runtime was not seen before, the time of the start is unknown.
void StartWatch::TakeOver(pid_t pid) {
  if (followed_ != 0) seen_.program_start = std::chrono::steady_clock::now();
  Follow(pid);
}

// A runtime enters the cgroup with a chain of processes; the last one waits for
// some milliseconds and then becomes the program.
void StartWatch::RememberRuntime(pid_t pid) {
  Follow(pid);
  seen_.before = ReadGroupUsage(root_, *seen_.group);
  ForgetPeak(root_, *seen_.group);
  ForgetPeak(root_, parent_.Paths());
  seen_.runtime_peak = ReadGroupUsage(root_, *seen_.group).memory_peak;
}

void StartWatch::Follow(pid_t pid) {
  if (pid == followed_) return;
  followed_ = pid;
  seen_.process = OpenProcess(pid);
}

}  // namespace mete
