// Makes reports from the result of a session and from one stored run.
#pragma once

#include <optional>

#include "domain/device.h"
#include "measure/run_session.h"
#include "report/report_input.h"

namespace mete {

ReportInput MakeReport(const SessionResult& session);

// The latencies of a network over the time that its inferences took. Empty for
// other workloads.
SampleTable LatencyTable(const Run& run);

// `samples` is the text of the run's samples.csv; empty when it no longer
// exists. Fails with kCorrupt when it is malformed.
Result<ReportInput> MakeReport(const Run& run,
                               const std::optional<Device>& device,
                               const std::string& samples);

}  // namespace mete
