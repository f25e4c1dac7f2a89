// Keeps the services of a mix running for the next mix if it uses them, because
// starting a service costs more time than measuring it.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "contend/running_service.h"
#include "domain/mix.h"

namespace mete {

// How a pool treats services.
struct ServicePoolSettings {
  Seconds ready_patience{120};  // the first start may build the network
  // The first inferences of a process are slow: memory is allocated, pages are
  // read, caches are cold.
  int warmup_requests = 5;
  bool keep = true;  // services that the next mix uses, too
};

// The running services of a campaign: never more than those of one mix, so that
// no service that is not part of a mix can disturb it. Ends all of them when it
// is destroyed. Not thread-safe.
class ServicePool {
 public:
  using Instances = std::vector<RunningService*>;

  // `starter` must outlive the pool.
  ServicePool(ServiceStarter& starter, ServicePoolSettings settings)
      : starter_(starter), settings_(settings) {}

  // Services for exactly these tenants, ready, warm and without recorded times;
  // one list of instances for each tenant. They stay valid until the next call.
  // Fails as Start, AwaitReady and Infer of the service do, with the name of
  // the application.
  Result<std::vector<Instances>> Provide(const std::vector<Tenant>& tenants,
                                         std::stop_token stop);
  // The service will not be used again, for example because requests that
  // nobody waits for are still in its queue.
  void Discard(const RunningService* service);
  void EndAll() { running_.clear(); }

 private:
  using Kept =
      std::map<std::string, std::vector<std::unique_ptr<RunningService>>>;

  void EndSurplus(const std::map<std::string, size_t>& needed);
  Status Fill(const std::map<std::string, size_t>& needed,
              std::stop_token stop);
  Result<std::vector<RunningService*>> StartMissing(
      const std::map<std::string, size_t>& needed, std::stop_token stop);
  Status WarmUp(const std::vector<RunningService*>& fresh,
                std::stop_token stop);

  ServiceStarter& starter_;
  ServicePoolSettings settings_;
  Kept running_;
};

}  // namespace mete
