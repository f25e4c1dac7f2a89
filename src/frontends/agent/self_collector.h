// Exports the build of the agent and its own resource use.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "agent/collector.h"
#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/clock.h"

namespace mete {

// Reads the real /proc/self, even if the device is read below another root;
// `root` is for tests.
class SelfCollector final : public Collector {
 public:
  SelfCollector(std::string version, std::string architecture,
                const Clock& clock, SystemRoot root = SystemRoot());

  std::string_view name() const override { return "self"; }
  Status Collect(MetricBatch& batch) override;

 private:
  std::optional<double> OpenFiles();

  const std::string version_;
  const std::string architecture_;
  const Clock& clock_;
  const double started_;  // Unix time
  SystemRoot root_;
  WatchedFile statm_;
  std::optional<std::chrono::nanoseconds> counted_at_;
  std::optional<double> counted_;
};

}  // namespace mete
