#include "adapters/process/keeper.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace mete {
namespace {

using Kind = KeeperReport::Kind;
using Step = KeeperReport::Step;

// Data of the forked process: plain pointers, prepared before fork. From here
// to KeeperMain only functions are called that are safe after fork in a program
// with threads; nothing allocates.
struct ForkedState {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  const KeptProgram* program = nullptr;
  int commands = -1;
  int reports = -1;
  std::vector<int> kept;  // descriptors that the keeper keeps open, sorted
};

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void SendReport(int pipe, const KeeperReport& report) {
  // A report is shorter than PIPE_BUF, so it arrives whole. A closed pipe means
  // that mete has died, which the command pipe shows too.
  ssize_t written = write(pipe, &report, sizeof(report));
  static_cast<void>(written);
}

int64_t MonotonicNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Signals whose dispositions the application must not inherit from mete.
void ResetSignals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Becomes another user for good, with its groups only. Its output stays
// writable: programs open /dev/stdout by name.
bool BecomeUser(const ProcessUser& user) {
  return fchown(STDOUT_FILENO, user.id, user.group) == 0 &&
         setgroups(user.groups.size(), user.groups.data()) == 0 &&
         setresgid(user.group, user.group, user.group) == 0 &&
         setresuid(user.id, user.id, user.id) == 0 &&
         prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;  // forgotten with the old user
}

// The CPU time of the cgroup so far, -1 if it cannot be read.
int64_t ReadCpuCounter(const CpuCounter& counter) {
  if (!counter.file.open()) return -1;
  // The kernel adds the time of a running process when it is asked for it.
  timespec own{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  std::array<char, 256> text;
  const ssize_t got = pread(counter.file.number(), text.data(), text.size(), 0);
  const char* const begin = text.data();
  const char* const end = begin + std::max<ssize_t>(got, 0);
  auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const char* next = std::find_if(begin, end, is_digit);
  if (next == end) return -1;
  int64_t count = 0;
  for (; next != end && is_digit(*next); ++next) {
    count = count * 10 + (*next - '0');
  }
  return count * counter.unit.count();
}

// The application's first process up to exec. `failure` is a pipe that receives
// the start time and closes on a successful exec.
[[noreturn]] void BecomeProgram(ForkedState& state, int failure, pid_t keeper) {
  const KeptProgram& program = *state.program;
  auto fail = [&](Step step) {
    KeeperReport report{
        .kind = Kind::kNotStarted, .error = errno, .step = step};
    SendReport(failure, report);
    _exit(127);
  };
  setsid();
  ResetSignals();
  // Nobody could account for a program whose keeper was killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(127);  // it died before that
  for (const Descriptor& group : program.groups) {
    if (write(group.number(), "0", 1) != 1) fail(Step::kEnterGroup);
  }
  // After the cgroups: joining a cpuset resets the CPUs of a process.
  if (!program.pin.empty() && ApplyCpuMask(program.pin) != 0) fail(Step::kPin);
  int nothing = open("/dev/null", O_RDONLY);
  bool has_input = program.input.open();
  dup2(has_input ? program.input.number() : nothing, STDIN_FILENO);
  dup2(program.output.number(), STDOUT_FILENO);
  dup2(program.output.number(), STDERR_FILENO);
  if (nothing > STDERR_FILENO) close(nothing);
  if (program.user && !BecomeUser(*program.user)) fail(Step::kUser);
  if (!program.folder.empty() && chdir(program.folder.c_str()) != 0) {
    fail(Step::kFolder);
  }
  rusage self{};
  getrusage(RUSAGE_SELF, &self);
  // Joining cgroups can take tens of milliseconds, which must not count.
  const int64_t start = MonotonicNanoseconds();
  const int64_t group_cpu = ReadCpuCounter(program.cpu_counter);
  SendReport(failure, {.kind = Kind::kStarted,
                       .lifetime_nanoseconds = start,
                       .usage = self,
                       .group_cpu_nanoseconds = group_cpu,
                       .copy_kilobytes = self.ru_maxrss});
  execvpe(state.arguments[0], state.arguments.data(), state.environment.data());
  fail(Step::kExecute);
  _exit(127);  // not reached; fail does not return
}

// Sends SIGKILL to every direct child; grandchildren become children when their
// parents die. The kernel lists children in a file, which is read without
// allocating.
void KillChildren(pid_t first) {
  std::array<char, 4096> text;
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) {  // a kernel without CONFIG_PROC_CHILDREN
    kill(-first, SIGKILL);
    return;
  }
  pid_t pid = 0;
  ssize_t got = 0;
  while ((got = read(file, text.data(), text.size())) > 0) {
    for (ssize_t i = 0; i < got; ++i) {
      char c = text[static_cast<size_t>(i)];
      if (c >= '0' && c <= '9') {
        pid = pid * 10 + (c - '0');
        continue;
      }
      if (pid > 0) kill(pid, SIGKILL);
      pid = 0;
    }
  }
  if (pid > 0) kill(pid, SIGKILL);
  close(file);
}

void RemoveGroups(const KeptProgram& program) {
  for (const std::string& folder : program.group_folders) {
    rmdir(folder.c_str());
  }
}

// Reaps until no child is left, then reports the totals.
class Reaper {
 public:
  Reaper(const ForkedState& state, pid_t first, int64_t started)
      : state_(state), first_(first), started_(started) {}

