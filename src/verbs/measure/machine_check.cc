#include "measure/machine_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace mete {
namespace {

// The kernel counts in steps of 10 ms, so this has twenty of them per CPU.
constexpr std::chrono::milliseconds kWindow{200};
// Less than this is what an idle system does, and a step or two of the counter.
constexpr double kLeastCpus = 0.25;
// On a large machine, a quarter of a CPU disturbs nobody.
constexpr double kLeastShare = 0.05;

bool IsMuch(double cpus, int all) {
  return cpus >= std::max(kLeastCpus, kLeastShare * all);
}

void CompareTimes(const CpuTimes& before, const CpuTimes& after, Seconds passed,
                  Seconds own, MachineCheck& check) {
  if (!(passed.count() > 0)) return;
  // The counters and the clock are not read at the same instant.
  auto cpus = [&](Seconds time) {
    return std::clamp(time / passed, 0.0, static_cast<double>(after.cpus));
  };
  check.busy_cpus = cpus(after.busy - before.busy - own);
  check.stolen_cpus = cpus(after.stolen - before.stolen);
  if (IsMuch(*check.busy_cpus, after.cpus)) {
    check.warnings.push_back(fmt::format(
        "other processes use {:.1f} of {} CPUs; times may be too long",
        *check.busy_cpus, after.cpus));
  }
  if (IsMuch(*check.stolen_cpus, after.cpus)) {
    check.warnings.push_back(fmt::format(
        "other virtual machines take {:.1f} of {} CPUs; times may be too long",
        *check.stolen_cpus, after.cpus));
  }
}

}  // namespace

MachineCheck CheckMachine(Host& host, Clock& clock, std::stop_token stop) {
  MachineCheck check;
  auto before = host.ReadCpuTimes();
  if (before) {
    const std::chrono::nanoseconds start = clock.Now();
    const Seconds own = clock.ProcessCpu();
    bool slept = clock.SleepFor(kWindow, std::move(stop));
    auto after = host.ReadCpuTimes();
    if (slept && after) {
      CompareTimes(*before, *after, clock.Now() - start,
                   clock.ProcessCpu() - own, check);
    }
  }
  auto governor = host.ReadEnvironment().governor;
  if (governor && *governor != "performance") {
    check.warnings.push_back(fmt::format(
        "the CPU frequency governor is {}, not performance; times may vary",
        *governor));
  }
  return check;
}

MachineCheck CheckMachineAndWarn(
    Host& host, Clock& clock,
    const std::function<void(const std::string&)>& warn, std::stop_token stop) {
  MachineCheck check = CheckMachine(host, clock, std::move(stop));
  for (const std::string& warning : check.warnings) {
    if (warn) warn(warning);
  }
  return check;
}

void KeepLoad(const MachineCheck& check, Environment& environment) {
  environment.busy_cpus = check.busy_cpus;
  environment.stolen_cpus = check.stolen_cpus;
}

void KeepCheck(const MachineCheck& check, Run& run) {
  KeepLoad(check, run.environment);
  std::vector<std::string>& notes = run.application()->notes;
  notes.insert(notes.end(), check.warnings.begin(), check.warnings.end());
}

}  // namespace mete
