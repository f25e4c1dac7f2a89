#include "measure/measure_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "measure/layer_times.h"
#include "measure/layer_trace.h"
#include "measure/pin.h"
#include "measure/quota_periods.h"
#include "measure/timed_series.h"
#include "measure/verdict.h"
#include "stats/stopping.h"
#include "support/file.h"
#include "support/text.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

// Ten updates a second look smooth and cost nothing compared with a
// measurement.
constexpr nanoseconds kProgressEvery = std::chrono::milliseconds(100);

// Reports at most once per kProgressEvery of the measurement's clock.
class ProgressReporter {
 public:
  ProgressReporter(const ProgressCallback& callback, MeasureProgress first)
      : callback_(callback), progress_(first) {}

  void Report(uint64_t iterations, nanoseconds elapsed) {
    if (!callback_ || elapsed < next_) return;
    next_ = elapsed + kProgressEvery;
    progress_.iterations = iterations;
    progress_.elapsed = elapsed;
    callback_(progress_);
  }

 private:
  const ProgressCallback& callback_;
  MeasureProgress progress_;
  nanoseconds next_{0};
};

// Calls the engine until the rule, the time limit or the user ends it.
struct SeriesRun {
  EndingRule& rule;
  TimedSeries& series;
  ProgressReporter& reporter;
  std::optional<Seconds> limit;
  nanoseconds start;

  Status UntilDone(std::stop_token stop) {
    while (!stop.stop_requested()) {
      RETURN_IF_ERROR(series.TimeOne());
      nanoseconds elapsed = series.last_end() - start;
      if (rule.IsDone(series.seconds(), elapsed)) break;
      if (limit && elapsed >= *limit) break;
      reporter.Report(series.size(), elapsed);
    }
    return {};
  }
};

// Items per call: the size chosen for an open first dimension, otherwise the
// requested batch size.
int64_t ChooseBatch(const EngineSession& session, const InputFeeds& feeds,
                    int64_t asked) {
  if (session.inputs().empty()) return asked;
  const GraphValue& first = session.inputs().front();
  bool open = first.type.shape && !first.type.shape->empty() &&
              !first.type.shape->front().size;
  if (!open) return asked;
  for (const TensorValue& value : feeds.feeds.front()) {
    if (value.name == first.name && !value.sizes.empty()) {
      return value.sizes.front();
    }
  }
  return asked;
}

Run StartRun(const MeasureRequest& request, const MeasurePorts& ports) {
  Run run;
  run.started_at = ports.clock.Wall();
  run.id = MakeRunId(run.started_at, request.entropy);
  run.workload = {.kind = WorkloadKind::kNetwork,
                  .name = request.name,
                  .source = request.network.string(),
                  .sha256 = request.sha256,
                  .batch = request.inputs.sizes.batch};
  run.device_id = request.device_id;
  run.device_name = request.device_name;
  run.limits.threads = request.threads;
  run.limits.pin = request.pin;
  run.engine = ports.engine.version();
  run.environment = ports.host.ReadEnvironment();
  run.mete_version = request.mete_version;
  run.seed = request.inputs.seed;
  for (const ShapeOverride& shape : request.inputs.sizes.shapes) {
    run.workload.given_shapes.push_back(ToString(shape));
  }
  run.network()->engine_options = request.engine;
  run.network()->arguments = request.arguments;
  return run;
}

// Fills in all numbers that come from the series.
void FillNumbers(TimedSeries& series, const EndingRule& rule,
                 const EndingRequest& ending, const MeasureRequest& request,
                 Run& run) {
  SteadyRequest cut = rule.Cut();
  // A single call would be its own warm-up, but it is the only one to report.
  if (series.size() == 1 && !ending.warmup) cut.warmup = 0;
  SteadyPart part = FindSteadyPart(series.seconds(), cut);
  NetworkDetails& network = *run.network();
  network.iterations = part.series.size();
  network.warmup_iterations = part.warmup;
  network.latency = SummariseLatency(part);
  if (network.latency) {
    if (!request.has_cpu_quota || CoversQuotaPeriods(part)) {
      network.throughput = static_cast<double>(run.workload.batch) /
                           network.latency->mean.count();
    }
    run.cpu_time = series.CpuTime(part.warmup);
    network.autocorrelation_time = part.tau;
  }
  std::optional<double> target = TargetFor(ending);
  network.verdict = Judge(part, {.target = target.value_or(request.precision),
                                 .adaptive = target.has_value(),
                                 .asked_iterations = IterationsFor(ending),
                                 .has_cpu_quota = request.has_cpu_quota});
  network.samples = std::move(part.series);
}

