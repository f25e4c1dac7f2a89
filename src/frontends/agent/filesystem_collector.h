// Exports size and available space of local file systems. A collector of its
// own, because reading a broken disk may hang.
#pragma once

#include <string>
#include <vector>

#include "agent/collector.h"
#include "linux/file_systems.h"
#include "linux/system_root.h"
#include "support/clock.h"

namespace mete {

// Looks for new mounts every 15 s.
class FilesystemCollector final : public Collector {
 public:
  FilesystemCollector(std::string node, SystemRoot root, const Clock& clock)
      : node_(std::move(node)), root_(std::move(root)), clock_(clock) {}

  std::string_view name() const override { return "filesystems"; }
  Status Collect(MetricBatch& batch) override;

 private:
  const std::string node_;
  const SystemRoot root_;
  const Clock& clock_;
  std::optional<std::chrono::nanoseconds> found_at_;
  std::vector<FileSystem> found_;
};

}  // namespace mete
