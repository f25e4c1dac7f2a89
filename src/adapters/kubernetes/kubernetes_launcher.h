// Runs images as Jobs of a Kubernetes cluster.
#pragma once

#include <memory>
#include <string>

#include "adapters/kubernetes/api_client.h"
#include "adapters/kubernetes/job_api.h"
#include "adapters/kubernetes/running_job.h"
#include "linux/system_root.h"
#include "ports/launcher.h"
#include "support/clock.h"
#include "support/random.h"

namespace mete {

// How Jobs are created.
struct KubernetesLauncherSettings {
  ClusterAccess access;
  std::string gpu_resource = "nvidia.com/gpu";
  JobPatience patience{};
  ApiPace pace{};
  uint64_t seed = 1;  // of the Jobs' names and the waits between attempts
  SystemRoot root = SystemRoot();
};

class KubernetesLauncher final : public Launcher {
 public:
  // First deletes Jobs left behind by mete processes that have ended. Fails
  // like ApiClient when the server does not respond, with kInterrupted after
  // `stop`. Borrows the clock.
  static Result<std::unique_ptr<KubernetesLauncher>> Open(
      KubernetesLauncherSettings settings, Clock& clock,
      std::stop_token stop = {});

  // Checks the options; nodes pull images when the application starts.
  Result<LaunchFacts> Prepare(
      const LaunchRequest& request,
      const std::function<void(const std::string&)>& progress,
      std::stop_token stop) override;

  Result<std::vector<std::string>> Nodes(std::stop_token stop) override {
    return api_.ReadyNodes(std::move(stop));
  }

  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) override;

  const std::string& version() const { return version_; }

 private:
  KubernetesLauncher(KubernetesLauncherSettings settings, Clock& clock);

  void RemoveLeftovers(const std::stop_token& stop);
  Result<Json> Manifest(const LaunchRequest& request, const std::string& name);

  const KubernetesLauncherSettings settings_;
  Clock& clock_;
  ApiClient client_;
  JobApi api_;
  Random random_;
  const std::string owner_;
  const std::string machine_;
  std::string version_;  // of the server
};

}  // namespace mete
