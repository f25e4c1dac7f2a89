#include "agent/container_collector.h"

#include <array>

#include "agent/container_metrics.h"
#include "agent/sample_value.h"
#include "support/text.h"

namespace mete {
namespace {

// Names are limited to the length of file names, but cgroup paths may be
// longer.
constexpr size_t kLongestGroup = 256;

// Adds the samples of one container. Absent values are omitted.
class Samples {
 public:
  Samples(const MetricLabels& labels, MetricBatch& batch)
      : labels_(labels), batch_(batch) {}

  template <typename T>
  void Add(const MetricFamily& family, const std::optional<T>& value) {
    if (value) batch_.Add(family, labels_, ToSampleValue(*value));
  }

  void AddCpu(const CgroupCpu& cpu) {
    Add(kContainerCpu, cpu.total);
    Add(kContainerCpuUser, cpu.user);
    Add(kContainerCpuSystem, cpu.system);
    Add(kContainerPeriods, cpu.periods);
    Add(kContainerThrottledPeriods, cpu.throttled_periods);
    Add(kContainerThrottled, cpu.throttled);
  }

  void AddMemory(const CgroupMemory& memory) {
    Add(kContainerMemory, memory.current);
    if (memory.current && memory.inactive_file) {
      const uint64_t usage = memory.current->count;
      const uint64_t idle = std::min(usage, memory.inactive_file->count);
      batch_.Add(kContainerWorkingSet, labels_, ToSampleValue(usage - idle));
    }
    Add(kContainerAnonymous, memory.anonymous);
    Add(kContainerFile, memory.file);
    Add(kContainerKernel, memory.kernel);
    Add(kContainerPeak, memory.peak);
    Add(kContainerSwap, memory.swap);
    Add(kContainerOomKills, memory.oom_kills);
    Add(kContainerFaults, memory.page_faults);
    Add(kContainerMajorFaults, memory.major_faults);
  }

  void AddPressure(const char* resource, const Pressure& pressure) {
    auto add = [&](const char* stalled, const std::optional<Stall>& stall) {
      if (!stall) return;
      MetricLabels labels(labels_);
      labels.Add("resource", resource).Add("stalled", stalled);
      batch_.Add(kContainerPressure, labels, ToSampleValue(stall->total));
    };
    add("some", pressure.some);
    add("full", pressure.full);
  }

 private:
  const MetricLabels& labels_;
  MetricBatch& batch_;
};

MetricLabels UsualLabels(const std::string& node,
                         const WatchedContainer& container) {
  const ContainerIdentity& identity = container.identity;
  MetricLabels labels{{"node", node},
                      {"container", container.label},
                      {"runtime", ToString(identity.runtime)}};
  if (!identity.pod.empty()) labels.Add("pod", identity.pod);
  if (!container.name.pod_name.empty()) {
    labels.Add("namespace", container.name.pod_namespace)
        .Add("pod_name", container.name.pod_name);
  }
  return labels;
}

MetricLabels InfoLabels(const std::string& node,
                        const WatchedContainer& container) {
  const ContainerIdentity& identity = container.identity;
  return {{"node", node},
          {"container", container.label},
          {"id", identity.id},
          {"runtime", ToString(identity.runtime)},
          {"pod", identity.pod},
          {"pod_name", container.name.pod_name},
          {"namespace", container.name.pod_namespace},
          {"name", container.name.name},
          {"group", ShortenMiddle(identity.group, kLongestGroup)}};
}

}  // namespace

ContainerCollector::ContainerCollector(std::string node, const SystemRoot& root,
                                       const Clock& clock,
                                       ContainerWatchSettings settings)
    : node_(std::move(node)), watch_(root, clock, settings) {}

const ContainerCollector::Labels& ContainerCollector::LabelsFor(
    const WatchedContainer& container) {
  Labels& labels = labels_[container.identity.group];
  if (labels.renamed != container.renamed) {
    labels = {.usual = UsualLabels(node_, container),
              .info = InfoLabels(node_, container),
              .renamed = container.renamed};
  }
  labels.seen = collections_;
  return labels;
}

void ContainerCollector::Add(const WatchedContainer& container,
                             MetricBatch& batch) {
  const Labels& labels = LabelsFor(container);
  batch.Add(kContainerInfo, labels.info, 1);
  Samples samples(labels.usual, batch);
  samples.AddCpu(container.usage.cpu);
  samples.Add(kContainerCpuLimit, container.limits.cores);
  samples.AddMemory(container.usage.memory);
  samples.Add(kContainerMemoryLimit, container.limits.memory);
  samples.Add(kContainerRead, container.usage.io.read);
  samples.Add(kContainerWritten, container.usage.io.written);
  samples.Add(kContainerTasks, container.usage.tasks);
  samples.AddPressure("cpu", container.usage.pressure.cpu);
  samples.AddPressure("memory", container.usage.pressure.memory);
  samples.AddPressure("io", container.usage.pressure.io);
}

Status ContainerCollector::Collect(MetricBatch& batch) {
  if (!watch_.HasGroups()) {
    return Error(ErrorCode::kUnsupported, "read cgroups: none are mounted");
  }
  ++collections_;
  watch_.Read();
  batch.Add(kContainers, {{"node", node_}}, ToSampleValue(watch_.found()));
  batch.Add(kContainersLeftOut, {{"node", node_}},
            ToSampleValue(watch_.left_out()));
  watch_.ForEach(
      [&](const WatchedContainer& container) { Add(container, batch); });
  std::erase_if(labels_, [&](const auto& entry) {
    return entry.second.seen != collections_;
  });
  return {};
}

}  // namespace mete
