#include "collect/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "collect/collected.h"
#include "collect/device_under_test.h"
#include "collect/network_worker_client.h"
#include "describe/describe.h"
#include "domain/network_traits.h"
#include "measure/keep_run.h"
#include "measure/verdict.h"
#include "stats/stopping.h"
#include "support/random.h"
#include "support/sha256.h"

namespace mete {
namespace {

// These inferences are discarded: afterwards the new load has settled and
// memory is allocated.
constexpr RunOrder kWarmup{
    .at_least = 2, .at_most = 1000, .time = Seconds(0.12)};
constexpr uint64_t kFewestIterations = 10;
// Relative standard error at which a run ends early.
constexpr double kPrecision = 0.02;
// 25 periods of an emulated device's quota.
constexpr Seconds kShortestRun{0.25};

// A network that is ready to be measured.
struct ReadyNetwork {
  const NetworkSource& source;
  std::filesystem::path file;
  std::string sha256;
};

class Collection {
 public:
  Collection(const CollectRequest& request, const CollectDependencies& ports,
             const OnCollectProgress& on_progress, std::stop_token stop)
      : request_(request),
        ports_(ports),
        on_progress_(on_progress),
        stop_(std::move(stop)),
        order_(DeriveSeed(request.seed, "collect order")) {}

  Result<CollectSummary> Go() {
    summary_.total = request_.networks.size() * request_.devices.size() *
                     request_.loads.size() * request_.passes;
    ASSIGN_OR_RETURN(collected_,
                     Collected::Read(ports_.store, request_.devices));
    for (const Device& device : request_.devices) {
      for (const SkippedRun& skipped : request_.skip) {
        collected_.AddSkipped(device.id, request_.batch, skipped);
      }
    }
    for (const Device& device : request_.devices) {
      ASSIGN_OR_RETURN(auto under_test,
                       DeviceUnderTest::Open(device, ports_.testbeds));
      for (const std::string& note : under_test->testbed().notes()) {
        summary_.notes.push_back(device.name + ": " + note);
      }
      under_test_.push_back(std::move(under_test));
    }
    started_ = ports_.clock.Now();
    for (pass_ = 1; pass_ <= request_.passes && !summary_.interrupted;
         ++pass_) {
      RETURN_IF_ERROR(MeasureAll());
    }
    return std::move(summary_);
  }

 private:
  Status MeasureAll() {
    std::vector<const NetworkSource*> networks;
    for (const NetworkSource& network : request_.networks) {
      networks.push_back(&network);
    }
    Shuffle(networks, order_);
    for (const NetworkSource* network : networks) {
      Status done = MeasureNetwork(*network);
      bool interrupted =
          stop_.stop_requested() ||
          (!done.ok() && done.error().code() == ErrorCode::kInterrupted);
      if (interrupted) {
        summary_.interrupted = true;
        return {};
      }
      RETURN_IF_ERROR(done);
    }
    return {};
  }

  // The loads still to be measured in this pass, in random order.
  std::vector<double> Missing(const std::string& network,
                              const Device& device) {
    std::vector<double> missing;
    for (double load : request_.loads) {
      bool there = collected_.Has({.network = network,
                                   .batch = request_.batch,
                                   .device_id = device.id,
                                   .load = load},
                                  pass_);
      if (request_.again || !there) missing.push_back(load);
    }
    Shuffle(missing, order_);
    return missing;
  }

  Status MeasureNetwork(const NetworkSource& source) {
    std::string key = source.source;
    if (source.kind == NetworkSource::Kind::kFile) {
      auto sha256 = Sha256OfFile(source.source);
      if (!sha256.ok()) return LeaveOut(source, sha256.error());
      key = *sha256;
    }
    std::vector<std::pair<DeviceUnderTest*, std::vector<double>>> work;
    for (const auto& under_test : under_test_) {
      std::vector<double> loads = Missing(key, under_test->device());
      summary_.found += request_.loads.size() - loads.size();
      if (!loads.empty()) work.emplace_back(under_test.get(), std::move(loads));
    }
    Shuffle(work, order_);
    if (work.empty()) return {};
    ASSIGN_OR_RETURN(std::filesystem::path folder, ports_.testbeds.Folder());
    ASSIGN_OR_RETURN(std::filesystem::path file,
                     WriteNetwork(source, folder, ports_.writer));
    Status measured = MeasureFile(source, file, work);
    RemoveWritten(source, file);
    return measured;
  }

