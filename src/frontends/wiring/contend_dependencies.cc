#include "wiring/contend_dependencies.h"

#include "cli/run_entropy.h"
#include "contend/choose_by_disagreement.h"
#include "contend/drive_load.h"
#include "contend/launched_service.h"
#include "ports/host.h"
#include "ports/launchers.h"
#include "ports/run_store.h"
#include "support/file.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

// Any free port: the service prints the one it got. It is stopped after the
// drain of the load, so requests in its queue need no answer.
std::vector<std::string> ServiceArguments(const std::string& application) {
  return {"service", application, "--listen", "127.0.0.1:0", "--drain", "1s"};
}

LaunchRequest ProcessOf(const std::string& application, System& system) {
  LaunchRequest launch{.environment = system.ChildEnvironment()};
  launch.command = ServiceArguments(application);
  launch.command.insert(launch.command.begin(), OwnProgram());
  return launch;
}

// On the network of the host, so that a port of its loopback interface is
// reachable and no address translation adds to the latency.
LaunchRequest ContainerOf(const std::string& application,
                          const std::string& image) {
  return {.command = ServiceArguments(application),
          .container = ContainerSettings{.image = image, .network = "host"}};
}

Result<std::unique_ptr<ServiceStarter>> OpenStarter(const ServicePlace& place,
                                                    System& system,
                                                    std::stop_token stop) {
  if (place.launcher == "kubernetes") {
    return Unsupported(
        "services of a cluster cannot be loaded from here yet; use --launcher "
        "process or docker on the node");
  }
  const bool containers = place.launcher == "docker";
  ASSIGN_OR_RETURN(Launcher * launcher, system.TheLaunchers().Find(
                                            containers ? WorkloadKind::kImage
                                                       : WorkloadKind::kCommand,
                                            std::move(stop)));
  MakeServiceLaunch make = [&system, containers,
                            image = place.image](const std::string& name) {
    return containers ? ContainerOf(name, image) : ProcessOf(name, system);
  };
  return std::unique_ptr<ServiceStarter>(std::make_unique<LaunchedServices>(
      *launcher, system.TheClock(), std::move(make)));
}

}  // namespace

Result<ContendCommandDependencies> ForContending(System& system) {
  ASSIGN_OR_RETURN(RunStore * store, system.Store());
  Clock& clock = system.TheClock();
  ContendDependencies campaign{
      .runs = *store,
      .host = system.ThisHost(),
      .clock = clock,
      .draw_entropy = DrawRunEntropy,
      .open_starter =
          [&system](const ServicePlace& place, std::stop_token stop) {
            return OpenStarter(place, system, std::move(stop));
          },
      .drive = DriveWithPoissonLoad(
          {.clock = clock,
           .open_channel = [&clock] { return OpenHttpChannel(clock); }}),
      .open_chooser = [](uint64_t seed) -> Result<std::unique_ptr<MixChooser>> {
        return std::unique_ptr<MixChooser>(
            std::make_unique<DisagreementChooser>(seed));
      },
      .campaigns_folder = system.CampaignsFolder()};
  return ContendCommandDependencies{.campaign = std::move(campaign),
                                    .applications = AllZooNames()};
}

}  // namespace mete
