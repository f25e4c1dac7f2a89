// Exports the use of GPUs and the processes on them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/collector.h"
#include "linux/system_root.h"
#include "ports/machine_probe.h"

namespace mete {

// Reads GPUs from several sources.
class GpuCollector final : public Collector {
 public:
  // The GPUs are numbered in the order in which the sources report them. With
  // `legacy_device`, WaAP's two GPU metrics are exported too, with this name as
  // label.
  GpuCollector(std::vector<std::unique_ptr<MachineSource>> sources,
               const SystemRoot& root,
               std::optional<std::string> legacy_device = std::nullopt);

  std::string_view name() const override { return "gpus"; }
  Status Collect(MetricBatch& batch) override;

 private:
  void AddGpu(const std::string& number, const GpuSample& gpu,
              MetricBatch& batch) const;
  void AddProcesses(const std::string& number, const GpuSample& gpu,
                    MetricBatch& batch) const;

  void AddLegacy(const MachineSample& sample, MetricBatch& batch) const;

  std::vector<std::unique_ptr<MachineSource>> sources_;
  SystemRoot root_;
  std::optional<std::string> legacy_device_;
};

}  // namespace mete
