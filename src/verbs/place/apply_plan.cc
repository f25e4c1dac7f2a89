#include "place/apply_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "place/place_network.h"
#include "place/plan_json.h"
#include "support/json.h"
#include "support/sha256.h"
#include "support/table.h"
#include "support/units.h"

namespace mete {
namespace {

const AppDemand* FindDemandOf(const PlacementPlan& plan,
                              const std::string& name) {
  auto found = std::ranges::find(plan.problem.apps, name, &AppDemand::name);
  return found == plan.problem.apps.end() ? nullptr : &*found;
}

int CoresOf(const PlacementPlan& plan, const PlannedServer& server) {
  auto type =
      std::ranges::find(plan.problem.servers, server.type, &ServerType::name);
  if (type == plan.problem.servers.end()) return 1;
  return std::max(1, static_cast<int>(std::ceil(type->cores)));
}

// CPUs of this machine for each server, or nothing if there are too few.
std::map<std::string, std::string> ShareCpus(const PlacementPlan& plan,
                                             int cpus) {
  std::map<std::string, std::string> shares;
  int next = 0;
  for (const PlannedServer& server : plan.servers) {
    const int cores = CoresOf(plan, server);
    if (next + cores > cpus) return {};
    shares[server.name] = cores == 1
                              ? fmt::format("{}", next)
                              : fmt::format("{}-{}", next, next + cores - 1);
    next += cores;
  }
  return shares;
}

std::string NetworkOf(const AppDemand& app) {
  return app.network.empty() ? app.application : app.network;
}

// Names in Kubernetes have lower-case letters, digits and dashes only.
std::string KubernetesName(const std::string& text) {
  std::string name;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    name += plain ? c : '-';
  }
  if (name.size() > 50) name.resize(50);
  return "mete-" + name;
}

constexpr int kContainerPort = 8000;

// The only node that the pods may run on.
Json BindToNode(const std::string& node) {
  const Json expression{{"key", "kubernetes.io/hostname"},
                        {"operator", "In"},
                        {"values", Json::array({node})}};
  const Json term{{"matchExpressions", Json::array({expression})}};
  return Json{{"nodeAffinity",
               {{"requiredDuringSchedulingIgnoredDuringExecution",
                 {{"nodeSelectorTerms", Json::array({term})}}}}}};
}

Json ContainerOf(const AppDemand& app, const ApplyRequest& request) {
  Json container{
      {"name", "service"},
      {"image", request.image},
      {"args",
       Json::array({"service", NetworkOf(app), "--listen",
                    fmt::format("0.0.0.0:{}", kContainerPort), "--insecure",
                    "--name", SafeServiceName(app.name)})},
      {"ports", Json::array({Json{{"containerPort", kContainerPort}}})},
      {"readinessProbe",
       {{"httpGet",
         {{"path", "/v2/health/ready"}, {"port", kContainerPort}}}}}};
  if (app.memory.count > 0) {
    const Json memory{{"memory", std::to_string(app.memory.count)}};
    container["resources"] = {{"requests", memory}, {"limits", memory}};
  }
  return container;
}

std::string ManifestOf(const PlacementPlan& plan, const PlannedServer& server,
                       const PlacedInstances& placed,
                       const ApplyRequest& request) {
  const AppDemand* app = FindDemandOf(plan, placed.app);
  if (app == nullptr) return "";
  const std::string name = KubernetesName(app->name + "-" + server.name);
  const Json labels{{"app.kubernetes.io/managed-by", "mete"},
                    {"mete.dev/plan", request.id},
                    {"mete.dev/service", name}};
  const Json selector{{"mete.dev/service", name}};
  const Json deployment{
      {"apiVersion", "apps/v1"},
      {"kind", "Deployment"},
      {"metadata", {{"name", name}, {"labels", labels}}},
      {"spec",
       {{"replicas", placed.instances},
        {"selector", {{"matchLabels", selector}}},
        {"template",
         {{"metadata", {{"labels", labels}}},
          {"spec",
           {{"affinity", BindToNode(server.name)},
            {"containers", Json::array({ContainerOf(*app, request)})}}}}}}}};
  const Json service{
      {"apiVersion", "v1"},
      {"kind", "Service"},
      {"metadata", {{"name", name}, {"labels", labels}}},
      {"spec",
       {{"selector", selector},
        {"ports", Json::array({Json{{"port", kContainerPort}}})}}}};
  // JSON is YAML.
  return "---\n" + DumpJson(deployment) + "\n---\n" + DumpJson(service) + "\n";
}

std::string LimitsCell(const Limits& limits) {
  std::string text = limits.memory ? FormatBytes(*limits.memory) : "";
  if (limits.pin) {
    text += fmt::format("{}CPU {}", text.empty() ? "" : ", ", *limits.pin);
  }
  return text;
}

Table ServicesToStart(const PlannedServices& services) {
  Table table({{"SERVER"}, {"APP"}, {"NETWORK"}, {"LIMITS"}, {"LAUNCHER"}});
  for (const PlannedService& one : services.services) {
    table.AddRow({one.server, one.order.app, one.order.network,
                  LimitsCell(one.order.limits), one.order.launcher});
  }
  return table;
}

}  // namespace

