#include "measure/run_application.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "measure/application_bounds.h"
#include "measure/gpu_summary.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

// How often to check for Ctrl-C and report progress.
constexpr nanoseconds kLook = std::chrono::milliseconds(100);

nanoseconds Nanoseconds(Seconds seconds) {
  return std::chrono::duration_cast<nanoseconds>(seconds);
}

// Takes samples at start + n/rate, whatever each of them costs. A late sample
// does not delay the ones after it.
class Sampler {
 public:
  Sampler(double hertz, nanoseconds start, Seconds own_cpu)
      : start_(start), cpu_before_(own_cpu) {
    sampling_.hertz = hertz;
  }

  nanoseconds next() const {
    return start_ +
           Nanoseconds(Seconds(static_cast<double>(place_) / sampling_.hertz));
  }

  void TakeIfDue(RunningApplication& application, MachineProbe& machine,
                 const Clock& clock) {
    nanoseconds now = clock.Now();
    if (now < next()) return;
    sampling_.worst_delay =
        std::max(sampling_.worst_delay, Seconds(now - next()));
    samples_.push_back({.at = now - start_,
                        .usage = application.Usage(),
                        .machine = machine.Read()});
    UsageSample& sample = samples_.back();
    if (!sample.machine.gpus.empty()) {
      sample.usage.gpu_memory =
          SumGpuMemory(application.ProcessIds(), sample.machine.gpus);
    }
    // Sampling times that have passed are skipped, not caught up.
    auto due = static_cast<uint64_t>(
        std::floor(Seconds(clock.Now() - start_).count() * sampling_.hertz));
    uint64_t following = std::max(place_ + 1, due + 1);
    sampling_.missed += following - place_ - 1;
    place_ = following;
  }

  Sampling Finish(Seconds own_cpu) {
    sampling_.taken = samples_.size();
    sampling_.own_cpu = own_cpu - cpu_before_;
    return sampling_;
  }

  std::vector<UsageSample>& samples() { return samples_; }

 private:
  nanoseconds start_;
  Seconds cpu_before_;
  uint64_t place_ = 1;  // the first sample comes after one period
  Sampling sampling_;
  std::vector<UsageSample> samples_;
};

// Samples until the application ends, and returns what ended it.
class Watch {
 public:
  Watch(const ApplicationSpec& spec, const ApplicationPorts& ports,
        const ApplicationProgressCallback& progress)
      : spec_(spec),
        machine_(ports.machine),
        clock_(ports.clock),
        progress_(progress),
        start_(clock_.Now()),
        sampler_(spec.sample_hertz, start_, clock_.ProcessCpu()) {}

  EndedBy UntilEnd(RunningApplication& application, std::stop_token stop) {
    std::optional<nanoseconds> deadline;
    if (spec_.timeout) deadline = start_ + Nanoseconds(*spec_.timeout);
    while (true) {
      if (stop.stop_requested()) return EndedBy::kUser;
      nanoseconds now = clock_.Now();
      if (deadline && now >= *deadline) return EndedBy::kTimeout;
      nanoseconds until = std::min(sampler_.next(), now + kLook);
      if (deadline) until = std::min(until, *deadline);
      if (application.Wait(std::max(nanoseconds(0), until - now))) {
        return EndedBy::kItself;
      }
      sampler_.TakeIfDue(application, machine_, clock_);
      Report();
    }
  }

  nanoseconds started() const { return start_; }
  Seconds elapsed() const { return clock_.Now() - start_; }
  Sampler& sampler() { return sampler_; }

 private:
  void Report() {
    nanoseconds now = clock_.Now();
    if (!progress_ || now < next_word_) return;
    next_word_ = now + kLook;
    ApplicationProgress progress{.elapsed = now - start_,
                                 .at_most = spec_.timeout};
    if (!sampler_.samples().empty()) {
      progress.usage = sampler_.samples().back().usage;
    }
    progress_(progress);
  }

  const ApplicationSpec& spec_;
  MachineProbe& machine_;
  Clock& clock_;
  const ApplicationProgressCallback& progress_;
  nanoseconds start_;
  nanoseconds next_word_{0};
  Sampler sampler_;
};

// Explains why a requested probe has no data.
void AddProbeNotes(const ProbeChoice& probes,
                   const std::vector<AbsentProbe>& absent,
                   std::vector<std::string>& notes) {
  for (const AbsentProbe& one : absent) {
    if (std::ranges::find(probes.required, one.probe) !=
        probes.required.end()) {
      notes.push_back(one.reason);
    }
  }
}

