#include "report/report_run.h"

#include <optional>

#include "measure/sample_csv.h"
#include "report/session_report.h"

namespace mete {

Result<RunReport> ReportRun(const std::string& id, RunStore& store) {
  ASSIGN_OR_RETURN(Run run, store.FindRun(id));
  RunReport report;
  std::string samples;
  if (run.process() && !run.process()->samples_file.empty()) {
    auto read = ReadSamples(*run.process());
    if (read.ok()) {
      samples = *std::move(read);
    } else {
      report.warning = "no curves: " + read.error().message();
    }
  }
  std::optional<Device> device;
  auto found = store.FindDevice(run.device_id);
  if (found.ok()) device = *std::move(found);
  ASSIGN_OR_RETURN(ReportInput input, MakeReport(run, device, samples));
  report.page = ReportPage(input);
  return report;
}

}  // namespace mete
