// Tells about GPUs and who uses them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/collector.h"
#include "linux/system_root.h"
#include "ports/machine_probe.h"

namespace mete {

class GpuCollector final : public Collector {
 public:
  // The GPUs are numbered in the order in which the sources tell them.
  GpuCollector(std::vector<std::unique_ptr<MachineSource>> sources,
               const SystemRoot& root);

  std::string_view name() const override { return "gpus"; }
  Status Collect(MetricBatch& batch) override;

 private:
  void AddGpu(const std::string& number, const GpuSample& gpu,
              MetricBatch& batch) const;
  void AddProcesses(const std::string& number, const GpuSample& gpu,
                    MetricBatch& batch) const;

  std::vector<std::unique_ptr<MachineSource>> sources_;
  SystemRoot root_;
};

}  // namespace mete