// The first call fails where values are not what the network expects. Random
// integers are the usual reason, and engines say so in a page of text.
Error ExplainFailure(const Error& error, const InputFeeds& feeds,
                     size_t calls) {
  if (calls > 0 || feeds.random_integers.empty()) return error;
  const std::string& name = feeds.random_integers.front();
  return Error(
      error.code(),
      fmt::format("the engine failed with random integers in {}; set the "
                  "values, e.g. --input {}=16000, {}=zeros or {}=FILE.npy "
                  "(engine: {})",
                  fmt::join(feeds.random_integers, ", "), name, name, name,
                  ShortenMiddle(error.message(), 160)));
}

size_t ExpectedCalls(const EndingRequest& ending) {
  // The warm-up of a fixed count is at most half of it. The other endings need
  // more space only for networks faster than 1 ms.
  constexpr uint64_t kRoom = 1 << 16;
  constexpr uint64_t kMost = 1 << 24;
  uint64_t count = std::min(IterationsFor(ending).value_or(0), kMost);
  return count + count / 2 + kRoom;
}

}  // namespace

Result<Run> MeasureNetwork(const MeasureRequest& request,
                           const MeasurePorts& ports,
                           const ProgressCallback& progress,
                           std::stop_token stop) {
  std::string act = "measure " + request.name;
  if (request.threads < 1) {
    return InvalidInput(act + ": threads must be at least 1");
  }
  EndingRequest ending{.when = request.ending,
                       .max_duration = request.max_duration,
                       .warmup = request.warmup};
  if (request.has_cpu_quota) ending.least = kNetworkTime;
  ASSIGN_OR_RETURN(auto rule, MakeEndingRule(ending).While(act));
  Run run = StartRun(request, ports);
  ports.host.ResetPeakMemory();

  // Before the engine starts its threads, which inherit the CPUs.
  ASSIGN_OR_RETURN(PinnedThread pinned,
                   PinnedThread::Pin(request.pin, ports.host));
  LoadRequest load{.path = request.network,
                   .threads = request.threads,
                   .options = request.engine};
  nanoseconds before_load = ports.clock.Now();
  ASSIGN_OR_RETURN(auto session, ports.engine.Load(load));
  run.network()->load_time = ports.clock.Now() - before_load;

  ASSIGN_OR_RETURN(InputFeeds feeds,
                   MakeInputs(session->inputs(), request.inputs, ports.images));
  run.workload.input_shapes = feeds.shapes;
  run.workload.input_origin = feeds.origin;
  run.workload.batch = ChooseBatch(*session, feeds, run.workload.batch);

  TimedSeries series(
      {.session = *session, .feeds = feeds, .clock = ports.clock},
      ExpectedCalls(ending));
  ProgressReporter reporter(progress, {.at_most = TimeLimit(ending),
                                       .of_iterations = IterationsFor(ending)});
  SeriesRun timed{.rule = *rule,
                  .series = series,
                  .reporter = reporter,
                  .limit = TimeLimit(ending),
                  .start = ports.clock.Now()};
  if (Status done = timed.UntilDone(stop); !done.ok()) {
    return ExplainFailure(done.error(), feeds, series.size())
        .While(fmt::format("{}, iteration {}", act, series.size() + 1));
  }
  run.peak_rss = ports.host.PeakMemory();
  if (stop.stop_requested()) run.outcome.kind = OutcomeKind::kInterrupted;
  FillNumbers(series, *rule, ending, request, run);
  session.reset();

  NetworkDetails& network = *run.network();
  if (request.layers && network.latency && !stop.stop_requested()) {
    ASSIGN_OR_RETURN(MeasuredLayers measured,
                     MeasureLayers({.load = load,
                                    .feeds = feeds,
                                    .expected_latency = network.latency->mean},
                                   ports.engine, stop)
                         .While(act + ", layer times"));
    network.layers = std::move(measured.layers);
    if (!request.trace.empty()) {
      RETURN_IF_ERROR(
          WriteFileAtomically(request.trace, ChromeTrace(measured.times))
              .While("--trace"));
    }
  }
  return run;
}

}  // namespace mete