std::string PlanId(const PlacementPlan& plan) {
  Json json = PlanToJson(plan);
  return "plan-" + ComputeSha256(DumpJson(json)).substr(0, 12);
}

PlannedServices ServicesOf(const PlacementPlan& plan,
                           const ApplyRequest& request) {
  PlannedServices planned;
  const auto shares = ShareCpus(plan, request.cpus);
  if (shares.empty() && !plan.servers.empty()) {
    planned.notes.push_back(
        "this machine has too few CPUs to stand in for the servers: their "
        "services share all of its CPUs, so latencies differ from the plan");
  }
  for (const PlannedServer& server : plan.servers) {
    auto share = shares.find(server.name);
    for (const PlacedInstances& placed : server.apps) {
      const AppDemand* app = FindDemandOf(plan, placed.app);
      if (app == nullptr) continue;
      ServiceOrder order{.app = SafeServiceName(app->name),
                         .network = NetworkOf(*app),
                         .device = server.name,
                         .launcher = request.launcher,
                         .image = request.image,
                         .plan = request.id};
      if (app->memory.count > 0) order.limits.memory = app->memory;
      if (share != shares.end()) order.limits.pin = share->second;
      for (int i = 0; i < placed.instances; ++i) {
        planned.services.push_back(
            {.app = app->name, .server = server.name, .order = order});
      }
    }
  }
  return planned;
}

Result<std::vector<HostedService>> StartServices(
    const PlannedServices& services, ServiceHost& host,
    const std::function<void(const PlannedService&)>& on_start,
    std::stop_token stop) {
  std::vector<HostedService> started;
  for (const PlannedService& one : services.services) {
    if (on_start) on_start(one);
    auto service = host.Start(one.order, stop);
    if (service.ok()) {
      started.push_back(*std::move(service));
      continue;
    }
    for (const HostedService& other : started) {
      RETURN_IF_ERROR(host.Stop(other.id, {}));
    }
    return service.error();
  }
  return started;
}

std::string KubernetesManifests(const PlacementPlan& plan,
                                const ApplyRequest& request) {
  std::string yaml;
  for (const PlannedServer& server : plan.servers) {
    for (const PlacedInstances& placed : server.apps) {
      yaml += ManifestOf(plan, server, placed, request);
    }
  }
  return yaml;
}

std::string PlannedServicesText(const PlannedServices& services) {
  std::string text = ServicesToStart(services).Text();
  for (const std::string& note : services.notes) text += "note: " + note + "\n";
  return text;
}

std::string PlannedServicesCsv(const PlannedServices& services) {
  return ServicesToStart(services).Csv();
}

Json PlannedServicesToJson(const PlannedServices& services) {
  Json list = Json::array();
  for (const PlannedService& one : services.services) {
    list.push_back({{"server", one.server},
                    {"app", one.app},
                    {"network", one.order.network},
                    {"launcher", one.order.launcher}});
    if (one.order.limits.memory) {
      list.back()["memory_bytes"] = one.order.limits.memory->count;
    }
    if (one.order.limits.pin) list.back()["cpus"] = *one.order.limits.pin;
  }
  return Json{{"services", std::move(list)}, {"notes", services.notes}};
}

}  // namespace mete
