#include "adapters/tegrastats/tegrastats_source.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "support/spawn.h"

namespace mete {
namespace {

// Several intervals of the tool: a late line is not a gap, a hung tool is.
constexpr std::chrono::seconds kFresh{3};
// Longer than any line of tegrastats.
constexpr size_t kLongestLine = 65'536;

const TegraEngine* Find(const Tegrastats& line,
                        std::initializer_list<std::string_view> names) {
  for (const TegraEngine& engine : line.engines) {
    if (std::ranges::find(names, engine.name) != names.end()) return &engine;
  }
  return nullptr;
}

// True if mete has already read the same rail from the kernel.
bool HasRail(const MachineSample& sample, const std::string& name) {
  return std::ranges::any_of(sample.rails, [&](const RailSample& rail) {
    return rail.name.ends_with("/" + name);
  });
}

}  // namespace

Result<std::unique_ptr<TegrastatsSource>> TegrastatsSource::Open(
    const TegrastatsRequest& request, const Clock& clock) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return SystemError("create a pipe", errno);
  }
  Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  ASSIGN_OR_RETURN(
      pid_t pid, Spawn({.arguments = {request.program, "--interval",
                                      std::to_string(request.interval.count())},
                        .output = writer.number()}));
  return std::unique_ptr<TegrastatsSource>(
      new TegrastatsSource(pid, std::move(reader), clock));
}

TegrastatsSource::TegrastatsSource(pid_t pid, Descriptor lines,
                                   const Clock& clock)
    : pid_(pid),
      lines_(std::move(lines)),
      clock_(clock),
      reader_([this] { ReadLines(); }) {}

TegrastatsSource::~TegrastatsSource() {
  kill(-pid_, SIGKILL);  // it has no state to lose
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  // Its end of the pipe is closed, so the reader ends too.
}

void TegrastatsSource::ReadLines() {
  std::string text;
  std::array<char, 4096> buffer;
  while (true) {
    ssize_t got = read(lines_.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    text.append(buffer.data(), static_cast<size_t>(got));
    const size_t last = text.rfind('\n');
    if (last == std::string::npos) {
      if (text.size() > kLongestLine) text.clear();
      continue;
    }
    // Only the latest complete line counts.
    const size_t before =
        last == 0 ? std::string::npos : text.rfind('\n', last - 1);
    const size_t start = before == std::string::npos ? 0 : before + 1;
    Take(std::string_view(text).substr(start, last - start));
    text.erase(0, last + 1);
  }
}

void TegrastatsSource::Take(std::string_view line) {
  auto parsed = ParseTegrastats(line);
  if (!parsed.ok()) return;  // a message of the tool
  std::lock_guard lock(mutex_);
  latest_ = *std::move(parsed);
  read_at_ = clock_.Now();
}

void TegrastatsSource::AddTo(MachineSample& sample) {
  std::lock_guard lock(mutex_);
  if (!latest_ || clock_.Now() - read_at_ > kFresh) return;
  AddTegrastats(*latest_, sample);
}

void AddTegrastats(const Tegrastats& line, MachineSample& sample) {
  const TegraEngine* gpu = Find(line, {"GR3D_FREQ", "GR3D"});
  // Newer boards also have NVML, which reports more.
  if (gpu != nullptr && sample.gpus.empty()) {
    sample.gpus.push_back({.name = "GR3D", .utilization = gpu->load});
  }
  const TegraEngine* bus = Find(line, {"EMC_FREQ", "EMC"});
  if (bus != nullptr && bus->load) sample.memory_bus_load = bus->load;
  for (const TegraTemperature& sensor : line.temperatures) {
    // has no sensor and always reports 100
    if (sensor.name == "PMIC") continue;
    sample.hottest_celsius = std::max(
        sample.hottest_celsius.value_or(sensor.celsius), sensor.celsius);
    if (sensor.name == "GPU" && !sample.gpus.empty() &&
        !sample.gpus[0].celsius) {
      sample.gpus[0].celsius = sensor.celsius;
    }
  }
  for (const TegraRail& rail : line.rails) {
    if (rail.name == "NC" || HasRail(sample, rail.name)) continue;
    sample.rails.push_back(
        {.name = "tegrastats/" + rail.name, .power = rail.now});
  }
}

}  // namespace mete
