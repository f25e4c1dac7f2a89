// Starts what a plan says: every instance as a service of its own, or in a
// cluster the instances on a node as one.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "place/placement_plan.h"
#include "ports/service_host.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// How to start a plan.
struct ApplyRequest {
  std::string launcher = "process";
  std::string image{};  // of containers
  std::string id{};     // of the plan, to find its services again
  // CPUs of this machine, which stands in for the plan's servers unless they
  // are nodes of a cluster.
  int cpus = 1;
};

// A service of the plan.
struct PlannedService {
  std::string app;     // AppDemand::name
  std::string server;  // PlannedServer::name
  ServiceOrder order;
};

// All services, by server, and what differs from the plan. On one machine, each
// server is a set of CPUs of its own as far as there are enough; in a cluster,
// it is the node of its name. Memory limits are those of the instances.
struct PlannedServices {
  std::vector<PlannedService> services;
  std::vector<std::string> notes;
};
PlannedServices ServicesOf(const PlacementPlan& plan,
                           const ApplyRequest& request);

// Starts all of them; `on_start` is called before each. When one fails, those
// that were started are stopped.
Result<std::vector<HostedService>> StartServices(
    const PlannedServices& services, ServiceHost& host,
    const std::function<void(const PlannedService&)>& on_start,
    std::stop_token stop);

std::string PlannedServicesText(const PlannedServices& services);
std::string PlannedServicesCsv(const PlannedServices& services);
Json PlannedServicesToJson(const PlannedServices& services);

// "plan-" and the beginning of a hash of its content: the same for the same
// plan.
std::string PlanId(const PlacementPlan& plan);

}  // namespace mete
