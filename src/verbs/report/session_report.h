// A session's result as a report, and one stored run as a report.
#pragma once

#include <optional>

#include "domain/device.h"
#include "measure/run_session.h"
#include "report/report_input.h"

namespace mete {

ReportInput MakeReport(const SessionResult& session);

// `samples` is the text of its samples.csv; empty when there is none any more.
// Fails with kCorrupt when that makes no sense.
Result<ReportInput> MakeReport(const Run& run,
                               const std::optional<Device>& device,
                               const std::string& samples);

}  // namespace mete
