#include "measure/process_repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure/verdict.h"
#include "stats/distributions.h"

namespace mete {
namespace {

// Student's t interval of the mean of the logarithms (Georges, Buytaert and
// Eeckhout 2007, section 3.2, with one median per process as the observation):
// m +- t(0.975, n - 1) s / sqrt(n). In logarithms, because slow processes are
// slow by a factor, and so that no bound is negative.
void FillMean(ProcessRepeats& repeats) {
  const auto n = static_cast<double>(repeats.medians.size());
  double sum = 0;
  for (double median : repeats.medians) sum += std::log(median);
  const double mean = sum / n;
  repeats.mean = std::exp(mean);
  if (n < 2) return;
  double squares = 0;
  for (double median : repeats.medians) {
    squares += std::pow(std::log(median) - mean, 2);
  }
  const double half =
      StudentQuantile(0.975, n - 1) * std::sqrt(squares / (n - 1) / n);
  repeats.low = std::exp(mean - half);
  repeats.high = std::exp(mean + half);
}

Verdict JudgeProcesses(const std::vector<Run>& runs,
                       const ProcessRepeats& repeats, double target) {
  for (size_t i = 0; i < runs.size(); ++i) {
    Verdict verdict = runs[i].verdict();
    if (verdict.kind == VerdictKind::kStable) continue;
    verdict.explanation =
        fmt::format("process {}: {}", i + 1, verdict.explanation);
    return verdict;
  }
  if (!repeats.low || !repeats.high) {
    return {.kind = VerdictKind::kTooFewSamples,
            .explanation = "one process shows no variation between processes"};
  }
  double width = RelativeHalfWidth(
      repeats.mean, {.low = *repeats.low, .high = *repeats.high});
  if (width <= target) return {};
  return {.kind = VerdictKind::kNotConverged,
          .explanation = fmt::format(
              "the mean of the processes is known to ±{:.1f} %, which is more "
              "than ±{:.1f} % (measure.until); use more processes (--repeat)",
              width * 100, target * 100)};
}

}  // namespace

ProcessRepeats SummariseProcesses(const std::vector<Run>& runs, double target) {
  ProcessRepeats repeats;
  for (const Run& run : runs) {
    repeats.run_ids.push_back(run.id);
    repeats.medians.push_back(run.network()->latency->p50.count());
  }
  CHECK(!repeats.medians.empty()) << "no process to summarise";
  FillMean(repeats);
  repeats.verdict = JudgeProcesses(runs, repeats, target);
  return repeats;
}

double SpreadOf(const ProcessRepeats& repeats) {
  auto [least, most] = std::ranges::minmax_element(repeats.medians);
  return *most / *least - 1;
}

}  // namespace mete
