#include "adapters/kubernetes/job_manifest.h"

#include <fmt/format.h>

#include <cctype>

#include "support/json.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

// Finished Jobs that nobody removed disappear after this time.
constexpr int kKeepFinishedSeconds = 600;

const char* PolicyName(PullPolicy policy) {
  switch (policy) {
    case PullPolicy::kAlways:
      return "Always";
    case PullPolicy::kNever:
      return "Never";
    case PullPolicy::kMissing:
      break;
  }
  return "IfNotPresent";
}

// Options that have no counterpart in a pod, or none that mete may use.
std::vector<std::string> UnsupportedOptions(const ContainerSettings& settings) {
  std::vector<std::string> found;
  auto add = [&](bool given, const char* name) {
    if (given) found.emplace_back(name);
  };
  add(!settings.mounts.empty(), "mounts");
  add(!settings.devices.empty(), "devices");
  add(!settings.process_limits.empty(), "ulimits");
  add(!settings.privileges.security_options.empty(), "security options");
  add(!settings.ipc.empty() && settings.ipc != "host" &&
          settings.ipc != "private",
      "ipc");
  add(!settings.network.empty() && settings.network != "host", "network");
  const bool chosen = settings.gpus && (!settings.gpus->devices.empty() ||
                                        settings.gpus->count < 1);
  add(chosen, "GPUs other than by number");
  return found;
}

Status CheckOptions(const LaunchRequest& launch) {
  if (!launch.container || launch.container->image.empty()) {
    return InvalidInput("a cluster runs images only: no image is given");
  }
  auto unsupported = UnsupportedOptions(*launch.container);
  if (unsupported.empty()) return {};
  std::string list;
  for (const std::string& name : unsupported) {
    list += (list.empty() ? "" : ", ") + name;
  }
  return Unsupported("not available on a cluster: " + list);
}

Json ResourcesJson(const ManifestRequest& request) {
  const Limits& limits = request.launch.limits;
  Json amounts = Json::object();
  if (limits.cpus) amounts["cpu"] = fmt::format("{}m", limits.cpus->count);
  if (limits.memory) amounts["memory"] = std::to_string(limits.memory->count);
  if (request.launch.container->gpus) {
    amounts[request.gpu_resource] =
        std::to_string(request.launch.container->gpus->count);
  }
  // The scheduler reserves all of it, so that other pods do not disturb.
  return {{"requests", amounts}, {"limits", amounts}};
}

Json EnvironmentJson(const LaunchRequest& launch) {
  Json list = Json::array();
  for (const auto& [name, value] : launch.environment) {
    // A reference to another variable, $(NAME), would be replaced.
    std::string escaped;
    for (char c : value) escaped += c == '$' ? "$$" : std::string(1, c);
    list.push_back({{"name", name}, {"value", escaped}});
  }
  return list;
}

// "1000" or "1000:1000"; names exist only in the image.
Status SetUser(const std::string& user, Json& security) {
  if (user.empty()) return {};
  auto parts = SplitAt(user, ':');
  const char* keys[] = {"runAsUser", "runAsGroup"};
  if (parts.size() > 2) return InvalidInput("user '" + user + "' is invalid");
  for (size_t i = 0; i < parts.size(); ++i) {
    auto id = ParseNumber<uint32_t>(parts[i]);
    if (!id) {
      return Unsupported("a cluster needs a numeric user, not '" + user + "'");
    }
    security[keys[i]] = *id;
  }
  return {};
}

Result<Json> SecurityJson(const ContainerSettings& settings) {
  Json security = Json::object();
  RETURN_IF_ERROR(SetUser(settings.user, security));
  if (settings.privileges.privileged) security["privileged"] = true;
  if (!settings.privileges.capabilities.empty()) {
    security["capabilities"]["add"] = settings.privileges.capabilities;
  }
  return security;
}

// Folders in memory: /dev/shm and --tmpfs.
void AddMemoryFolder(const std::string& target, std::optional<Bytes> size,
                     Json& pod, Json& container) {
  const std::string name = fmt::format("memory-{}", pod["volumes"].size());
  Json folder = {{"medium", "Memory"}};
  if (size) folder["sizeLimit"] = std::to_string(size->count);
  pod["volumes"].push_back({{"name", name}, {"emptyDir", std::move(folder)}});
  container["volumeMounts"].push_back({{"name", name}, {"mountPath", target}});
}

void AddMemoryFolders(const ContainerSettings& settings, Json& pod,
                      Json& container) {
  if (settings.shared_memory) {
    AddMemoryFolder("/dev/shm", settings.shared_memory, pod, container);
  }
  for (const TemporaryFolder& folder : settings.temporary_folders) {
    AddMemoryFolder(folder.target, std::nullopt, pod, container);
  }
}

