// Tells what the inference engine reaches on the device, from the file that
// the last measurement left (engine_measurer.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "agent/collector.h"
#include "domain/device.h"

namespace mete {

class EngineCollector final : public Collector {
 public:
  EngineCollector(std::string node, std::filesystem::path file)
      : node_(std::move(node)), file_(std::move(file)) {}

  std::string_view name() const override { return "engine"; }
  // Without a file there is nothing to tell, which is no failure; a file that
  // cannot be understood is one.
  Status Collect(MetricBatch& batch) override;

 private:
  Status Reread();

  const std::string node_;
  const std::filesystem::path file_;
  std::optional<std::filesystem::file_time_type> read_at_;  // its own time
  std::optional<MicroMeasurements> speeds_;
};

}  // namespace mete
