#include "wiring/place_dependencies.h"

#include <fmt/format.h>

#include "adapters/kubernetes/service_manifest.h"
#include "cli/run_entropy.h"
#include "hosting/cluster_hosting.h"
#include "hosting/detached_services.h"
#include "net/http_channel.h"
#include "place/cost_table.h"
#include "ports/host.h"
#include "ports/launchers.h"
#include "ports/run_store.h"
#include "predict/contention_files.h"
#include "support/file.h"
#include "support/json.h"
#include "support/start_detached.h"
#include "wiring/collect_dependencies.h"
#include "wiring/pressure_costs.h"

namespace mete {
namespace {

Result<std::shared_ptr<const CostModel>> FindCosts(
    const ServerType& type, const std::filesystem::path& predictors) {
  if (!type.costs.empty()) {
    ASSIGN_OR_RETURN(CostTable table, ReadCostTable(type.costs));
    return std::shared_ptr<const CostModel>(
        std::make_shared<TableCosts>(std::move(table), type.costs));
  }
  ASSIGN_OR_RETURN(ContentionDocument document,
                   LoadContentionPredictor(predictors, type.predictor));
  const PressurePredictor* pressure = document.pressure();
  if (pressure == nullptr) {
    return Unsupported(fmt::format(
        "the predictor of {} is of the method {}; placing needs linear "
        "conditions: mete train contention --method pressure",
        type.predictor, document.predictor->method()));
  }
  return std::shared_ptr<const CostModel>(std::make_shared<PressureCosts>(
      *pressure, fmt::format("of {}, trained on {} on {}", document.device,
                             Counted(document.mixes, "mix", "mixes"),
                             FormatUtc(document.trained_at))));
}

// place does not know what predicts: this chooses between a cost table and a
// trained predictor of contention. The user named them, so that missing ones
// are mistakes in the input.
Result<std::shared_ptr<const CostModel>> OpenCosts(
    const ServerType& type, const std::filesystem::path& predictors) {
  auto costs = FindCosts(type, predictors);
  if (!costs.ok() && costs.error().code() == ErrorCode::kNotFound) {
    return InvalidInput(type.name + ": " + costs.error().message());
  }
  return costs;
}

std::string DrawServiceId() {
  return fmt::format("{:08x}", DrawRunEntropy().low & 0xFFFFFFFF);
}

}  // namespace

Result<std::vector<LocalPlace>> FindLocalPlaces(RunStore& store,
                                                const std::string& here) {
  ASSIGN_OR_RETURN(std::vector<Device> devices, store.ListDevices());
  std::vector<LocalPlace> places;
  for (const Device& device : devices) {
    const bool emulated_here =
        device.emulation && device.emulation->host_id == here;
    if (device.id != here && !emulated_here) continue;
    LocalPlace place{.device = device.name,
                     .threads = EngineThreadsFor(device)};
    if (emulated_here) place.limits = device.emulation->limits;
    places.push_back(std::move(place));
  }
  return places;
}

std::unique_ptr<ServiceHost> OpenServiceHost(System& system) {
  auto environment = system.ChildEnvironment();
  environment["METE_STATE"] = system.state_folder();
  return std::make_unique<DetachedServices>(DetachedServicesDependencies{
      .clock = system.TheClock(),
      .root = SystemRoot(),
      .start_keeper =
          [environment, &clock = system.TheClock()](
              const std::string& id, const std::filesystem::path& log) {
            return StartDetached({OwnProgram(), "place", "keep", id},
                                 environment, log, clock);
          },
      .draw_id = DrawServiceId,
      .folder = system.ServicesFolder()});
}

namespace {

// The hosts of one command, opened when they are needed.
struct ServiceHosts {
  std::unique_ptr<ServiceHost> machine;
  std::unique_ptr<ServiceHost> cluster;
};

Result<ServiceHost*> OpenHost(System& system, const std::string& launcher,
                              ServiceHosts& hosts) {
  if (launcher == "kubernetes") {
    ASSIGN_OR_RETURN(ClusterServices * services, system.TheClusterServices());
    hosts.cluster = std::make_unique<ClusterHosting>(
        ClusterHostingDependencies{.services = *services,
                                   .clock = system.TheClock(),
                                   .draw_id = DrawServiceId});
    return hosts.cluster.get();
  }
  if (launcher != "process" && launcher != "docker") {
    return InvalidInput("services cannot be started by '" + launcher +
                        "'; use process, docker or kubernetes");
  }
  if (hosts.machine == nullptr) hosts.machine = OpenServiceHost(system);
  return hosts.machine.get();
}

// JSON is YAML.
std::string ManifestText(const ClusterServiceOrder& order) {
  return "---\n" + DumpJson(DeploymentManifest(order)) + "\n---\n" +
         DumpJson(ServiceManifest(order)) + "\n";
}

}  // namespace

Result<PlaceCommandDependencies> ForPlacing(System& system) {
  auto hosts = std::make_shared<ServiceHosts>();
  return PlaceCommandDependencies{
      .placing = {.costs =
                      [&system](const ServerType& type) {
                        return OpenCosts(type, system.PredictorsFolder());
                      },
                  .clock = system.TheClock()},
      .devices = [&system]() -> Result<std::vector<Device>> {
        ASSIGN_OR_RETURN(RunStore * store, system.Store());
        return store->ListDevices();
      },
      .cluster = [&system] { return system.TheCluster(); },
      .predicting = [&system]() -> Result<PredictCommandDependencies> {
        return ForPrediction(system);
      },
      .local_places = [&system]() -> Result<std::vector<LocalPlace>> {
        ASSIGN_OR_RETURN(RunStore * store, system.Store());
        ASSIGN_OR_RETURN(const std::string here, system.ThisHost().DeviceId());
        return FindLocalPlaces(*store, here);
      },
      .host =
          [&system, hosts](const std::string& launcher) {
            return OpenHost(system, launcher, *hosts);
          },
      .manifest = ManifestText,
      .zoo_network =
          [&system](const std::string& name) -> Result<NetworkToServe> {
        return PrepareNetwork(
            {.given = name, .folder = system.NetworksFolder()},
            system.Writer());
      },
      .keeping = [&system]() -> Result<KeepServiceDependencies> {
        return KeepServiceDependencies{.launchers = system.TheLaunchers(),
                                       .root = SystemRoot(),
                                       .program = OwnProgram(),
                                       .folder = system.ServicesFolder()};
      },
      .loading =
          [&system]() {
            return LoadDependencies{.clock = system.TheClock(),
                                    .open_channel = [&system] {
                                      return OpenHttpChannel(system.TheClock());
                                    }};
          }};
}

}  // namespace mete
