#include "cli/analyze_command.h"

#include <memory>

#include "analyze/analysis_page.h"
#include "analyze/analysis_text.h"
#include "analyze/analyze_file.h"
#include "config/settings.h"
#include "flags/version.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

struct AnalyzeFlags {
  std::string file;
  std::string column;
  std::string metric;
  std::string method = "regression";
  std::optional<std::string> step;
  std::optional<std::string> horizon;
  std::string confidence = "90%";
};

Result<PeriodMethod> ParsePeriodMethod(const std::string& name) {
  if (name == "regression") return PeriodMethod::kRegression;
  if (name == "legacy") return PeriodMethod::kLegacy;
  return InvalidInput("'" + name + "' is not regression or legacy");
}

Result<double> ParseConfidence(const std::string& text) {
  ASSIGN_OR_RETURN(double ratio, ParseRatio(text));
  if (ratio > 0 && ratio < 1) return ratio;
  return InvalidInput("expected more than 0% and less than 100%");
}

// The texts were checked when they were parsed.
AnalyzeFileRequest MakeRequest(const AnalyzeFlags& flags) {
  AnalyzeFileRequest request{.file = flags.file,
                             .column = flags.column,
                             .metric = flags.metric,
                             .method = *ParsePeriodMethod(flags.method),
                             .confidence = *ParseConfidence(flags.confidence)};
  if (flags.step) request.step = *ParseDuration(*flags.step);
  if (flags.horizon) request.horizon = *ParseDuration(*flags.horizon);
  return request;
}

Result<ExitCode> Analyze(Invocation& invocation, const AnalyzeFlags& flags) {
  ASSIGN_OR_RETURN(FileAnalysis analysis, AnalyzeFile(MakeRequest(flags)));
  if (invocation.page) {
    return DeliverPage(invocation, AnalysisPage(analysis, kVersion), "");
  }
  invocation.output.Print({
      .text = [&] { return AnalysisText(analysis); },
      .json = [&] { return AnalysisJson(analysis); },
      .csv = [&] { return AnalysisCsv(analysis); },
  });
  return ExitCode::kDone;
}

void AddAnalyzeFlags(Command command, AnalyzeFlags& flags) {
  command.Option("FILE", flags.file, "CSV with time and value, or its .gz")
      .Required();
  command
      .Option("--column", flags.column,
              "Column of the values (default: the second)")
      .Placeholder("NAME");
  command
      .Option("--metric", flags.metric,
              "What the values are, e.g. gpu_utilization, cpu (cores) or "
              "memory (bytes): improves the kind of job and adds right-sizing")
      .Check(ParseMetric, "METRIC");
  command
      .Option("--step", flags.step,
              "Distance of samples (default: the median distance)")
      .Check(CheckDuration, "TIME");
  command
      .Option("--horizon", flags.horizon,
              "How far to forecast (default: one cycle, or a tenth of the "
              "series)")
      .Check(ParseDuration, "TIME");
  command
      .Option("--confidence", flags.confidence,
              "Confidence of the prediction intervals (default 90%)")
      .Check(ParseConfidence, "RATIO");
  command
      .Option("--method", flags.method,
              "How to find periods: regression (default), or legacy, the rule "
              "of Alnair")
      .Check(ParsePeriodMethod, "METHOD");
}

}  // namespace

void AddAnalyzeCommand(Command root, Verbs& verbs) {
  auto flags = std::make_shared<AnalyzeFlags>();
  Command command =
      root.Add("analyze", "Find periods, trend and forecast of a series",
               "mete analyze usage.csv\n"
               "  mete analyze usage.csv.gz -o html > usage.html\n"
               "  mete analyze usage.csv --metric cpu --horizon 12h -o json");
  AddAnalyzeFlags(command, *flags);
  verbs.push_back(
      {.command = command,
       .run =
           [=](Invocation& invocation) { return Analyze(invocation, *flags); },
       .prints_pages = true});
}

}  // namespace mete
