// Tells about the agent itself: its build, and what it takes from the device.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "agent/collector.h"
#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/clock.h"

namespace mete {

// Reads /proc of the agent, which never lies below another root.
class SelfCollector final : public Collector {
 public:
  SelfCollector(std::string version, std::string architecture,
                const Clock& clock);

  std::string_view name() const override { return "self"; }
  Status Collect(MetricBatch& batch) override;

 private:
  std::optional<double> OpenFiles();

  const std::string version_;
  const std::string architecture_;
  const Clock& clock_;
  const double started_;  // since 1970
  SystemRoot root_;
  WatchedFile statm_;
  std::optional<std::chrono::nanoseconds> counted_at_;
  std::optional<double> counted_;
};

}  // namespace mete
