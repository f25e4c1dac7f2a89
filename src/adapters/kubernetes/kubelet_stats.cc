#include "adapters/kubernetes/kubelet_stats.h"

#include "adapters/kubernetes/job_manifest.h"
#include "support/json.h"

namespace mete {
namespace {

std::optional<uint64_t> CountAt(const Json& json, const char* part,
                                const char* key) {
  auto found = json.find(part);
  if (found == json.end() || !found->is_object()) return std::nullopt;
  auto value = found->find(key);
  bool usable = value != found->end() && value->is_number_unsigned();
  if (!usable) return std::nullopt;
  return value->get<uint64_t>();
}

ResourceUsage ReadContainerStats(const Json& container) {
  ResourceUsage usage;
  if (auto cpu = CountAt(container, "cpu", "usageCoreNanoSeconds")) {
    usage.cpu = Seconds(static_cast<double>(*cpu) * 1e-9);
  }
  if (auto memory = CountAt(container, "memory", "usageBytes")) {
    usage.memory = Bytes{*memory};
  }
  if (auto faults = CountAt(container, "memory", "majorPageFaults")) {
    usage.major_faults = *faults;
  }
  return usage;
}

}  // namespace

Result<ResourceUsage> ParseKubeletStats(std::string_view body,
                                        const std::string& pod_uid) {
  ASSIGN_OR_RETURN(Json json, ParseJson(body));
  return ReadJson("statistics", [&]() -> Result<ResourceUsage> {
    for (const Json& pod : json.value("pods", Json::array())) {
      if (GetText(pod.at("podRef"), "uid") != pod_uid) continue;
      for (const Json& container : pod.value("containers", Json::array())) {
        if (GetText(container, "name") == kContainerName) {
          return ReadContainerStats(container);
        }
      }
    }
    return NotFound("the kubelet has not counted this pod yet");
  });
}

}  // namespace mete
