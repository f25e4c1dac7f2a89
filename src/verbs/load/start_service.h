// Starts `mete service` for the time of a load.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "net/endpoint.h"
#include "ports/testbed.h"
#include "support/clock.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// A service that runs until it is destroyed.
class StartedService {
 public:
  StartedService(std::unique_ptr<TestbedProcess> process, Endpoint endpoint)
      : process_(std::move(process)), endpoint_(std::move(endpoint)) {}

  const Endpoint& endpoint() const { return endpoint_; }

 private:
  std::unique_ptr<TestbedProcess> process_;
  Endpoint endpoint_;
};

// What is needed to start one.
struct StartServiceDependencies {
  // Starts mete with these arguments.
  std::function<Result<std::unique_ptr<TestbedProcess>>(
      const std::vector<std::string>& arguments)>
      start_self;
  Clock& clock;
};

// What to serve: the arguments of mete service without its address.
struct StartServiceRequest {
  std::vector<std::string> arguments;  // "tclf-rf", "--threads", "1"
  Seconds patience{120};               // until it is ready
};

// Returns once it accepts requests. Fails with kInvalidInput and its last words
// when it ends before, kTimeout after the patience, kInterrupted after `stop`.
Result<StartedService> StartService(
    const StartServiceRequest& request,
    const StartServiceDependencies& dependencies, std::stop_token stop);

}  // namespace mete
