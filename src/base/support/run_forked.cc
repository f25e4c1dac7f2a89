#include "support/run_forked.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>

#include "support/descriptor.h"

namespace mete {
namespace {

constexpr int kPollMs = 20;  // how soon a request to stop is seen

// The child: never returns.
[[noreturn]] void Work(const std::function<std::string()>& work, int pipe,
                       pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  // The parent decides what a signal to both of them means.
  for (int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_IGN);
  signal(SIGABRT, SIG_DFL);
  rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  std::string_view left;
  std::string answer = work();
  for (left = answer; !left.empty();) {
    ssize_t written = write(pipe, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(EXIT_FAILURE);
    left.remove_prefix(static_cast<size_t>(written));
  }
  _exit(EXIT_SUCCESS);
}

int WaitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Reads until the child closes the pipe. Returns why it has to be ended.
std::optional<Error> ReadAll(int pipe, const ForkLimits& limits,
                             std::string& answer) {
  auto start = std::chrono::steady_clock::now();
  std::array<char, 65536> buffer;
  while (true) {
    if (limits.stop.stop_requested()) {
      return Error(ErrorCode::kInterrupted, "interrupted");
    }
    if (std::chrono::steady_clock::now() - start > limits.time) {
      return Error(ErrorCode::kTimeout, "out of time");
    }
    pollfd readable{.fd = pipe, .events = POLLIN, .revents = 0};
    if (poll(&readable, 1, kPollMs) <= 0) continue;
    ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    answer.append(buffer.data(), static_cast<size_t>(count));
  }
}

}  // namespace

Result<std::string> RunForked(const std::function<std::string()>& work,
                              const ForkLimits& limits) {
  // A child that is started meanwhile would keep the pipe open.
  static std::mutex one_at_a_time;
  std::unique_lock lock(one_at_a_time);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Unavailable(fmt::format("pipe: {}", strerror(errno)));
  }
  Descriptor from_child(ends[0]);
  Descriptor to_parent(ends[1]);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) return Unavailable(fmt::format("fork: {}", strerror(errno)));
  if (child == 0) Work(work, to_parent.number(), parent);
  to_parent.Close();
  lock.unlock();
  std::string answer;
  std::optional<Error> ended = ReadAll(from_child.number(), limits, answer);
  if (ended) kill(child, SIGKILL);
  int status = WaitFor(child);
  if (ended) return *ended;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
    return Unavailable("a part of the computation ended early");
  }
  return answer;
}

}  // namespace mete
