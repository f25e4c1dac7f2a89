#include "watch/suggest_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace mete {
namespace {

// CPU is averaged over the range of the rate, so a throttled pod stays a little
// below its limit.
constexpr double kReached = 0.95;

// What a trial varies: "memory=2048Mi,4096Mi", and why.
struct Question {
  std::string reason;
  std::string axis;
};

// Values in whole units; those beyond `most` are left out. Absent if fewer than
// two remain: there is nothing to compare.
std::optional<std::string> Axis(const std::string& name,
                                std::vector<int64_t> values,
                                std::optional<int64_t> most,
                                const std::string& unit) {
  std::erase_if(values, [&](int64_t value) { return most && value > *most; });
  if (values.size() < 2) return std::nullopt;
  return fmt::format("{}={}{}", name, fmt::join(values, unit + ","), unit);
}

std::optional<Question> CpuQuestion(const ContainerObject& container,
                                    const SubjectAnalysis& analysis,
                                    const ResourceAmounts& largest) {
  const auto limit = container.limits.cpus;
  const auto used = analysis.MaxOf("cpu");
  if (!limit || limit->count <= 0 || !used) return std::nullopt;
  const double cores = static_cast<double>(limit->count) / 1000;
  if (*used < kReached * cores) return std::nullopt;
  auto axis = Axis(
      "cpus", {limit->count, 2 * limit->count, 4 * limit->count},
      largest.cpus ? std::optional(largest.cpus->count) : std::nullopt, "m");
  if (!axis) return std::nullopt;
  return Question{fmt::format("used {:.3g} of the {} that it may use", *used,
                              FormatCpus(cores)),
                  *axis};
}

std::optional<Question> MemoryQuestion(const ContainerObject& container,
                                       const SubjectAnalysis& analysis,
                                       const ResourceAmounts& largest) {
  const auto limit = container.limits.memory;
  if (!limit || limit->count < kMebi) return std::nullopt;
  const bool killed = container.last_ending == "OOMKilled";
  const auto used = analysis.MaxOf("memory");
  const auto bytes = static_cast<double>(limit->count);
  if (!killed && (!used || *used < kReached * bytes)) return std::nullopt;
  const auto whole = static_cast<int64_t>(limit->count / kMebi);
  // A limit that was too small needs no trial.
  std::vector<int64_t> values = {whole * 3 / 2, 2 * whole, 4 * whole};
  if (!killed) values.insert(values.begin(), whole);
  std::optional<int64_t> most;
  if (largest.memory) {
    most = static_cast<int64_t>(largest.memory->count / kMebi);
  }
  auto axis = Axis("memory", values, most, "Mi");
  if (!axis) return std::nullopt;
  const std::string reason =
      killed ? "ran out of memory at " + FormatBytes(*limit)
             : fmt::format("used {} of the {} that it may use",
                           FormatByteCount(*used), FormatBytes(*limit));
  return Question{reason, *axis};
}

bool IsPlainImage(const std::string& image) {
  return !image.empty() && std::isalnum(static_cast<unsigned char>(image[0])) &&
         std::ranges::all_of(image, [](unsigned char c) {
           return std::isalnum(c) ||
                  std::string_view("._-/:@").find(static_cast<char>(c)) !=
                      std::string_view::npos;
         });
}

}  // namespace

std::optional<TrialSuggestion> SuggestTrial(const PodObject& pod,
                                            const SubjectAnalysis& analysis,
                                            const ResourceAmounts& largest) {
  if (pod.containers.size() != 1) return std::nullopt;
  const ContainerObject& container = pod.containers.front();
  if (!IsPlainImage(container.image)) return std::nullopt;
  std::string reasons, axes;
  for (const auto& question : {CpuQuestion(container, analysis, largest),
                               MemoryQuestion(container, analysis, largest)}) {
    if (!question) continue;
    reasons += (reasons.empty() ? "" : "; ") + question->reason;
    axes += " --vary " + question->axis;
  }
  if (axes.empty()) return std::nullopt;
  if (const int64_t gpus = CountGpus(container.limits); gpus > 0) {
    axes += fmt::format(" --vary gpu={}", gpus);
  }
  return TrialSuggestion{
      .reason = reasons,
      .command = fmt::format("mete trial --launcher kubernetes --image {}{}",
                             container.image, axes)};
}

}  // namespace mete
