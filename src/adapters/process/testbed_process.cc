#include "adapters/process/testbed_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace mete {
namespace {

// Long enough for the keeper to reap a dying process.
constexpr std::chrono::seconds kLongestEnding{10};
// A stop is noticed within this time.
constexpr Seconds kLook{0.1};
// Other output of a process is kept for an error message.
constexpr size_t kLastOutput = 300;

uint64_t OomKills(const ControlGroup* group) {
  if (group == nullptr || group->empty()) return 0;
  return ReadGroupUsage(SystemRoot(), group->Paths()).oom_kills.value_or(0);
}

}  // namespace

Result<std::unique_ptr<KeptTestbedProcess>> KeptTestbedProcess::Start(
    Request request) {
  std::array<int, 2> ends;
  // A socket: writing after the other end has closed raises no signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return SystemError("create a socket", errno);
  }
  Descriptor input(ends[0]);
  Descriptor its_input(ends[1]);
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return SystemError("create a pipe", errno);
  }
  Descriptor output(ends[0]);
  KeptProgram program{.arguments = std::move(request.command),
                      .environment = std::move(request.environment),
                      .folder = "",
                      .group_folders = std::move(request.group_folders),
                      .output = Descriptor(ends[1]),
                      .input = std::move(its_input)};
  if (request.group != nullptr) {
    ASSIGN_OR_RETURN(program.groups, request.group->OpenEntries());
  }
  uint64_t oom_kills = OomKills(request.group);
  ASSIGN_OR_RETURN(Keeper keeper, Keeper::Start(std::move(program)));
  std::unique_ptr<KeptTestbedProcess> process(new KeptTestbedProcess(
      std::move(keeper), std::move(input), std::move(output), request.group));
  process->oom_kills_before_ = oom_kills;
  return process;
}

KeptTestbedProcess::~KeptTestbedProcess() = default;

Status KeptTestbedProcess::Send(const std::string& line) {
  std::string text = line + "\n";
  size_t sent = 0;
  while (sent < text.size()) {
    ssize_t count = send(input_.number(), text.data() + sent,
                         text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Unavailable("the benchmark process has ended");
    sent += static_cast<size_t>(count);
  }
  return {};
}

bool KeptTestbedProcess::TakeLine(std::string& line) {
  while (true) {
    size_t end = buffer_.find('\n');
    if (end == std::string::npos) return false;
    line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    if (line.starts_with('{')) return true;
    if (!line.empty()) last_output_ = line.substr(0, kLastOutput);
  }
}

Result<bool> KeptTestbedProcess::ReadMore(Seconds at_most) {
  pollfd wait{.fd = output_.number(), .events = POLLIN, .revents = 0};
  int milliseconds = std::max(1, static_cast<int>(at_most.count() * 1000));
  int ready = poll(&wait, 1, milliseconds);
  if (ready <= 0) return true;
  std::array<char, 65536> block;
  ssize_t got = read(output_.number(), block.data(), block.size());
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  buffer_.append(block.data(), static_cast<size_t>(got));
  return true;
}

Result<std::string> KeptTestbedProcess::Receive(Seconds at_most,
                                                std::stop_token stop) {
  auto deadline = std::chrono::steady_clock::now() + at_most;
  std::string line;
  while (!TakeLine(line)) {
    if (stop.stop_requested()) {
      return Error(ErrorCode::kInterrupted, "stopped");
    }
    Seconds left = deadline - std::chrono::steady_clock::now();
    if (left.count() <= 0) {
      return Error(ErrorCode::kTimeout,
                   "no answer from the benchmark process in time");
    }
    ASSIGN_OR_RETURN(bool more, ReadMore(std::min(left, kLook)));
    if (!more) return Unavailable("the benchmark process has ended");
  }
  return line;
}

ProcessEnding KeptTestbedProcess::Ending() {
  ProcessEnding ending{.evidence = "wait status"};
  KeeperReport report;
  if (keeper_.NextReport(kLongestEnding, report) == KeeperNews::kReport) {
    if (WIFEXITED(report.status)) ending.exit_code = WEXITSTATUS(report.status);
    if (WIFSIGNALED(report.status)) ending.signal = WTERMSIG(report.status);
  }
  ending.oom_kills = OomKills(group_) - oom_kills_before_;
  return ending;
}

}  // namespace mete
