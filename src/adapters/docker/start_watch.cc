#include "adapters/docker/start_watch.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroups/group_folders.h"

namespace mete {
namespace {

constexpr std::chrono::microseconds kBetweenLooks{500};

// The file a process runs: a link that tells when it executes another.
std::string ProgramOf(const SystemRoot& root, pid_t pid) {
  std::error_code error;
  auto link = std::filesystem::read_symlink(
      root.Locate(fmt::format("/proc/{}/exe", pid)), error);
  return error ? "" : link.string();
}

// Runtimes go on in a copy of themselves, which has another path, and once they
// have changed the root the kernel knows no path of it at all.
bool IsRuntime(const std::string& program) {
  if (program == "/") return true;
  for (const char* name : {"runc", "crun", "youki"}) {
    if (program.find(name) != std::string::npos) return true;
  }
  return false;
}

// Docker calls it by the container's identity, podman "libpod-ID", and keeps
// its monitor beside it in "libpod-conmon-ID".
bool IsGroupOf(const std::string& container, const std::string& name) {
  return name.ends_with(container) && name.find("conmon") == std::string::npos;
}

// Version 1 lets the peak be set back to what is held now.
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
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(kBetweenLooks);
    if (!seen_.group) {
      seen_.group = parent_.Inner([this](const std::string& name) {
        return IsGroupOf(container_, name);
      });
    }
    if (!seen_.group) continue;
    auto members = ReadMembers(root_, seen_.group->memory->folder);
    for (pid_t pid : members) {
      if (HasStarted(pid)) return;
    }
    if (!members.empty()) RememberRuntime(members.back());
  }
}

bool StartWatch::HasStarted(pid_t pid) {
  std::string program = ProgramOf(root_, pid);
  if (program.empty()) return false;  // not ours to see, or gone
  if (runtime_.empty()) runtime_ = program;
  if (program == runtime_ || IsRuntime(program)) return false;
  seen_.program_start = std::chrono::steady_clock::now();
  Follow(pid);
  return true;
}

// A runtime enters the group with a chain of processes; the last of them waits
// for some milliseconds and then becomes the program.
void StartWatch::RememberRuntime(pid_t pid) {
  Follow(pid);
  seen_.before = ReadGroupUsage(root_, *seen_.group);
  ForgetPeak(root_, *seen_.group);
  ForgetPeak(root_, parent_.Paths());
}

void StartWatch::Follow(pid_t pid) {
  if (pid == followed_) return;
  followed_ = pid;
  seen_.process = OpenProcess(pid);
}

}  // namespace mete
