#include "adapters/docker/container_actuator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cgroups/group_knobs.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

constexpr double kNanoCpus = 1e9;
constexpr int64_t kPeriod = 100'000;  // microseconds

int64_t Whole(const Json& json, const char* key) {
  auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<int64_t>() : 0;
}

const Json& Part(const Json& json, const char* key) {
  static const Json kNothing = Json::object();
  auto found = json.find(key);
  return found != json.end() && found->is_object() ? *found : kNothing;
}

bool IsTrue(const Json& json, const char* key) {
  auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

std::optional<double> ReadCpus(const Json& config) {
  if (int64_t nano = Whole(config, "NanoCpus"); nano > 0) {
    return static_cast<double>(nano) / kNanoCpus;
  }
  int64_t quota = Whole(config, "CpuQuota");
  if (quota <= 0) return std::nullopt;
  int64_t period = Whole(config, "CpuPeriod");
  return static_cast<double>(quota) /
         static_cast<double>(period > 0 ? period : kPeriod);
}

Json CpuUpdate(std::optional<double> cpus, const Json& config) {
  // Docker cannot unset NanoCpus, so only containers that had them keep them.
  if (Whole(config, "NanoCpus") > 0 && cpus) {
    return {{"NanoCpus", std::llround(*cpus * kNanoCpus)}};
  }
  int64_t period = Whole(config, "CpuPeriod");
  if (period <= 0) period = kPeriod;
  int64_t quota = cpus ? std::llround(*cpus * static_cast<double>(period)) : -1;
  return {{"CpuPeriod", period}, {"CpuQuota", quota}};
}

bool IsUp(const Json& container) {
  const Json& state = Part(container, "State");
  return IsTrue(state, "Running") || IsTrue(state, "Paused");
}

// A place with a slash is a cgroup folder; container ids have none.
bool IsGroup(const LimitHandle& handle) {
  return handle.place.starts_with('/');
}

}  // namespace

Result<Json> MakeUpdate(ControlKnob knob, std::optional<double> value,
                        const Json& config) {
  if (knob == ControlKnob::kCpus) return CpuUpdate(value, config);
  if (!value) {
    return Unsupported("engines cannot remove a memory limit");
  }
  Json update = {{"Memory", std::llround(*value)}};
  // Docker requires that swap is at least memory; unlimited stays unlimited.
  int64_t swap = Whole(config, "MemorySwap");
  if (swap > 0) {
    int64_t extra = std::max<int64_t>(0, swap - Whole(config, "Memory"));
    update["MemorySwap"] = std::llround(*value) + extra;
  } else {
    update["MemorySwap"] = -1;
  }
  return update;
}

Result<Json> ContainerActuator::Running(const std::string& id) const {
  ASSIGN_OR_RETURN(Json json, api_.Describe(id));
  if (IsUp(json)) return json;
  return NotFound(fmt::format("container {} is not running", id));
}

Status ContainerActuator::CheckOther(const Json& container) const {
  const std::string id = container.value("Id", "");
  // Where the cgroup is hidden, engines still use the id as the host name.
  const std::string machine =
      root_.Line("/proc/sys/kernel/hostname").value_or("");
  bool inside =
      root_.TextOrNone("/proc/self/cgroup").find(id) != std::string::npos ||
      (machine.size() >= 12 && id.starts_with(machine));
  if (id.empty() || !inside) return {};
  return Error(ErrorCode::kPermissionDenied,
               fmt::format("container {} contains this program; it is never "
                           "touched",
                           id.substr(0, 12)));
}

Result<bool> ContainerActuator::IsPodman() {
  if (!engine_) {
    ASSIGN_OR_RETURN(EngineFacts facts, api_.Facts());
    engine_ = facts.name;
  }
  return *engine_ == "podman";
}

Result<CgroupFolder> ContainerActuator::FindCgroup(const Json& container,
                                                   ControlKnob knob) const {
  const std::string id = container.value("Id", "");
  const int64_t pid = Whole(Part(container, "State"), "Pid");
  CgroupPaths paths = FindCgroupPaths(root_, static_cast<int>(pid));
  auto folder = knob == ControlKnob::kCpus ? paths.cpu : paths.memory;
  // Without its own cgroup it shares that of others.
  if (id.empty() || !folder ||
      folder->folder.string().find(id) == std::string::npos) {
    return Unsupported(
        fmt::format("container {} does not have its own cgroup", id));
  }
  return *folder;
}

