// Exports the speed of the inference engine on the device, from the file
// written by the last measurement (engine_measurer.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "agent/collector.h"
#include "domain/device.h"

namespace mete {

// Reads the file again when it has changed.
class EngineCollector final : public Collector {
 public:
  EngineCollector(std::string node, std::filesystem::path file)
      : node_(std::move(node)), file_(std::move(file)) {}

  std::string_view name() const override { return "engine"; }
  // Adds nothing and succeeds without a file. Fails if the file is invalid.
  Status Collect(MetricBatch& batch) override;

 private:
  Status Reread();

  const std::string node_;
  const std::filesystem::path file_;
  // Modification time of the file when it was read.
  std::optional<std::filesystem::file_time_type> read_at_;
  std::optional<MicroMeasurements> speeds_;
};

}  // namespace mete
