// Starts services through a launcher: processes of this machine, or containers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "contend/running_service.h"
#include "ports/launcher.h"
#include "support/clock.h"

namespace mete {

// The address that a service prints when it listens: "serving APP on
// http://HOST:PORT (…". Absent until the address is complete. An
// address that listens everywhere is answered on the loopback address.
std::optional<Endpoint> FindServiceAddress(std::string_view output);

// Makes the command or container that serves an application.
using MakeServiceLaunch =
    std::function<LaunchRequest(const std::string& application)>;

// A starter of services that print their address.
class LaunchedServices final : public ServiceStarter {
 public:
  // Both must outlive the starter and its services.
  LaunchedServices(Launcher& launcher, Clock& clock,
                   MakeServiceLaunch make_launch)
      : launcher_(launcher),
        clock_(clock),
        make_launch_(std::move(make_launch)) {}

  Status Prepare(const std::string& application, std::stop_token stop) override;
  Result<std::unique_ptr<RunningService>> Start(const std::string& application,
                                                std::stop_token stop) override;

 private:
  Launcher& launcher_;
  Clock& clock_;
  MakeServiceLaunch make_launch_;
};

}  // namespace mete
