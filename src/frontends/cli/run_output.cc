#include "cli/run_output.h"

#include "domain/run_json.h"
#include "measure/application_text.h"
#include "measure/run_table.h"
#include "support/json.h"

namespace mete {

ProgressLines LinesTo(Console& console) {
  return {.progress =
              [&console](const std::string& line) { console.Progress(line); },
          .warn = [&console](const std::string& line) { console.Warn(line); }};
}

void PrintRuns(Output& output, const std::vector<Run>& runs) {
  bool one = runs.size() == 1;
  output.Print({
      .text = [&] { return one ? RunText(runs[0]) : RepeatText(runs); },
      .json = [&] { return one ? RunToJson(runs[0]) : RepeatJson(runs); },
      .csv = [&] { return RunCsv(runs); },
  });
}

ExitCode ExitCodeFor(const std::vector<Run>& runs) {
  ExitCode code = ExitCode::kDone;
  for (const Run& run : runs) {
    switch (run.outcome.kind) {
      case OutcomeKind::kInterrupted:
        return ExitCode::kInterrupted;
      case OutcomeKind::kOutOfMemory:
      case OutcomeKind::kTimedOut:
      case OutcomeKind::kRejected:
        code = ExitCode::kInfeasible;
        break;
      case OutcomeKind::kCrashed:
      case OutcomeKind::kFailed:
        if (code != ExitCode::kInfeasible) code = ExitCode::kError;
        break;
      case OutcomeKind::kCompleted:
        if (run.network() && run.verdict().kind != VerdictKind::kStable &&
            code == ExitCode::kDone) {
          code = ExitCode::kUnstable;
        }
        break;
    }
  }
  return code;
}

}  // namespace mete
