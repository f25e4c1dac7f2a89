#include "domain/cluster_object.h"

#include <fmt/format.h>

namespace mete {
namespace {

// Adds to `sum` unless one of the terms is missing.
template <typename T>
void AddAmount(std::optional<T>& sum, const std::optional<T>& term) {
  if (!term) sum.reset();
  if (sum) sum->count += term->count;
}

ResourceAmounts Total(const PodObject& pod,
                      ResourceAmounts ContainerObject::*amounts) {
  ResourceAmounts total;
  if (pod.containers.empty()) return total;
  total.cpus = Millicores{0};
  total.memory = Bytes{0};
  for (const ContainerObject& container : pod.containers) {
    AddAmount(total.cpus, (container.*amounts).cpus);
    AddAmount(total.memory, (container.*amounts).memory);
    for (const auto& [name, count] : (container.*amounts).devices) {
      total.devices[name] += count;
    }
  }
  return total;
}

}  // namespace

std::string ObjectText(const ObjectRef& object) {
  return object.space.empty()
             ? fmt::format("{} {}", object.kind, object.name)
             : fmt::format("{} {}/{}", object.kind, object.space, object.name);
}

int64_t CountGpus(const ResourceAmounts& amounts) {
  int64_t gpus = 0;
  for (const auto& [name, count] : amounts.devices) {
    if (name.ends_with("gpu")) gpus += count;
  }
  return gpus;
}

ResourceAmounts TotalRequests(const PodObject& pod) {
  return Total(pod, &ContainerObject::requests);
}

ResourceAmounts TotalLimits(const PodObject& pod) {
  return Total(pod, &ContainerObject::limits);
}

}  // namespace mete
