#include "adapters/docker/engine_endpoint.h"

#include <fmt/format.h>

#include <vector>

#include "support/file.h"
#include "support/json.h"
#include "support/sha256.h"

namespace mete {
namespace {

using std::filesystem::path;

Result<Endpoint> OnThisMachine(const std::string& address,
                               const std::string& origin) {
  auto endpoint = ParseEndpoint(address);
  if (!endpoint.ok()) return endpoint.error().While(origin);
  if (endpoint->local() || endpoint->loopback()) return endpoint;
  return Unsupported(fmt::format("{}: {} is another machine; run mete there",
                                 origin, address));
}

path DockerFolder(const EngineSearch& search) {
  if (auto folder = search.environment("DOCKER_CONFIG")) return *folder;
  auto home = search.environment("HOME");
  return home ? path(*home) / ".docker" : path();
}

// The selected context, if any; a broken file selects none.
std::optional<std::string> ChosenContext(const EngineSearch& search) {
  auto chosen = search.environment("DOCKER_CONTEXT");
  if (!chosen) {
    auto text = ReadFile(DockerFolder(search) / "config.json");
    if (!text.ok()) return std::nullopt;
    auto json = ParseJson(*text);
    if (!json.ok() || !json->is_object()) return std::nullopt;
    auto name = json->find("currentContext");
    if (name == json->end() || !name->is_string()) return std::nullopt;
    chosen = name->get<std::string>();
  }
  if (chosen->empty() || *chosen == "default") return std::nullopt;
  return chosen;
}

// contexts/meta/<sha256 of the name>/meta.json contains
// {"Endpoints":{"docker":{"Host":"unix:///…"}}}.
Result<Endpoint> OfContext(const EngineSearch& search,
                           const std::string& context) {
  std::string origin = "docker context " + context;
  path file = DockerFolder(search) / "contexts" / "meta" /
              ComputeSha256(context) / "meta.json";
  auto text = ReadFile(file);
  if (!text.ok()) return NotFound(origin + ": no such context");
  auto json = ParseJson(*text);
  if (!json.ok()) return json.error().While(origin);
  Json::json_pointer place("/Endpoints/docker/Host");
  if (!json->contains(place) || !json->at(place).is_string()) {
    return Corrupt(origin + ": has no host");
  }
  return OnThisMachine(json->at(place).get<std::string>(), origin);
}

std::vector<std::string> UsualSockets(const EngineSearch& search) {
  std::vector<std::string> sockets = {"/var/run/docker.sock"};
  if (auto own = search.environment("XDG_RUNTIME_DIR")) {
    sockets.push_back(*own + "/docker.sock");
    sockets.push_back(*own + "/podman/podman.sock");
  }
  sockets.push_back("/run/podman/podman.sock");
  return sockets;
}

}  // namespace

Result<Endpoint> FindEngine(const EngineSearch& search) {
  if (auto host = search.environment("DOCKER_HOST")) {
    return OnThisMachine(*host, "DOCKER_HOST");
  }
  if (auto context = ChosenContext(search)) return OfContext(search, *context);
  for (const std::string& socket : UsualSockets(search)) {
    path file = search.root / path(socket).relative_path();
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return Endpoint{file.string()};
  }
  return Unavailable(
      "no container engine: found no socket of docker or podman; start one, "
      "or set DOCKER_HOST");
}

}  // namespace mete
