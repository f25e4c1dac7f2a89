#include "support/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace mete {
namespace {

constexpr std::chrono::milliseconds kLookEvery{20};

// Attributes for posix_spawn, freed by the destructor.
class SpawnSettings {
 public:
  explicit SpawnSettings(const SpawnRequest& request) {
    posix_spawn_file_actions_init(&files);
    Connect(request.input, STDIN_FILENO);
    Connect(request.output, STDOUT_FILENO);
    Connect(request.errors, STDERR_FILENO);
    // Some libraries open sockets without O_CLOEXEC.
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);  // ends the child if we die
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                              POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

 private:
  void Connect(const std::optional<int>& descriptor, int stream) {
    if (descriptor) {
      posix_spawn_file_actions_adddup2(&files, *descriptor, stream);
    } else {
      posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
    }
  }
};

std::vector<std::string> MakeEnvironment(
    const std::map<std::string, std::string>& added) {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string text = *entry;
    if (!added.contains(text.substr(0, text.find('=')))) {
      entries.push_back(std::move(text));
    }
  }
  for (const auto& [name, value] : added) entries.push_back(name + "=" + value);
  return entries;
}

// Null-terminated array for C. The texts must outlive it.
std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<pid_t> Spawn(const SpawnRequest& request) {
  SpawnSettings settings(request);
  std::vector<std::string> arguments = request.arguments;
  std::vector<std::string> entries = MakeEnvironment(request.environment);
  pid_t process = 0;
  int error = posix_spawnp(&process, arguments.at(0).c_str(), &settings.files,
                           &settings.attributes, Pointers(arguments).data(),
                           Pointers(entries).data());
  if (error == ENOENT) return NotFound(arguments[0] + " is not installed");
  if (error != 0) return SystemError("start " + arguments[0], error);
  return process;
}

Result<int> WaitForProcess(pid_t process, std::chrono::nanoseconds deadline,
                           Clock& clock, const std::stop_token& stop) {
  while (true) {
    int status = 0;
    pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) return SystemError("wait", errno);
    bool late = clock.Now() >= deadline;
    if (!late && clock.SleepFor(kLookEvery, stop)) continue;
    kill(-process, SIGKILL);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (late) return Error(ErrorCode::kTimeout, "did not end in time");
    return Error(ErrorCode::kInterrupted, "interrupted");
  }
}

}  // namespace mete