Result<Json> ContainerJson(const ManifestRequest& request) {
  const LaunchRequest& launch = request.launch;
  const ContainerSettings& settings = *launch.container;
  Json container = {{"name", kContainerName},
                    {"image", settings.image},
                    {"imagePullPolicy", PolicyName(launch.pull)},
                    {"resources", ResourcesJson(request)},
                    {"env", EnvironmentJson(launch)}};
  if (settings.entrypoint && !settings.entrypoint->empty()) {
    container["command"] = ContainerArguments({*settings.entrypoint});
  }
  const bool cleared = settings.entrypoint && settings.entrypoint->empty();
  if (!launch.command.empty()) {
    container[cleared ? "command" : "args"] =
        ContainerArguments(launch.command);
  }
  if (!launch.folder.empty()) container["workingDir"] = launch.folder.string();
  ASSIGN_OR_RETURN(container["securityContext"], SecurityJson(settings));
  return container;
}

Result<Json> PodJson(const ManifestRequest& request) {
  const ContainerSettings& settings = *request.launch.container;
  ASSIGN_OR_RETURN(Json container, ContainerJson(request));
  Json pod = {{"restartPolicy", "Never"},
              // The application has no business with the API server.
              {"automountServiceAccountToken", false},
              {"enableServiceLinks", false}};
  AddMemoryFolders(settings, pod, container);
  if (!request.launch.node.empty()) {
    pod["affinity"] = NodeAffinity(request.launch.node);
  }
  if (!settings.runtime.empty()) pod["runtimeClassName"] = settings.runtime;
  if (settings.network == "host") pod["hostNetwork"] = true;
  if (settings.ipc == "host") pod["hostIPC"] = true;
  if (settings.privileges.host_processes) pod["hostPID"] = true;
  pod["containers"] = Json::array({std::move(container)});
  return pod;
}

Json LabelsJson(const ManifestRequest& request) {
  Json labels = {{kManagedBy, kManager},
                 {kOwnerLabelKey, LabelValue(request.owner)},
                 {kMachineLabel, LabelValue(request.machine)}};
  const std::string run = LabelValue(request.launch.run_id);
  if (!run.empty()) labels[kRunLabel] = run;
  return labels;
}

}  // namespace

Json ContainerArguments(const std::vector<std::string>& arguments) {
  Json list = Json::array();
  for (const std::string& argument : arguments) {
    std::string escaped;
    for (char c : argument) escaped += c == '$' ? "$$" : std::string(1, c);
    list.push_back(escaped);
  }
  return list;
}

Json NodeAffinity(const std::string& node) {
  Json field = {{"key", "metadata.name"},
                {"operator", "In"},
                {"values", Json::array({node})}};
  Json term = {{"matchFields", Json::array({std::move(field)})}};
  return {{"nodeAffinity",
           {{"requiredDuringSchedulingIgnoredDuringExecution",
             {{"nodeSelectorTerms", Json::array({std::move(term)})}}}}}};
}

std::string LabelValue(const std::string& text) {
  constexpr size_t kMost = 63;
  std::string value;
  for (char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool allowed = byte < 128 && (std::isalnum(byte) != 0 || c == '-' ||
                                        c == '_' || c == '.');
    value += allowed ? c : '_';
  }
  // It must begin and end with a letter or digit.
  auto edge = [](char c) { return c == '-' || c == '_' || c == '.'; };
  while (!value.empty() && edge(value.back())) value.pop_back();
  while (!value.empty() && edge(value.front())) value.erase(0, 1);
  return value;
}

LimitReport MissingInPods(const Limits& limits) {
  LimitReport report;
  auto add = [&](bool given, EnforcedLimit limit, const char* why) {
    if (!given) return;
    report.missing.push_back(limit);
    report.notes.emplace_back(why);
  };
  add(limits.processes.has_value(), EnforcedLimit::kProcesses,
      "the process limit is not applied: pods have none of their own");
  add(limits.cpuset.has_value(), EnforcedLimit::kCpuset,
      "the cpuset is not applied: the node chooses the CPUs of a pod");
  if (limits.pin) {
    report.notes.emplace_back(
        "threads are not pinned: the node chooses the CPUs of a pod");
  }
  return report;
}

Result<Json> JobManifest(const ManifestRequest& request) {
  RETURN_IF_ERROR(CheckOptions(request.launch));
  ASSIGN_OR_RETURN(Json pod, PodJson(request));
  const Json labels = LabelsJson(request);
  return Json{
      {"apiVersion", "batch/v1"},
      {"kind", "Job"},
      {"metadata",
       {{"name", request.name},
        {"labels", labels},
        {"annotations", {{kHeartbeat, request.heartbeat}}}}},
      {"spec",
       {{"backoffLimit", 0},
        {"ttlSecondsAfterFinished", kKeepFinishedSeconds},
        {"template",
         {{"metadata", {{"labels", labels}}}, {"spec", std::move(pod)}}}}}};
}

}  // namespace mete