  // Returns false once no child is left.
  bool Reap() {
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended != first_) continue;
      KeeperReport report{
          .kind = Kind::kFirstEnded,
          .first = first_,
          .status = status,
          .lifetime_nanoseconds = MonotonicNanoseconds() - started_};
      getrusage(RUSAGE_CHILDREN, &report.usage);
      SendReport(state_.reports, report);
    }
    return ended == 0 || errno != ECHILD;
  }

  void ReportEnd() {
    KeeperReport report{.kind = Kind::kAllEnded, .first = first_};
    getrusage(RUSAGE_CHILDREN, &report.usage);
    SendReport(state_.reports, report);
  }

 private:
  const ForkedState& state_;
  pid_t first_;
  int64_t started_;
};

// Sets `started` to the time of exec.
pid_t StartFirst(ForkedState& state, KeeperReport& report, int64_t& started) {
  std::array<int, 2> failure;
  if (pipe2(failure.data(), O_CLOEXEC) != 0) {
    report = {.kind = Kind::kNotStarted, .error = errno};
    return -1;
  }
  const pid_t keeper = getpid();
  pid_t first = fork();
  if (first == 0) {
    close(failure[0]);
    BecomeProgram(state, failure[1], keeper);
  }
  int error = errno;
  close(failure[1]);
  if (first > 0) {
    SendReport(state.reports, {.kind = Kind::kForked, .first = first});
  }
  report = {.kind = Kind::kStarted, .first = first};
  if (first < 0) report = {.kind = Kind::kNotStarted, .error = error};
  KeeperReport heard;
  while (read(failure[0], &heard, sizeof(heard)) ==
         static_cast<ssize_t>(sizeof(heard))) {
    if (heard.kind == Kind::kStarted) {
      started = heard.lifetime_nanoseconds;
      report.copy_kilobytes = heard.copy_kilobytes;
      report.usage = heard.usage;
      report.group_cpu_nanoseconds = heard.group_cpu_nanoseconds;
    } else {
      report = heard;
    }
  }
  close(failure[0]);
  return report.kind == Kind::kStarted ? first : -1;
}

// A descriptor that becomes readable when a child ends. The application's first
// process restores the signal mask.
int WatchChildren() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, nullptr);
  return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Waits for a command, the end of mete or of a child. Returns true when
