#include "adapters/kubernetes/kubernetes_launcher.h"

#include <fmt/format.h>

#include "adapters/kubernetes/job_manifest.h"
#include "cgroups/group_folders.h"
#include "support/json.h"

namespace mete {
namespace {

// Ten missed heartbeats: the owner is gone, or has lost the cluster.
constexpr std::chrono::minutes kSilentFor{10};

// Pids mean something only in one pid namespace of one booted kernel.
std::string ThisMachine(const SystemRoot& root) {
  auto boot = root.Text("/proc/sys/kernel/random/boot_id");
  return boot.ok() ? boot->substr(0, boot->find('\n')) : "";
}

bool Silent(const OwnedJob& job, const Clock& clock) {
  auto last = ParseUtc(job.heartbeat);
  return last.ok() && clock.Wall() - *last > kSilentFor;
}

}  // namespace

KubernetesLauncher::KubernetesLauncher(KubernetesLauncherSettings settings,
                                       Clock& clock)
    : settings_(std::move(settings)),
      clock_(clock),
      client_(settings_.access, clock, settings_.pace, settings_.seed),
      api_(client_, settings_.access.space),
      random_(settings_.seed),
      owner_(LabelValue(OwnTag(settings_.root))),
      machine_(LabelValue(ThisMachine(settings_.root))) {}

Result<std::unique_ptr<KubernetesLauncher>> KubernetesLauncher::Open(
    KubernetesLauncherSettings settings, Clock& clock, std::stop_token stop) {
  std::unique_ptr<KubernetesLauncher> launcher(
      new KubernetesLauncher(std::move(settings), clock));
  auto version = launcher->api_.ServerVersion(stop);
  if (!version.ok()) {
    return version.error().While(
        fmt::format("Kubernetes at {} ({})", launcher->client_.name(),
                    launcher->settings_.access.origin));
  }
  launcher->version_ = *std::move(version);
  launcher->RemoveLeftovers(stop);
  return launcher;
}

void KubernetesLauncher::RemoveLeftovers(const std::stop_token& stop) {
  auto owned = api_.Owned(stop);
  if (!owned.ok()) return;
  for (const OwnedJob& job : *owned) {
    const bool ended = job.machine == machine_ && !machine_.empty() &&
                       OwnerIsGone(settings_.root, job.owner);
    if (!ended && !Silent(job, clock_)) continue;
    static_cast<void>(api_.Delete(job.name, stop).ok());
  }
}

Result<Json> KubernetesLauncher::Manifest(const LaunchRequest& request,
                                          const std::string& name) {
  return JobManifest({.launch = request,
                      .name = name,
                      .owner = owner_,
                      .machine = machine_,
                      .heartbeat = FormatUtc(clock_.Wall()),
                      .gpu_resource = settings_.gpu_resource});
}

Result<LaunchFacts> KubernetesLauncher::Prepare(
    const LaunchRequest& request,
    const std::function<void(const std::string&)>& /*progress*/,
    std::stop_token /*stop*/) {
  auto manifest = Manifest(request, "mete-check");
  if (!manifest.ok()) return manifest.error();
  return LaunchFacts{.engine = {.name = "kubernetes", .version = version_}};
}

Result<std::unique_ptr<RunningApplication>> KubernetesLauncher::Start(
    const LaunchRequest& request) {
  const std::string name = fmt::format("mete-{:016x}", random_.Next());
  ASSIGN_OR_RETURN(Json manifest, Manifest(request, name));
  RETURN_IF_ERROR(api_.Create(manifest, request.stop));
  return RunningJob::Start({.api = api_,
                            .clock = clock_,
                            .name = name,
                            .image = request.container->image,
                            .output = request.output,
                            .limits = MissingInPods(request.limits),
                            .patience = settings_.patience},
                           request.stop);
}

}  // namespace mete
