#include "hosting/detached_services.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "cgroups/group_folders.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};
// Loading a large network on a slow device takes long.
constexpr std::chrono::seconds kPatience{120};
// A keeper writes itself into the record as its first act.
constexpr std::chrono::seconds kPatienceForKeeper{20};
// Longer than a keeper waits for its service.
constexpr std::chrono::seconds kPatienceForEnd{30};

// Absent if the tag is not one: a damaged record must not choose a process.
std::optional<pid_t> PidIn(const std::string& tag) {
  const std::vector<std::string> parts = SplitAt(tag, '-');
  if (parts.size() != 3 || parts[1].empty()) return std::nullopt;
  const auto pid = ParseNumber<pid_t>(parts[0]);
  return pid && *pid > 0 ? pid : std::nullopt;
}

// Pids of other namespaces mean nothing here.
bool SameNamespace(const std::string& tag, const std::string& other) {
  return SplitAt(tag, '-').back() == SplitAt(other, '-').back();
}

// A handle of a process cannot come to mean another one, as a pid can.
Descriptor OpenProcess(pid_t pid) {
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

Status SignalProcess(const Descriptor& process, int signal) {
  if (syscall(SYS_pidfd_send_signal, process.number(), signal, nullptr, 0) ==
          0 ||
      errno == ESRCH) {
    return {};
  }
  return SystemError("end the process that keeps the service", errno);
}

}  // namespace

bool DetachedServices::IsKept(const HostedService& service) const {
  return PidIn(service.keeper) && service.boot == BootId(needs_.root) &&
         !OwnerIsGone(needs_.root, service.keeper);
}

std::string DetachedServices::LastLogLine(const std::string& id) const {
  auto log = ReadFile(files_.LogFile(id));
  if (!log.ok()) return "it left no message";
  std::string last;
  for (const std::string& line : SplitAt(*log, '\n')) {
    if (!line.empty()) last = line;
  }
  return last.empty() ? "it left no message" : Tame(last, 300);
}

Result<HostedService> DetachedServices::Start(const ServiceOrder& order,
                                              std::stop_token stop) {
  const std::string id = needs_.draw_id();
  RETURN_IF_ERROR(files_.Write({.id = id,
                                .order = order,
                                .started_at = needs_.clock.Wall(),
                                .log = files_.LogFile(id)}));
  Status started = needs_.start_keeper(id, files_.LogFile(id));
  if (!started.ok()) {
    files_.Remove(id);
    return started.error();
  }
  const auto begin = needs_.clock.Now();
  std::optional<Error> failure;
  while (!failure) {
    ASSIGN_OR_RETURN(HostedService service, files_.Read(id));
    if (service.state == HostedService::State::kRunning) return service;
    const auto waited = needs_.clock.Now() - begin;
    const bool kept = IsKept(service);
    if (service.state == HostedService::State::kGone ||
        (!kept && !service.keeper.empty())) {
      failure =
          Unavailable(fmt::format("start {}: {}", order.app, LastLogLine(id)));
    } else if (!kept && waited > kPatienceForKeeper) {
      failure = Error(
          ErrorCode::kTimeout,
          fmt::format("start {}: the process that keeps it did not start in "
                      "{} s: {}",
                      order.app, kPatienceForKeeper.count(), LastLogLine(id)));
    } else if (waited > kPatience) {
      failure = Error(ErrorCode::kTimeout,
                      fmt::format("{} did not answer in {} s: {}", order.app,
                                  kPatience.count(), LastLogLine(id)));
    } else if (!needs_.clock.SleepFor(kBetweenLooks, stop)) {
      failure = Error(ErrorCode::kInterrupted,
                      fmt::format("stopped while {} started", order.app));
    }
  }
  AwaitKeeper(id, begin);
  // The record of what cannot be stopped stays: it can be stopped later.
  RETURN_IF_ERROR(Stop(id, {}));
  return *failure;
}

// A keeper that was started but is not in the record yet cannot be ended, and
// would write the record again after its removal.
void DetachedServices::AwaitKeeper(const std::string& id,
                                   std::chrono::nanoseconds begin) {
  while (needs_.clock.Now() - begin <= kPatienceForKeeper) {
    auto service = files_.Read(id);
    if (!service.ok() || !service->keeper.empty() ||
        service->state == HostedService::State::kGone) {
      return;
    }
    needs_.clock.SleepFor(kBetweenLooks, {});
  }
}

Result<std::vector<HostedService>> DetachedServices::List(
    std::stop_token /*stop*/) {
  ASSIGN_OR_RETURN(std::vector<HostedService> services, files_.ReadAll());
  for (HostedService& service : services) {
    if (IsKept(service)) continue;
    service.state = HostedService::State::kGone;
    service.url.clear();
  }
  return services;
}

Status DetachedServices::EndKeeper(const HostedService& service,
                                   std::stop_token stop) {
  const auto pid = PidIn(service.keeper);
  if (!pid || !IsKept(service)) return {};
  if (!SameNamespace(service.keeper, OwnTag(needs_.root))) {
    return Unsupported(fmt::format(
        "{} was started in another container or pid namespace; stop it there",
        service.order.app));
  }
  // First the handle, then the check: what passes the check is what is ended.
  const Descriptor process = OpenProcess(*pid);
  if (!process.open() && errno != ESRCH) {
    return SystemError("find the process that keeps the service", errno);
  }
  if (!process.open() || !IsKept(service)) return {};
  if (!OwnerRuns(needs_.root, service.keeper)) {
    return Unavailable("cannot tell whether " + service.order.app +
                       " still runs");
  }
  RETURN_IF_ERROR(SignalProcess(process, SIGTERM));
  const auto begin = needs_.clock.Now();
  while (IsKept(service)) {
    if (needs_.clock.Now() - begin > kPatienceForEnd) {
      // Its keeper ends the service when it dies.
      return SignalProcess(process, SIGKILL);
    }
    if (!needs_.clock.SleepFor(kBetweenLooks, stop)) {
      return Error(ErrorCode::kInterrupted,
                   "stopped while " + service.order.app + " was ending");
    }
  }
  return {};
}

Status DetachedServices::Stop(const std::string& id, std::stop_token stop) {
  ASSIGN_OR_RETURN(HostedService service, files_.Read(id));
  RETURN_IF_ERROR(EndKeeper(service, stop));
  files_.Remove(id);
  std::error_code ignored;
  if (!service.order.upload.empty()) {
    std::filesystem::remove(service.order.upload, ignored);
  }
  return {};
}

}  // namespace mete