Result<LimitHandle> ContainerActuator::Find(const ControlTarget& target,
                                            ControlKnob knob) {
  ASSIGN_OR_RETURN(Json json, Running(target.name));
  RETURN_IF_ERROR(CheckOther(json));
  ASSIGN_OR_RETURN(bool podman, IsPodman());
  if (podman && knob != ControlKnob::kPause) {
    ASSIGN_OR_RETURN(CgroupFolder group, FindCgroup(json, knob));
    return LimitHandle{.target = target,
                       .knob = knob,
                       .place = group.folder.string(),
                       .version = group.version};
  }
  // Do not set a limit that could not be restored.
  if (knob == ControlKnob::kMemory &&
      Whole(Part(json, "HostConfig"), "Memory") <= 0) {
    return Unsupported(fmt::format(
        "container {} has no memory limit, and engines cannot remove one "
        "later; start it with one",
        target.name));
  }
  return LimitHandle{
      .target = target, .knob = knob, .place = json.value("Id", target.name)};
}

Result<std::optional<double>> ContainerActuator::Read(
    const LimitHandle& handle) {
  if (IsGroup(handle)) {
    CgroupFolder group{.version = handle.version, .folder = handle.place};
    return handle.knob == ControlKnob::kCpus ? ReadCpuQuota(root_, group)
                                             : ReadMemoryMax(root_, group);
  }
  // A stopped container keeps its limits and has them when it starts again.
  ASSIGN_OR_RETURN(Json json, api_.Describe(handle.place));
  if (handle.knob == ControlKnob::kPause) {
    return std::optional<double>(IsTrue(Part(json, "State"), "Paused") ? 1 : 0);
  }
  const Json& config = Part(json, "HostConfig");
  if (handle.knob == ControlKnob::kCpus) return ReadCpus(config);
  int64_t memory = Whole(config, "Memory");
  if (memory <= 0) return std::optional<double>();
  return std::optional(static_cast<double>(memory));
}

bool ContainerActuator::HasEnded(const LimitHandle& handle) {
  if (IsGroup(handle)) return !root_.Exists(handle.place);
  auto json = api_.Describe(handle.place);
  if (!json.ok()) return json.error().code() == ErrorCode::kNotFound;
  return handle.knob == ControlKnob::kPause && !IsUp(*json);
}

Status ContainerActuator::CheckUse(const std::string& id, double limit) const {
  ASSIGN_OR_RETURN(Json stats, api_.Stats(id));
  const Json& memory = Part(stats, "memory_stats");
  if (Whole(memory, "usage") <= 0) {
    return Unavailable(fmt::format(
        "the engine does not report the memory use of container {}", id));
  }
  // Page cache that the kernel can reclaim; it has another name in cgroup v1.
  const Json& parts = Part(memory, "stats");
  const int64_t files = std::max(Whole(parts, "inactive_file"),
                                 Whole(parts, "total_inactive_file"));
  const int64_t used = Whole(memory, "usage") - files;
  if (static_cast<double>(used) <= limit) return {};
  return InvalidInput(
      fmt::format("a limit of {} would kill a container that uses {}",
                  FormatBytes(Bytes{static_cast<uint64_t>(limit)}),
                  FormatBytes(Bytes{static_cast<uint64_t>(used)})));
}

Status ContainerActuator::Write(const LimitHandle& handle,
                                std::optional<double> value) {
  if (IsGroup(handle)) {
    CgroupFolder group{.version = handle.version, .folder = handle.place};
    return handle.knob == ControlKnob::kCpus
               ? WriteCpuQuota(root_, group, value)
               : WriteMemoryMax(root_, group, value);
  }
  if (handle.knob == ControlKnob::kPause) {
    return value.value_or(0) > 0 ? api_.Pause(handle.place)
                                 : api_.Unpause(handle.place);
  }
  ASSIGN_OR_RETURN(Json json, api_.Describe(handle.place));
  const Json& config = Part(json, "HostConfig");
  ASSIGN_OR_RETURN(Json update, MakeUpdate(handle.knob, value, config));
  const bool lowers = handle.knob == ControlKnob::kMemory && value &&
                      *value < static_cast<double>(Whole(config, "Memory"));
  if (lowers && IsUp(json)) RETURN_IF_ERROR(CheckUse(handle.place, *value));
  return api_.Update(handle.place, update);
}

}  // namespace mete
