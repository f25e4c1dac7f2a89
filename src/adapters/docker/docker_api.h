// The calls of the Docker Engine API that mete makes, as typed functions.
// Podman answers them too, with less in some answers.
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

struct EngineFacts {
  std::string name;  // "docker", "podman"
  std::string version;
  bool systemd_groups = false;  // control groups are systemd's to make
};

struct ImageDetails {
  std::string sha256;  // of the configuration
  std::string architecture;
  std::vector<std::string> environment;  // "NAME=value" each
  std::string stop_signal;               // empty: SIGTERM
};

struct CreatedContainer {
  std::string id;
  std::vector<std::string> warnings;
};

// How a container stands. Times are the engine's.
struct ContainerState {
  bool running = false;
  int pid = 0;  // of its first process, while it runs
  int exit_code = 0;
  bool out_of_memory = false;  // podman: always false
  std::optional<std::chrono::nanoseconds> lifetime;
};

struct OwnedContainer {
  std::string id;
  std::string owner;  // the label's value
};

// Failures carry the engine's own words. kNotFound, kInvalidInput and
// kPermissionDenied follow the status it answers with. Safe for several
// threads.
class DockerApi {
 public:
  // Starting a container on a small board takes its time.
  static constexpr HttpPatience kUsualPatience{.silence =
                                                   std::chrono::minutes(2)};

  explicit DockerApi(Endpoint endpoint, HttpPatience patience = kUsualPatience)
      : client_(std::move(endpoint)), patience_(patience) {}

  const Endpoint& endpoint() const { return client_.endpoint(); }

  Result<EngineFacts> Facts() const;
  Result<ImageDetails> Image(const std::string& reference) const;
  // `progress` gets a line whenever something moves.
  Status Pull(const std::string& reference,
              const std::function<void(const std::string&)>& progress,
              std::stop_token stop) const;

  Result<CreatedContainer> Create(const Json& config) const;
  Status Start(const std::string& id) const;
  Result<ContainerState> Inspect(const std::string& id) const;
  // All that the engine tells about it.
  Result<Json> Describe(const std::string& id) const;
  // Changes limits of a running container.
  Status Update(const std::string& id, const Json& limits) const;
  Status Pause(const std::string& id) const;
  Status Unpause(const std::string& id) const;
  // Returns when the container has ended, at once when it had.
  Status AwaitEnd(const std::string& id, std::stop_token stop) const;
  // What it wrote and writes, until it ends.
  Status Logs(const std::string& id,
              const std::function<void(std::string_view)>& output,
              std::stop_token stop) const;
  // What it wrote so far.
  Status WrittenLogs(const std::string& id,
                     const std::function<void(std::string_view)>& output) const;
  Result<Json> Stats(const std::string& id) const;
  // Out-of-memory events of a container so far.
  Result<uint64_t> OutOfMemoryEvents(const std::string& id) const;
  Status Signal(const std::string& id, const std::string& signal) const;
  // Ends it first when it still runs. Gone already is fine.
  Status Remove(const std::string& id) const;
  // Containers with this label, whether they run or not.
  Result<std::vector<OwnedContainer>> Owned(const std::string& label) const;

 private:
  Status ReadLogs(const std::string& target,
                  const std::function<void(std::string_view)>& output,
                  std::stop_token stop) const;
  Result<Json> Get(const std::string& target) const;
  Result<HttpResponse> Post(const std::string& target,
                            const Json* body = nullptr) const;

  HttpClient client_;
  HttpPatience patience_;
};

}  // namespace mete