// everything should end. With `commands` -1 it waits only for a child.
bool AwaitCommand(int commands, int children) {
  std::array<pollfd, 2> wait = {
      {{.fd = commands, .events = POLLIN, .revents = 0},
       {.fd = children, .events = POLLIN, .revents = 0}}};
  // The timeout only limits the cost of a lost signal.
  if (poll(wait.data(), wait.size(), 1000) <= 0) return false;
  signalfd_siginfo ignored;
  while (read(children, &ignored, sizeof(ignored)) > 0) {
  }
  return wait[0].revents != 0;
}

// Waits for mete to finish the setup; false when it has died instead.
bool AwaitGo(int commands) {
  char word = 0;
  ssize_t got = 0;
  do {
    got = read(commands, &word, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1;
}

// Closes descriptors that mete has open: otherwise the keeper would, for
// example, keep the pipes of other keepers open.
void CloseOthers(const ForkedState& state) {
  unsigned next = STDERR_FILENO + 1;
  for (int kept : state.kept) {  // sorted
    auto number = static_cast<unsigned>(kept);
    if (number > next) close_range(next, number - 1, 0);
    next = number + 1;
  }
  close_range(next, ~0U, 0);
}

[[noreturn]] void KeeperMain(ForkedState& state) {
  setsid();  // mete handles a Ctrl-C at the terminal
  ResetSignals();
  signal(SIGPIPE, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  prctl(PR_SET_NAME, "mete-keeper");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  CloseOthers(state);
  int children = WatchChildren();
  if (!AwaitGo(state.commands)) {
    RemoveGroups(*state.program);
    _exit(0);
  }
  KeeperReport report;
  int64_t started = MonotonicNanoseconds();
  pid_t first = StartFirst(state, report, started);
  SendReport(state.reports, report);
  if (first < 0) _exit(0);
  close(state.program->output.number());  // its end shows that all have ended
  if (state.program->input.open()) close(state.program->input.number());
  const Descriptor& counter = state.program->cpu_counter.file;
  if (counter.open()) close(counter.number());
  Reaper reaper(state, first, started);
  bool ending = false;
  bool orphaned = false;
  while (reaper.Reap()) {
    if (ending) KillChildren(first);
    if (!AwaitCommand(ending ? -1 : state.commands, children)) continue;
    char command = 0;
    orphaned = read(state.commands, &command, 1) == 0;
    ending = true;  // on request, or mete has died
    KillChildren(first);
  }
  reaper.ReportEnd();
  if (orphaned) RemoveGroups(*state.program);
  _exit(0);
}

Error StartFailure(const KeptProgram& program, const KeeperReport& report) {
  switch (report.step) {
    case Step::kEnterGroup:
      return Unsupported(
          fmt::format("join the cgroup: {}", std::strerror(report.error)));
    case Step::kPin:
      return Unsupported(
          fmt::format("pin to CPUs: {}", std::strerror(report.error)));
    case Step::kUser:
      return SystemError("become " + program.user->name, report.error);
    case Step::kFolder:
      return SystemError("start in " + program.folder, report.error);
    case Step::kExecute:
      return SystemError("start " + program.arguments[0], report.error);
    case Step::kNone:
      break;
  }
  return SystemError("start a process", report.error);
}

}  // namespace

Seconds ToSeconds(const timeval& time) {
  return Seconds(static_cast<double>(time.tv_sec) +
                 static_cast<double>(time.tv_usec) * 1e-6);
}

Result<Keeper> Keeper::Start(KeptProgram program) {
  std::array<int, 2> commands;
  std::array<int, 2> reports;
  // A socket: writing after the other end has closed raises no signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, commands.data()) !=
      0) {
    return SystemError("create a socket", errno);
  }
  Descriptor keepers_end(commands[0]);
  Descriptor own_end(commands[1]);
  if (pipe2(reports.data(), O_CLOEXEC) != 0) {
    return SystemError("create a pipe", errno);
  }
  Descriptor report_reader(reports[0]);
  Descriptor report_writer(reports[1]);
  ForkedState state{.arguments = Pointers(program.arguments),
                    .environment = Pointers(program.environment),
                    .program = &program,
                    .commands = commands[0],
                    .reports = reports[1],
                    .kept = {commands[0], reports[1], program.output.number()}};
  for (const Descriptor& group : program.groups) {
    state.kept.push_back(group.number());
  }
  if (program.input.open()) state.kept.push_back(program.input.number());
  if (program.cpu_counter.file.open()) {
    state.kept.push_back(program.cpu_counter.file.number());
  }
  std::ranges::sort(state.kept);
  pid_t pid = fork();
  if (pid < 0) return SystemError("start a process", errno);
  if (pid == 0) KeeperMain(state);
  Keeper keeper(pid, std::move(own_end), std::move(report_reader));
  report_writer.Close();
  if (program.before_start) program.before_start(pid);
  keeper.Send('G');
  RETURN_IF_ERROR(keeper.AwaitStart(program));
  return keeper;
}

Status Keeper::AwaitStart(const KeptProgram& program) {
  KeeperReport report;
  // Exec may take arbitrarily long; a keeper that dies closes the pipe.
  KeeperNews news = KeeperNews::kNothing;
  while (news == KeeperNews::kNothing) {
    news = NextReport(std::chrono::milliseconds(100), report);
    // The program may have stopped the keeper before it could report.
    if (news == KeeperNews::kNothing) kill(pid_, SIGCONT);
    if (news != KeeperNews::kReport || report.kind != Kind::kForked) continue;
    first_ = report.first;
    news = KeeperNews::kNothing;
  }
  if (news == KeeperNews::kEnded) {
    if (first_ != 0) return {};  // the next report shows it, too
    return Unavailable("start a process: the keeper died");
  }
  if (report.kind == Kind::kNotStarted) return StartFailure(program, report);
  first_ = report.first;
  copy_kilobytes_ = report.copy_kilobytes;
  cpu_before_start_ = {.user = ToSeconds(report.usage.ru_utime),
                       .system = ToSeconds(report.usage.ru_stime),
                       .group = std::chrono::nanoseconds(
                           std::max<int64_t>(report.group_cpu_nanoseconds, 0))};
  return {};
}

KeeperNews Keeper::NextReport(std::chrono::nanoseconds at_most,
                              KeeperReport& report) {
  pollfd wait{.fd = reports_.number(), .events = POLLIN, .revents = 0};
  // With nanosecond resolution: poll(2) counts milliseconds, and a sampler at 1
  // kHz has only one.
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
  timespec timeout{.tv_sec = seconds.count(),
                   .tv_nsec = (at_most - seconds).count()};
  if (ppoll(&wait, 1, &timeout, nullptr) <= 0) return KeeperNews::kNothing;
  ssize_t got = read(reports_.number(), &report, sizeof(report));
  if (got < 0 && errno == EINTR) return KeeperNews::kNothing;
  return got == static_cast<ssize_t>(sizeof(report)) ? KeeperNews::kReport
                                                     : KeeperNews::kEnded;
}

void Keeper::KillAll() {
  kill(pid_, SIGCONT);
  Send('K');
}

void Keeper::Send(char command) {
  ssize_t sent = send(commands_.number(), &command, 1, MSG_NOSIGNAL);
  static_cast<void>(sent);  // a keeper that has ended has nothing left to end
}

Keeper::~Keeper() {
  if (!commands_.open()) return;  // moved from
  KillAll();
  // The application may have stopped the keeper, which then hears nothing.
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    kill(pid_, SIGCONT);
    if (waitpid(pid_, nullptr, WNOHANG) != 0) return;
    poll(nullptr, 0, 5);
  }
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> own;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    own.emplace_back(*entry);
  }
  return own;
}

}  // namespace mete
