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

std::string LimitsCell(const Limits& limits) {
  std::string text = limits.memory ? FormatBytes(*limits.memory) : "";
  if (limits.pin) {
    text += fmt::format("{}on CPU {}", text.empty() ? "" : ", ", *limits.pin);
  }
  return text;
}

// Stops all of them, also if one cannot be stopped. Returns why a plan was not
// started, with those that still run.
Error StopAll(const std::vector<HostedService>& services, ServiceHost& host,
              const Error& why) {
  std::string running;
  for (const HostedService& one : services) {
    Status stopped = host.Stop(one.id, {});
    if (stopped.ok()) continue;
    running +=
        fmt::format("; {} still runs: {}", one.id, stopped.error().message());
  }
  return running.empty() ? why : Error(why.code(), why.message() + running);
}

Table ServicesToStart(const PlannedServices& services) {
  Table table({{"server"}, {"app"}, {"network"}, {"limits"}, {"launcher"}});
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
  // The servers of the plan are nodes of the cluster, with CPUs of their own.
  const bool cluster = request.launcher == "kubernetes";
  const auto shares = cluster ? std::map<std::string, std::string>()
                              : ShareCpus(plan, request.cpus);
  if (!cluster && shares.empty() && !plan.servers.empty()) {
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
      if (cluster) order.instances = placed.instances;
      const int orders = cluster ? 1 : placed.instances;
      for (int i = 0; i < orders; ++i) {
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
    return StopAll(started, host, service.error());
  }
  return started;
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
                    {"instances", one.order.instances},
                    {"launcher", one.order.launcher}});
    if (one.order.limits.memory) {
      list.back()["memory_bytes"] = one.order.limits.memory->count;
    }
    if (one.order.limits.pin) list.back()["cpus"] = *one.order.limits.pin;
  }
  return Json{{"services", std::move(list)}, {"notes", services.notes}};
}

}  // namespace mete
