#include "agent/engine_measurer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <cerrno>

#include "domain/device_json.h"
#include "linux/host_usage.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "support/json.h"
#include "support/spawn.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr std::chrono::minutes kPatience{5};
constexpr std::chrono::seconds kLookEvery{1};

struct CpuTime {
  double busy = 0;
  double all = 0;
};

CpuTime Sum(std::string_view stat) {
  CpuTime sum;
  for (const CoreTime& core : ParseCoreTimes(stat)) {
    double busy = Seconds(core.user + core.system + core.stolen).count();
    sum.busy += busy;
    sum.all += busy + Seconds(core.idle + core.waiting).count();
  }
  return sum;
}

// Absent if `wait` was interrupted or nothing could be read.
std::optional<double> LoadBetween(WatchedFile& stat,
                                  const std::function<bool()>& wait) {
  const CpuTime before = Sum(stat.TextOrNone());
  if (!wait()) return std::nullopt;
  const CpuTime after = Sum(stat.TextOrNone());
  const double all = after.all - before.all;
  if (all <= 0) return std::nullopt;
  return (after.busy - before.busy) / all;
}

// Returns the last line a program printed.
std::string LastLine(const std::filesystem::path& file) {
  std::string last = "it printed nothing";
  auto text = ReadFile(file);
  if (!text.ok()) return last;
  for (const std::string& line : SplitAt(*text, '\n')) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

std::filesystem::path EngineSpeedsFile(const std::filesystem::path& folder) {
  return folder / "engine-speeds.json";
}

Status MeasureEngine(const EngineMeasurerRequest& request, Clock& clock,
                     const std::stop_token& stop) {
  RETURN_IF_ERROR(MakeFolder(request.folder));
  const auto output = request.folder / "engine-speeds.part";
  const auto errors = request.folder / "engine-speeds.log";
  constexpr int kFlags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
  Descriptor out(open(output.c_str(), kFlags, 0644));
  if (!out.open()) return SystemError("write " + output.string(), errno);
  Descriptor err(open(errors.c_str(), kFlags, 0644));
  if (!err.open()) return SystemError("write " + errors.string(), errno);
  ASSIGN_OR_RETURN(
      pid_t process,
      Spawn({.arguments = {request.program, "devices", "show", "--refresh",
                           "-o", "json", "--store",
                           "sqlite:" + (request.folder / "agent.db").string()},
             .output = out.number(),
             .errors = err.number(),
             // Not the files of the user who started the agent: it may have
             // switched to another user.
             .environment = {
                 {"HOME", request.folder.string()},
                 {"XDG_CONFIG_HOME", request.folder.string()},
                 {"METE_STATE", (request.folder / "mete").string()}}}));
  ASSIGN_OR_RETURN(int status,
                   WaitForProcess(process, clock.Now() + kPatience, clock, stop)
                       .While("measure the engine"));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Unavailable(fmt::format(
        "measure the engine: {} ended with code {}: {}", request.program,
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
        LastLine(errors)));
  }
  ASSIGN_OR_RETURN(std::string text, ReadFile(output));
  ASSIGN_OR_RETURN(Json json, ParseJson(text).While("measure the engine"));
  ASSIGN_OR_RETURN(Device device, DeviceFromJson(json));
  if (!device.micro) {
    return Unavailable("measure the engine: " + LastLine(errors));
  }
  return WriteFileAtomically(EngineSpeedsFile(request.folder), text);
}

double LoadDuring(std::chrono::milliseconds time, Clock& clock) {
  WatchedFile stat(SystemRoot(), "/proc/stat");
  return LoadBetween(stat, [&] { return clock.SleepFor(time, {}); })
      .value_or(0);
}

EngineMeasurer::EngineMeasurer(EngineMeasurerRequest request,
                               const SystemRoot& root, Clock& clock)
    : request_(std::move(request)),
      clock_(clock),
      stat_(root, "/proc/stat"),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

bool EngineMeasurer::IsDue() const {
  std::error_code error;  // ignored: the measurement will report it
  return asked_ ||
         !std::filesystem::exists(EngineSpeedsFile(request_.folder), error);
}

bool EngineMeasurer::IsIdle(const std::stop_token& stop) {
  auto load = LoadBetween(
      stat_, [&] { return clock_.SleepFor(request_.look_for, stop); });
  return load && *load <= request_.most_load;
}

void EngineMeasurer::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (!IsDue() || !IsIdle(stop)) {
      clock_.SleepFor(kLookEvery, stop);
      continue;
    }
    asked_ = false;
    request_.report("the device is idle: measuring the inference engine");
    Status done = MeasureEngine(request_, clock_, stop);
    if (stop.stop_requested()) return;
    request_.report(done.ok() ? "the inference engine has been measured"
                              : done.error().message());
    if (!done.ok()) clock_.SleepFor(request_.try_again, stop);
  }
}

}  // namespace mete