void TakeMost(std::optional<Bytes>& most, const std::optional<Bytes>& value) {
  if (value) most = std::max(most.value_or(Bytes{}), *value);
}

// The most memory of each kind at any sample. What was read after the end shows
// only the file pages that stayed.
void SetMemoryParts(const std::vector<UsageSample>& samples,
                    const std::optional<ResourceUsage>& until_end,
                    ResourceUsage& usage) {
  usage.memory_anonymous.reset();
  usage.memory_kernel.reset();
  auto take = [&](const ResourceUsage& seen) {
    TakeMost(usage.memory_anonymous, seen.memory_anonymous);
    TakeMost(usage.memory_file, seen.memory_file);
    TakeMost(usage.memory_kernel, seen.memory_kernel);
  };
  for (const UsageSample& sample : samples) take(sample.usage);
  if (until_end) take(*until_end);
  // Without a sample nothing is known about the other parts.
  if (!usage.memory_anonymous) usage.memory_file.reset();
}

// A cgroup is charged only for file pages that it was the first to read. Less
// than this are usually the C and C++ libraries, which every program shares.
constexpr Bytes kUsuallyShared = Mebibytes(4);

void AddCacheNote(const ResourceUsage& usage, std::vector<std::string>& notes) {
  if (!usage.memory_peak || !usage.resident_peak) return;
  const uint64_t counted = usage.memory_peak->count + kUsuallyShared.count;
  if (usage.resident_peak->count <= counted) return;
  notes.push_back(fmt::format(
      "the memory peak leaves out at least {} of files that were in the page "
      "cache already; on a freshly started machine they count",
      FormatBytes(
          Bytes{usage.resident_peak->count - usage.memory_peak->count})));
}

// Processes that the command started and did not wait for. What they would have
// done later is not part of the run.
void AddBackgroundNote(size_t processes, std::vector<std::string>& notes) {
  if (processes == 0) return;
  notes.push_back(fmt::format(
      "{} still running when the command ended, and {} killed",
      processes == 1 ? "1 background process was"
                     : fmt::format("{} background processes were", processes),
      processes == 1 ? "was" : "were"));
}

// Without a cgroup, the CPU time of running processes is counted in steps of
// 10 ms, and 0 is not a measurement. What wait(2) says afterwards is exact, but
// includes what the application did while it was being stopped.
void RefineCpu(const ResourceUsage& ended, ResourceUsage& until_end) {
  constexpr Seconds kTwoSteps{0.02};
  if (until_end.cpu != Seconds(0)) return;
  const bool precise = ended.cpu && *ended.cpu < kTwoSteps;
  until_end.cpu = precise ? ended.cpu : std::nullopt;
  until_end.cpu_user = precise ? ended.cpu_user : std::nullopt;
  until_end.cpu_system = precise ? ended.cpu_system : std::nullopt;
}

Seconds GraceAfter(EndedBy ended_by, const PreparedApplication& prepared) {
  const Seconds usual = prepared.spec.grace;
  if (ended_by != EndedBy::kUser) return usual;
  return prepared.interrupt_grace.value_or(usual);
}

Run StartRun(const PreparedApplication& prepared,
             const ApplicationPorts& ports) {
  Run run;
  run.started_at = ports.clock.Wall();
  run.id = prepared.run_id;
  run.workload = prepared.workload;
  run.device_id = prepared.device_id;
  run.device_name = prepared.device_name;
  run.limits = prepared.spec.limits;
  run.mete_version = prepared.mete_version;
  run.engine = prepared.engine;
  run.environment = ports.host.ReadEnvironment();
  run.details = ApplicationDetails{};
  return run;
}

// It ran elsewhere: nothing is known about the conditions there.
void SetPlace(const RemotePlace& place, Run& run) {
  run.device_name = place.device_name;
  run.device_id =
      place.device_id.empty() ? "node-" + place.device_name : place.device_id;
  run.environment = {};
}

}  // namespace