  template <typename Work>
  Status MeasureFile(const NetworkSource& source,
                     const std::filesystem::path& file, const Work& work) {
    Result<NetworkTraits> traits = Traits(source, file);
    if (!traits.ok()) return LeaveOut(source, traits.error());
    if (source.shapes.empty()) {
      RETURN_IF_ERROR(ports_.store.SaveNetwork(*traits));
    }
    ReadyNetwork network{source, file, traits->sha256};
    for (const auto& [under_test, loads] : work) {
      RETURN_IF_ERROR(MeasureOn(*under_test, network, loads));
    }
    return {};
  }

  Result<NetworkTraits> Traits(const NetworkSource& source,
                               const std::filesystem::path& file) {
    ASSIGN_OR_RETURN(Network network, ports_.reader.Read(file));
    ASSIGN_OR_RETURN(Characteristics described,
                     Describe(network, {.shapes = source.shapes,
                                        .batch = request_.batch,
                                        .layers = true}));
    return ComputeTraits(described, source.name, request_.batch);
  }

  // An unusable file must not end a collection of hundreds of networks.
  Status LeaveOut(const NetworkSource& source, const Error& why) {
    if (pass_ > 1) return {};  // already reported in the first pass
    summary_.notes.push_back(source.name + " is skipped: " + why.message());
    summary_.failed +=
        request_.devices.size() * request_.loads.size() * request_.passes;
    return {};
  }

  Status MeasureOn(DeviceUnderTest& under_test, const ReadyNetwork& network,
                   const std::vector<double>& loads) {
    Report(network.source.name, under_test.device().name);
    Run base = StartRun(under_test, network);
    NetworkWorkerClient process(under_test.testbed());
    TestbedUsage before = under_test.testbed().Usage();
    ASSIGN_OR_RETURN(
        auto loaded,
        process.Load({.network = network.file,
                      .threads = EngineThreadsFor(under_test.device()),
                      .batch = request_.batch,
                      .seed = request_.seed,
                      .pictures = request_.pictures,
                      .shapes = base.workload.given_shapes,
                      .inputs = network.source.inputs},
                     stop_));
    if (!loaded.value) {
      base.load = BackgroundLoad{.asked = loads.front(),
                                 .measured = under_test.LoadBetween(
                                     before, under_test.testbed().Usage())};
      return Store(std::move(base), loaded.outcome, loads.size());
    }
    base.network()->load_time = Seconds(loaded.value->seconds);
    base.workload.input_shapes = loaded.value->input_shapes;
    base.workload.input_origin = loaded.value->input_origin;
    base.engine = loaded.value->engine;
    for (size_t i = 0; i < loads.size(); ++i) {
      ASSIGN_OR_RETURN(RunOutcome outcome,
                       MeasureUnder(under_test, process, base, loads[i]));
      if (outcome.kind == OutcomeKind::kCompleted) continue;
      // The process has lost the network, so the other loads wait for another
      // collection.
      summary_.failed += loads.size() - i - 1;
      break;
    }
    return under_test.SetLoad(0, stop_);
  }

  Result<RunOutcome> MeasureUnder(DeviceUnderTest& under_test,
                                  NetworkWorkerClient& process, const Run& base,
                                  double load) {
    RETURN_IF_ERROR(under_test.SetLoad(load, stop_));
    ASSIGN_OR_RETURN(auto warm, process.Run(kWarmup, stop_));
    Run run = base;
    run.started_at = ports_.clock.Wall();
    TestbedUsage before = under_test.testbed().Usage();
    RunOutcome outcome = warm.outcome;
    std::optional<TimedRun> timed;
    std::unique_ptr<MachineProbe> machine;
    if (load == 0) {
      machine = ports_.new_machine_probe();
      machine->Read();  // energy is counted from here
    }
    if (warm.value) {
      run.network()->warmup_iterations = warm.value->samples.size();
      ASSIGN_OR_RETURN(auto found, process.Run(MakeOrder(), stop_));
      outcome = found.outcome;
      timed = std::move(found.value);
    }
    if (timed && machine) {
      run.network()->energy_per_inference = ComputeEnergy(*machine, *timed);
    }
    run.load = BackgroundLoad{.asked = load,
                              .measured = under_test.LoadBetween(
                                  before, under_test.testbed().Usage())};
    if (timed) FillNumbers(*timed, run);
    RETURN_IF_ERROR(Store(std::move(run), outcome, 1));
    return outcome;
  }

