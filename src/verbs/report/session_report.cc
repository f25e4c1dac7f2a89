#include "report/session_report.h"

#include "measure/reproduce_command.h"
#include "measure/sample_csv.h"
#include "support/check.h"
#include "support/command_line.h"

namespace mete {
namespace {

RunCurves MakeRunCurves(const ApplicationRun& done) {
  RunCurves curves{.latencies = LatencyTable(done.run)};
  if (done.earlier_samples.empty()) {
    auto table = SampleTable::FromCsv(SamplesCsv(done.samples));
    CHECK(table.ok()) << "samples of this session: " << table.error().message();
    curves.samples = *std::move(table);
  } else {  // somebody may have changed the file: then there are no curves
    auto table = SampleTable::FromCsv(done.earlier_samples);
    if (table.ok()) curves.samples = *std::move(table);
  }
  if (!done.run.application()) return curves;
  for (const auto& [name, metric] : done.run.application()->app_metrics) {
    // The event rate of a timer or a number is of no interest.
    if (metric.kind != AppMetricKind::kRate) continue;
    curves.metrics[name] = {
        .from = Seconds(metric.first - done.started).count(),
        .per_second = metric.per_second};
  }
  return curves;
}

ReportedApplication Reported(const ApplicationResult& result) {
  ReportedApplication application{
      .name = DisplayName(result.spec),
      .instructions = result.spec.instructions,
      .reproduce = MeasureCommand(result.spec),
      .limits = result.spec.limits,
      .timeout = result.spec.timeout,
      .failure = result.failure ? result.failure->message() : ""};
  for (const ApplicationRun& done : result.runs) {
    application.runs.push_back(done.run);
    application.curves.push_back(MakeRunCurves(done));
  }
  return application;
}

}  // namespace

SampleTable LatencyTable(const Run& run) {
  SampleTable table;
  if (!run.network() || run.network()->samples.empty()) return table;
  SampleTable::Column times;
  SampleTable::Column values;
  double time = 0;
  for (double latency : run.network()->samples) {
    time += latency;
    times.push_back(time);
    values.push_back(latency);
  }
  table.Add("time_seconds", std::move(times));
  table.Add("latency_seconds", std::move(values));
  return table;
}

ReportInput MakeReport(const SessionResult& session) {
  ReportInput input{
      .title = session.spec.name,
      .started_at = session.started_at,
      .seconds = session.seconds,
      .interrupted = session.interrupted,
      .together = session.spec.order == SessionOrder::kTogether,
      .device = session.device,
      .mete_version = session.mete_version,
      .reproduce = "mete session run " +
                   JoinCommandLine({session.spec.file.filename().string()}),
      .description = session.spec.text};
  for (const ApplicationResult& result : session.applications) {
    input.applications.push_back(Reported(result));
  }
  return input;
}

Result<ReportInput> MakeReport(const Run& run,
                               const std::optional<Device>& device,
                               const std::string& samples) {
  RunCurves curves{.latencies = LatencyTable(run)};
  if (!samples.empty()) {
    ASSIGN_OR_RETURN(curves.samples, SampleTable::FromCsv(samples));
  }
  ReportInput input{.title = run.workload.name,
                    .started_at = run.started_at,
                    .device = device,
                    .mete_version = run.mete_version,
                    .reproduce = MeasureCommand(run)};
  input.applications.push_back({.name = run.workload.source,
                                .limits = run.limits,
                                .runs = {run},
                                .curves = {std::move(curves)}});
  return input;
}

}  // namespace mete