RunOutcome JudgeEnding(const ProcessEnding& ending, EndedBy ended_by,
                       const ApplicationSpec& spec) {
  if (ended_by == EndedBy::kUser) {
    return {.kind = OutcomeKind::kInterrupted, .detail = "stopped by the user"};
  }
  if (ending.proved) return *ending.proved;
  // If a child process was killed for lack of memory but the application
  // survived, the run is completed. Its usage contains the count.
  if (ending.oom_kills > 0 && ending.exit_code != 0) {
    std::string limit =
        spec.limits.memory ? FormatBytes(*spec.limits.memory) : "the machine";
    return {
        .kind = OutcomeKind::kOutOfMemory,
        .detail = fmt::format("the kernel killed {} at the limit of {} ({})",
                              Counted(ending.oom_kills, "process", "processes"),
                              limit, ending.evidence)};
  }
  if (ended_by == EndedBy::kTimeout) {
    return {.kind = OutcomeKind::kTimedOut,
            .detail = fmt::format("limit {}; {}", FormatSeconds(*spec.timeout),
                                  ending.signal == SIGKILL
                                      ? "ignored SIGTERM, killed by SIGKILL"
                                      : "ended by SIGTERM")};
  }
  if (ending.signal) {
    return {.kind = OutcomeKind::kCrashed,
            .detail = fmt::format("signal {} ({})", *ending.signal,
                                  strsignal(*ending.signal))};
  }
  if (!ending.exit_code) {
    return {.kind = OutcomeKind::kCrashed,
            .detail = "its exit status is unknown: " + ending.evidence};
  }
  if (*ending.exit_code != 0) {
    return {.kind = OutcomeKind::kFailed,
            .detail = fmt::format("exit code {}", *ending.exit_code)};
  }
  return {.kind = OutcomeKind::kCompleted};
}

Result<ApplicationRun> RunApplication(
    const PreparedApplication& prepared, const ApplicationPorts& ports,
    const ApplicationProgressCallback& progress, std::stop_token stop) {
  RETURN_IF_ERROR(CheckBounds(prepared.spec));
  ApplicationRun result{.run = StartRun(prepared, ports)};
  LaunchRequest launch = prepared.launch;
  launch.run_id = prepared.run_id;
  launch.stop = stop;
  auto started = prepared.launcher->Start(launch);
  if (!started.ok()) {
    if (started.error().code() != ErrorCode::kUnsupported) {
      return started.error();
    }
    result.run.outcome = {.kind = OutcomeKind::kRejected,
                          .detail = started.error().message()};
    return result;
  }
  RunningApplication& application = **started;
  if (auto place = application.Place()) SetPlace(*place, result.run);
  ports.machine.Read();  // starts the energy count
  Watch watch(prepared.spec, ports, progress);
  result.started = watch.started();
  EndedBy ended_by = watch.UntilEnd(application, stop);
  ApplicationDetails results{.duration = watch.elapsed()};
  MachineSample machine = ports.machine.Read();
  if (machine.energy_joules) results.energy = Joules{*machine.energy_joules};
  results.energy_source = machine.energy_source;
  std::optional<ResourceUsage> until_end;
  if (ended_by != EndedBy::kItself) {
    // What the application does after that is not part of the run.
    until_end = application.Usage();
    application.Terminate();
    application.Wait(Nanoseconds(GraceAfter(ended_by, prepared)));
  }
  const size_t left_behind =
      ended_by == EndedBy::kItself ? application.ProcessIds().size() : 0;
  application.Kill();  // including background processes
  result.opened_files = application.OpenedFiles();
  ProcessEnding ending = application.Outcome();
  if (ended_by == EndedBy::kItself && ending.lifetime) {
    results.duration = *ending.lifetime;
  }
  results.exit_code = ending.exit_code;
  results.signal = ending.signal;
  results.usage = application.Usage();
  if (until_end) {
    until_end->oom_kills = results.usage.oom_kills;
    until_end->proportional_memory = results.usage.proportional_memory;
    until_end->proportional_at = results.usage.proportional_at;
    until_end->resident_peak = results.usage.resident_peak;
    RefineCpu(results.usage, *until_end);
    results.usage = *until_end;
  }
  // The launcher counts from its own start, which is before that of a
  // container, and looks once more while it stops an application.
  if (auto& at = results.usage.proportional_at) {
    at = std::min(*at, *results.duration);
  }
  SetMemoryParts(watch.sampler().samples(), until_end, results.usage);
  results.accounting = application.Accounting();
  results.notes = application.notes();
  results.missing_limits = application.MissingLimits();
  AddCacheNote(results.usage, results.notes);
  AddBackgroundNote(left_behind, results.notes);
  AddProbeNotes(prepared.spec.probes, application.AbsentProbes(),
                results.notes);
  AddProbeNotes(prepared.spec.probes, ports.machine.AbsentProbes(),
                results.notes);
  results.sampling = watch.sampler().Finish(ports.clock.ProcessCpu());
  result.samples = std::move(watch.sampler().samples());
  results.gpu = SummariseGpus(result.samples, machine);
  result.run.outcome = JudgeEnding(ending, ended_by, prepared.spec);
  result.run.cpu_time = results.usage.cpu;
  result.run.peak_rss = results.usage.memory_peak;
  result.run.details = std::move(results);
  return result;
}

}  // namespace mete
