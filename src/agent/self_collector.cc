#include "agent/self_collector.h"

#include <unistd.h>

#include "agent/agent_metrics.h"
#include "linux/numbers.h"

namespace mete {

SelfCollector::SelfCollector(std::string version, std::string architecture,
                             const Clock& clock)
    : version_(std::move(version)),
      architecture_(std::move(architecture)),
      clock_(clock),
      started_(Seconds(clock.Wall().time_since_epoch()).count()),
      statm_(root_, "/proc/self/statm") {}

Status SelfCollector::Collect(MetricBatch& batch) {
  batch.Add(kBuildInfo,
            {{"version", version_},
             {"compiler", "g++ " __VERSION__},
             {"architecture", architecture_}},
            1);
  batch.Add(kProcessCpu, clock_.ProcessCpu().count());
  batch.Add(kProcessStart, started_);
  // The second word: resident pages.
  std::vector<std::string_view> words = WordsOf(statm_.TextOrNone());
  auto pages = words.size() > 1 ? WholeNumber(words[1]) : std::nullopt;
  if (pages) {
    batch.Add(kProcessMemory, static_cast<double>(*pages) *
                                  static_cast<double>(sysconf(_SC_PAGESIZE)));
  }
  // The folder itself is open while it is read.
  const size_t open = root_.Names("/proc/self/fd").size();
  if (open > 0) batch.Add(kProcessFiles, static_cast<double>(open - 1));
  return {};
}

}  // namespace mete
