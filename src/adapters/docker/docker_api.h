// The calls of the Docker Engine API that mete uses, as typed functions. Podman
// supports them too, with less in some responses.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_client.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Facts about the engine.
struct EngineFacts {
  std::string name;  // "docker", "podman"
  std::string version;
  bool systemd_groups = false;  // systemd creates the cgroups
};

// Facts about an image.
struct ImageDetails {
  std::string sha256;  // of the configuration
  std::string architecture;
  std::vector<std::string> environment;  // "NAME=value" each
  std::string stop_signal;               // empty: SIGTERM
};

// The result of creating a container.
struct CreatedContainer {
  std::string id;
  std::vector<std::string> warnings;
};

// State of a container. Times are from the engine's clock.
struct ContainerState {
  bool running = false;
  int pid = 0;  // of its first process, while running
  int exit_code = 0;
  bool out_of_memory = false;  // podman: always false
  std::optional<std::chrono::nanoseconds> lifetime;
};

// A container with an owner label.
struct OwnedContainer {
  std::string id;
  std::string owner;  // the label's value
};

// Client of one engine. Errors contain the engine's own message. kNotFound,
// kInvalidInput and kPermissionDenied follow from the HTTP status. Thread-safe.
class DockerApi {
 public:
  // Starting a container on a small board takes a while.
  static constexpr HttpPatience kUsualPatience{.silence =
                                                   std::chrono::minutes(2)};

  explicit DockerApi(Endpoint endpoint, HttpPatience patience = kUsualPatience)
      : client_(std::move(endpoint)), patience_(patience) {}

  const Endpoint& endpoint() const { return client_.endpoint(); }

  Result<EngineFacts> Facts(std::stop_token stop = {}) const;
  Result<ImageDetails> Image(const std::string& reference,
                             std::stop_token stop = {}) const;
  // `progress` receives a line whenever there is progress.
  Status Pull(const std::string& reference,
              const std::function<void(const std::string&)>& progress,
              std::stop_token stop) const;

  Result<CreatedContainer> Create(const Json& config) const;
  Status Start(const std::string& id) const;
  Result<ContainerState> Inspect(const std::string& id) const;
  // Everything that the engine reports about it.
  Result<Json> Describe(const std::string& id) const;
  // Changes limits of a running container.
  Status Update(const std::string& id, const Json& limits) const;
  Status Pause(const std::string& id) const;
  Status Unpause(const std::string& id) const;
  // Returns when the container has ended; immediately if it already had.
  Status AwaitEnd(const std::string& id, std::stop_token stop) const;
  // Passes on past and future output until the container ends.
  Status Logs(const std::string& id,
              const std::function<void(std::string_view)>& output,
              std::stop_token stop) const;
  // Passes on the output written so far.
  Status WrittenLogs(const std::string& id,
                     const std::function<void(std::string_view)>& output) const;
  Result<Json> Stats(const std::string& id) const;
  // Out-of-memory events of a container so far.
  Result<uint64_t> OutOfMemoryEvents(const std::string& id) const;
  Status Signal(const std::string& id, const std::string& signal) const;
  // Stops it first if it is running. Succeeds if it is already gone.
  Status Remove(const std::string& id, std::stop_token stop = {}) const;
  // Containers with this label, running or not.
  Result<std::vector<OwnedContainer>> Owned(const std::string& label,
                                            std::stop_token stop = {}) const;

 private:
  Status ReadLogs(const std::string& target,
                  const std::function<void(std::string_view)>& output,
                  std::stop_token stop) const;
  Result<Json> Get(const std::string& target, std::stop_token stop = {}) const;
  Result<HttpResponse> Post(const std::string& target,
                            const Json* body = nullptr) const;

  HttpClient client_;
  HttpPatience patience_;
};

}  // namespace mete
