#include "contend/service_pool.h"

#include <algorithm>

namespace mete {

void ServicePool::EndSurplus(const std::map<std::string, size_t>& needed) {
  for (auto& [application, services] : running_) {
    std::erase_if(services, [](const auto& one) { return one->HasEnded(); });
    auto found = needed.find(application);
    size_t keep = found == needed.end() ? 0 : found->second;
    if (services.size() > keep) services.resize(keep);
  }
}

Result<std::vector<RunningService*>> ServicePool::StartMissing(
    const std::map<std::string, size_t>& needed, std::stop_token stop) {
  std::vector<RunningService*> fresh;
  for (const auto& [application, count] : needed) {
    auto& services = running_[application];
    while (services.size() < count) {
      auto started = starter_.Start(application, stop);
      if (!started.ok()) return started.error().While("start " + application);
      fresh.push_back(started->get());
      services.push_back(*std::move(started));
    }
  }
  // All of them start at the same time, so waiting in turn loses nothing.
  for (const auto& [application, services] : running_) {
    for (const auto& service : services) {
      bool is_new = std::ranges::find(fresh, service.get()) != fresh.end();
      if (!is_new) continue;
      RETURN_IF_ERROR(service->AwaitReady(settings_.ready_patience, stop)
                          .While(application));
    }
  }
  return fresh;
}

Status ServicePool::WarmUp(const std::vector<RunningService*>& fresh,
                           std::stop_token stop) {
  for (RunningService* service : fresh) {
    for (int i = 0; i < settings_.warmup_requests; ++i) {
      RETURN_IF_ERROR(service->Infer(stop).While("warm up"));
    }
  }
  return {};
}

Status ServicePool::Fill(const std::map<std::string, size_t>& needed,
                         std::stop_token stop) {
  ASSIGN_OR_RETURN(std::vector<RunningService*> fresh,
                   StartMissing(needed, stop));
  return WarmUp(fresh, stop);
}

Result<std::vector<ServicePool::Instances>> ServicePool::Provide(
    const std::vector<Tenant>& tenants, std::stop_token stop) {
  if (!settings_.keep) EndAll();
  std::map<std::string, size_t> needed;
  for (const Tenant& tenant : tenants) {
    needed[tenant.application] += static_cast<size_t>(tenant.instances);
  }
  EndSurplus(needed);
  if (Status ready = Fill(needed, stop); !ready.ok()) {
    EndAll();  // some of them may not be ready
    return ready.error();
  }
  std::map<std::string, size_t> used;
  std::vector<Instances> provided;
  for (const Tenant& tenant : tenants) {
    Instances& instances = provided.emplace_back();
    for (int i = 0; i < tenant.instances; ++i) {
      size_t next = used[tenant.application]++;
      instances.push_back(running_[tenant.application][next].get());
    }
  }
  return provided;
}

void ServicePool::Discard(const RunningService* service) {
  for (auto& [application, services] : running_) {
    std::erase_if(services,
                  [&](const auto& one) { return one.get() == service; });
  }
}

}  // namespace mete
