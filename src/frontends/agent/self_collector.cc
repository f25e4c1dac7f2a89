#include "agent/self_collector.h"

#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent_metrics.h"
#include "linux/numbers.h"

namespace mete {

SelfCollector::SelfCollector(std::string version, std::string architecture,
                             const Clock& clock, SystemRoot root)
    : version_(std::move(version)),
      architecture_(std::move(architecture)),
      clock_(clock),
      started_(Seconds(clock.Wall().time_since_epoch()).count()),
      root_(std::move(root)),
      statm_(root_, "/proc/self/statm") {}

// Since Linux 6.2, the size of the directory is the number of descriptors.
// Before, counting a thousand names takes longer than everything else, so it is
// done once a minute.
std::optional<double> SelfCollector::OpenFiles() {
  struct stat folder {};
  const std::filesystem::path path = root_.Locate("/proc/self/fd");
  if (stat(path.c_str(), &folder) == 0 && folder.st_size > 0) {
    return static_cast<double>(folder.st_size);
  }
  constexpr std::chrono::seconds kCountEvery{60};
  const std::chrono::nanoseconds now = clock_.Now();
  if (!counted_at_ || now - *counted_at_ >= kCountEvery) {
    counted_at_ = now;
    const size_t names = root_.Names("/proc/self/fd").size();
    // The directory itself is open while it is read.
    counted_ = names > 0 ? std::optional(static_cast<double>(names - 1))
                         : std::nullopt;
  }
  return counted_;
}

Status SelfCollector::Collect(MetricBatch& batch) {
  batch.Add(kBuildInfo,
            {{"version", version_},
             {"compiler", "g++ " __VERSION__},
             {"architecture", architecture_}},
            1);
  batch.Add(kProcessCpu, clock_.ProcessCpu().count());
  batch.Add(kProcessStart, started_);
  // The second field: resident pages.
  std::vector<std::string_view> words = SplitFields(statm_.TextOrNone());
  auto pages = words.size() > 1 ? WholeNumber(words[1]) : std::nullopt;
  if (pages) {
    batch.Add(kProcessMemory, static_cast<double>(*pages) *
                                  static_cast<double>(sysconf(_SC_PAGESIZE)));
  }
  auto open = OpenFiles();
  if (open) batch.Add(kProcessFiles, *open);
  return {};
}

}  // namespace mete