  // Energy per inference of the whole machine, which did nothing else. Uses
  // counters only: power readings before and after a run say little about the
  // time in between.
  static std::optional<Joules> ComputeEnergy(MachineProbe& machine,
                                             const TimedRun& timed) {
    MachineSample sample = machine.Read();
    bool counted = sample.energy_joules && sample.energy_source == "rapl" &&
                   !timed.samples.empty();
    if (!counted) return std::nullopt;
    return Joules{*sample.energy_joules /
                  static_cast<double>(timed.samples.size())};
  }

  RunOrder MakeOrder() const {
    return {.at_least = std::min(kFewestIterations, request_.iterations),
            .at_most = request_.iterations,
            .shortest = std::min(kShortestRun, request_.time),
            .time = request_.time,
            .precision = kPrecision};
  }

  Run StartRun(DeviceUnderTest& under_test, const ReadyNetwork& network) {
    const Device& device = under_test.device();
    Run run;
    run.started_at = ports_.clock.Wall();
    run.workload = {.kind = WorkloadKind::kNetwork,
                    .name = network.source.name,
                    .source = network.source.source,
                    .sha256 = network.sha256,
                    .batch = request_.batch};
    for (const ShapeOverride& shape : network.source.shapes) {
      run.workload.given_shapes.push_back(ToString(shape));
    }
    run.device_id = device.id;
    // The name is shown wherever the run is shown, so it includes the mark. The
    // id identifies the device.
    run.device_name = device.name + (device.emulated ? " (emulated)" : "");
    if (device.emulation) run.limits = device.emulation->limits;
    run.limits.threads = EngineThreadsFor(device);
    run.environment = ports_.host.ReadEnvironment();
    run.environment.memory_available = under_test.testbed().MemoryAvailable();
    run.mete_version = request_.mete_version;
    run.seed = request_.seed;
    return run;
  }

  static void FillNumbers(const TimedRun& timed, Run& run) {
    SteadyPart part = FindSteadyPart(timed.samples, {.warmup = 0});
    NetworkDetails& network = *run.network();
    network.iterations = timed.samples.size();
    network.latency = SummariseLatency(part);
    network.verdict = Judge(part, {});
    if (network.latency && network.latency->mean > Seconds(0)) {
      network.throughput = static_cast<double>(run.workload.batch) /
                           network.latency->mean.count();
    }
    network.autocorrelation_time = part.tau;
    run.cpu_time = Seconds(timed.cpu_seconds);
    run.peak_rss = timed.peak_rss;
    network.samples = timed.samples;
  }

  // `count`: number of planned runs that this one settles.
  Status Store(Run run, const RunOutcome& outcome, size_t count) {
    run.outcome = outcome;
    run.id = MakeRunId(run.started_at, ports_.draw_entropy());
    RETURN_IF_ERROR(KeepRun(ports_.store, run));
    collected_.Add(run);
    (outcome.kind == OutcomeKind::kCompleted ? summary_.measured
                                             : summary_.failed) += count;
    Report(run.workload.name, run.device_name);
    return {};
  }

  void Report(const std::string& network, const std::string& device) const {
    if (!on_progress_) return;
    size_t now = summary_.measured + summary_.failed;
    CollectProgress progress{.done = summary_.found + now,
                             .total = summary_.total,
                             .network = network,
                             .device = device,
                             .left = std::nullopt};
    if (now > 0) {
      Seconds each =
          Seconds(ports_.clock.Now() - started_) / static_cast<double>(now);
      progress.left =
          each * static_cast<double>(summary_.total - progress.done);
    }
    on_progress_(progress);
  }

  const CollectRequest& request_;
  const CollectDependencies& ports_;
  const OnCollectProgress& on_progress_;
  std::stop_token stop_;
  Random order_;
  Collected collected_;
  size_t pass_ = 1;
  std::vector<std::unique_ptr<DeviceUnderTest>> under_test_;
  std::chrono::nanoseconds started_{0};
  CollectSummary summary_;
};

}  // namespace

Result<CollectSummary> Collect(const CollectRequest& request,
                               const CollectDependencies& ports,
                               const OnCollectProgress& on_progress,
                               std::stop_token stop) {
  return Collection(request, ports, on_progress, std::move(stop)).Go();
}

Status CollectWhole(const CollectRequest& request,
                    const CollectDependencies& ports,
                    const CollectCallbacks& callbacks, std::stop_token stop) {
  ASSIGN_OR_RETURN(
      CollectSummary summary,
      Collect(request, ports, callbacks.on_progress, std::move(stop)));
  if (callbacks.on_note) {
    for (const std::string& note : summary.notes) callbacks.on_note(note);
  }
  if (!summary.interrupted) return {};
  return Error(ErrorCode::kInterrupted,
               "stopped; run the same command again to resume");
}

}  // namespace mete
