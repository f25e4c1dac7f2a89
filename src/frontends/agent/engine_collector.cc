#include "agent/engine_collector.h"

#include "agent/engine_metrics.h"
#include "domain/device_json.h"
#include "support/file.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {

Status EngineCollector::Reread() {
  std::error_code error;
  auto written = std::filesystem::last_write_time(file_, error);
  if (error) {
    speeds_.reset();
    read_at_.reset();
    return {};
  }
  if (read_at_ == written) return {};
  ASSIGN_OR_RETURN(std::string text, ReadFile(file_));
  ASSIGN_OR_RETURN(Json json, ParseJson(text).While(file_.string()));
  ASSIGN_OR_RETURN(Device device, DeviceFromJson(json).While(file_.string()));
  speeds_ = device.micro;
  read_at_ = written;
  return {};
}

Status EngineCollector::Collect(MetricBatch& batch) {
  RETURN_IF_ERROR(Reread());
  if (!speeds_) return {};
  for (const EngineSpeed& speed : speeds_->speeds) {
    const MetricLabels labels{{"node", node_},
                              {"threads", std::to_string(speed.threads)},
                              {"engine", speeds_->engine}};
    batch.Add(kEngineGemm, labels, speed.gemm_flops_per_second);
    batch.Add(kEngineConv, labels, speed.conv_flops_per_second);
    batch.Add(kEngineDepthwise, labels, speed.depthwise_flops_per_second);
    batch.Add(kEngineElementwise, labels, speed.elementwise_bytes_per_second);
    batch.Add(kEngineNode, labels, speed.node_seconds);
  }
  batch.Add(kEngineMeasured, {{"node", node_}},
            Seconds(speeds_->measured_at.time_since_epoch()).count());
  return {};
}

}  // namespace mete
