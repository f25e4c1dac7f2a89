// A service that a campaign has started, and what starts one. Campaigns know
// services only through these two interfaces.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "contend/service_times.h"
#include "machine/resource_usage.h"
#include "net/endpoint.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// One instance of an application, in a process or container of its own. Not
// thread-safe, except that Usage may be called from another thread.
class RunningService {
 public:
  // Ends the service and everything it started.
  virtual ~RunningService() = default;

  // Waits until it accepts requests. Fails with kTimeout when that takes longer
  // than `patience`, with kUnavailable and its last words when it ended, and
  // with kInterrupted after `stop`.
  virtual Status AwaitReady(Seconds patience, std::stop_token stop) = 0;
  virtual bool HasEnded() = 0;
  // Where it listens; known once it is ready.
  virtual const Endpoint& endpoint() const = 0;

  // One request from sending to the answer.
  virtual Status Infer(std::stop_token stop) = 0;
  // Forgets the times of all requests so far.
  virtual Status Flush(std::stop_token stop) = 0;
  virtual Result<ServiceTimes> Times(std::stop_token stop) = 0;

  // Totals since its start.
  virtual ResourceUsage Usage() = 0;
  // Its processes on this machine; empty: unknown.
  virtual std::vector<int> ProcessIds() = 0;
  // Where the usage is read: "cgroup v1".
  virtual std::string Accounting() = 0;
};

// Starts services, as processes or in containers. Not thread-safe; the services
// it has started are independent.
class ServiceStarter {
 public:
  virtual ~ServiceStarter() = default;
  // Gets what an application needs before its first start, such as an image.
  virtual Status Prepare(const std::string& application,
                         std::stop_token stop) = 0;
  // Does not wait until it is ready.
  virtual Result<std::unique_ptr<RunningService>> Start(
      const std::string& application, std::stop_token stop) = 0;
};

}  // namespace mete
