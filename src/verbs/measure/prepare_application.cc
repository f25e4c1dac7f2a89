#include "measure/prepare_application.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "measure/container_privilege.h"
#include "measure/container_view.h"
#include "support/words.h"

namespace mete {
namespace {

Status CheckDataset(const std::filesystem::path& dataset) {
  std::error_code error;
  const std::string act = "dataset " + dataset.string();
  if (!std::filesystem::exists(dataset, error)) {
    return NotFound(act + ": no such file or folder");
  }
  bool folder = std::filesystem::is_directory(dataset, error);
  if (access(dataset.c_str(), folder ? R_OK | X_OK : R_OK) != 0) {
    return SystemError(act, errno);
  }
  return {};
}

// Written so that what is no number at all fails too.
Status CheckTimes(const ApplicationSpec& spec) {
  if (spec.timeout && !(spec.timeout->count() > 0)) {
    return InvalidInput("the time-out must be longer than nothing");
  }
  if (spec.timeout && !(*spec.timeout <= kLongestTime)) {
    return InvalidInput("the time-out is longer than 365 days");
  }
  if (!(spec.grace.count() >= 0 && spec.grace <= kLongestTime)) {
    return InvalidInput("the grace period is not from 0 s to 365 days");
  }
  return {};
}

Status CheckCounts(const ApplicationSpec& spec) {
  if (spec.repeat < 1 || spec.repeat > kMostRepeats) {
    return InvalidInput(
        fmt::format("{} repeats: from 1 to {}", spec.repeat, kMostRepeats));
  }
  if (!(spec.sample_hertz >= kSlowestSampling &&
        spec.sample_hertz <= kFastestSampling)) {
    return InvalidInput(fmt::format("{} samples a second: from {} to {}",
                                    spec.sample_hertz, kSlowestSampling,
                                    kFastestSampling));
  }
  return {};
}

Status CheckLimits(const Limits& limits) {
  auto refuse = [](const char* which) {
    return InvalidInput(fmt::format("the {} must be more than nothing", which));
  };
  if (limits.memory && limits.memory->count == 0) return refuse("memory limit");
  if (limits.cpus && limits.cpus->count <= 0) return refuse("CPU limit");
  if (limits.processes && *limits.processes == 0) {
    return refuse("limit of processes");
  }
  if (limits.threads &&
      (*limits.threads < 1 || *limits.threads > kMostThreads)) {
    return InvalidInput(
        fmt::format("{} threads: from 1 to {}", *limits.threads, kMostThreads));
  }
  return {};
}

Status CheckMounts(const ContainerSettings& container) {
  std::error_code error;
  for (const Mount& mount : container.mounts) {
    // An engine would make an empty folder of root's in its place.
    if (!std::filesystem::exists(mount.source, error)) {
      return NotFound("mount " + mount.source.string() +
                      ": no such file or folder");
    }
  }
  return {};
}

Workload WorkloadOf(const ApplicationSpec& spec) {
  Workload workload{.kind = WorkloadKind::kCommand, .name = NameOf(spec)};
  std::vector<std::string> words = spec.command;
  if (spec.container) {
    workload.kind = WorkloadKind::kImage;
    words.insert(words.begin(), spec.container->image);
  }
  workload.source = JoinWords(words);
  if (!spec.dataset.empty()) {
    workload.input_origin = "dataset " + spec.dataset.string();
  }
  return workload;
}

ApplicationRequest RequestOf(const ApplicationSpec& spec,
                             const RunContext& context) {
  ApplicationRequest request{.launch = {.command = spec.command,
                                        .container = spec.container,
                                        .environment = spec.environment,
                                        .folder = spec.folder,
                                        .limits = spec.limits},
                             .workload = WorkloadOf(spec),
                             .timeout = spec.timeout,
                             .grace = spec.grace,
                             .sample_hertz = spec.sample_hertz,
                             .wanted_probes = spec.probes.wanted,
                             .device_id = context.device.id,
                             .device_name = context.device.name,
                             .mete_version = context.mete_version};
  if (!spec.dataset.empty()) ShowDataset(spec.dataset, request.launch);
  return request;
}

}  // namespace

Status CheckSpec(const ApplicationSpec& spec, bool allow_privileged) {
  if (!spec.container && spec.command.empty()) {
    return InvalidInput("no command and no image is given");
  }
  RETURN_IF_ERROR(CheckTimes(spec));
  RETURN_IF_ERROR(CheckCounts(spec));
  RETURN_IF_ERROR(CheckLimits(spec.limits));
  if (!spec.dataset.empty()) RETURN_IF_ERROR(CheckDataset(spec.dataset));
  if (!spec.container) return {};
  if (auto widened = WidenedPrivilege(*spec.container);
      widened && !allow_privileged) {
    return InvalidInput(*widened + "; --allow-privileged permits it");
  }
  return CheckMounts(*spec.container);
}

Result<PreparedApplication> PrepareApplication(
    const ApplicationSpec& spec, const RunContext& context,
    const ApplicationOutside& outside,
    const std::function<void(const std::string&)>& fetching,
    std::stop_token stop) {
  RETURN_IF_ERROR(CheckSpec(spec, context.allow_privileged));
  PreparedApplication prepared{.spec = spec,
                               .request = RequestOf(spec, context)};
  if (auto& container = prepared.request.launch.container) {
    container->privileges.engine_socket = context.allow_privileged;
  }
  if (!spec.container) {
    ASSIGN_OR_RETURN(prepared.launcher, outside.processes());
    return prepared;
  }
  ASSIGN_OR_RETURN(ContainerEngine * engine, outside.containers());
  ASSIGN_OR_RETURN(
      ImageFacts facts,
      engine->FetchImage(spec.container->image, spec.pull, fetching, stop));
  prepared.request.workload.sha256 = facts.sha256;
  prepared.request.engine = {.name = facts.engine,
                             .version = facts.engine_version};
  prepared.launcher = engine;
  return prepared;
}

}  // namespace mete
