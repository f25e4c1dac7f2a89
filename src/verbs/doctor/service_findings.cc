#include "doctor/service_findings.h"

#include <fmt/format.h>

#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

using std::filesystem::path;

// A variable set to "" counts as unset, as in shells.
std::optional<std::string> Variable(const VariableLookup& environment,
                                    const std::string& name) {
  auto value = environment(name);
  if (value && value->empty()) return std::nullopt;
  return value;
}

bool TakePrefix(std::string& text, std::string_view prefix) {
  if (text.compare(0, prefix.size(), prefix) != 0) return false;
  text.erase(0, prefix.size());
  return true;
}

std::optional<uint16_t> Port(std::string_view text) {
  auto port = ParseNumber<uint16_t>(text);
  return port && *port != 0 ? port : std::nullopt;
}

// A container engine and the advice about it.
struct Engine {
  std::string subject;
  std::string install;  // advice when there is none
  std::string join;     // advice when access is denied
};

std::string Where(const ServiceUrl& url) {
  return fmt::format("{}:{}", url.address.host, url.address.port);
}

Finding NoEngine(const Engine& engine, const std::string& seen) {
  return {.subject = engine.subject,
          .state = FindingState::kMissing,
          .seen = seen,
          .advice = engine.install};
}

// Pings the engine. `where` is the address as the user knows it.
Finding AskEngine(const Engine& engine, const ProbeTarget& endpoint,
                  const std::string& where, SystemProbes& probes) {
  auto answer = probes.HttpGet(endpoint, "/_ping");
  if (answer.ok() && answer->status == 200) {
    return {.subject = engine.subject, .seen = where + " answers"};
  }
  if (answer.ok()) {
    return {
        .subject = engine.subject,
        .state = FindingState::kLimited,
        .seen = fmt::format("{} answers with status {}", where, answer->status),
        .advice = "check the engine's log"};
  }
  bool forbidden = answer.error().code() == ErrorCode::kPermissionDenied;
  return {.subject = engine.subject,
          .state = forbidden ? FindingState::kLimited : FindingState::kMissing,
          .seen = answer.error().message(),
          .advice = forbidden ? engine.join : engine.install};
}

Finding AskDockerHost(const SystemRoot& root, const Engine& engine,
                      const std::string& host, SystemProbes& probes) {
  std::string rest = host;
  if (TakePrefix(rest, "unix://")) {
    return AskEngine(engine, root.Locate(rest), rest, probes);
  }
  if (host.compare(0, 6, "tcp://") == 0 || host.compare(0, 7, "http://") == 0) {
    auto url = ParseServiceUrl(host, 2375);
    if (url) return AskEngine(engine, url->address, Where(*url), probes);
  }
  return {.subject = engine.subject,
          .state = FindingState::kLimited,
          .seen = "DOCKER_HOST is " + host,
          .advice =
              "mete supports only unix:// and tcp://; forward the socket "
              "and set DOCKER_HOST to it"};
}

}  // namespace

std::optional<ServiceUrl> ParseServiceUrl(const std::string& text,
                                          uint16_t default_port) {
  ServiceUrl url;
  std::string rest = text;
  url.tls = TakePrefix(rest, "https://");
  if (!url.tls && !TakePrefix(rest, "http://")) TakePrefix(rest, "tcp://");
  size_t slash = rest.find('/');
  if (slash != std::string::npos) {
    url.path = rest.substr(slash);
    rest.erase(slash);
  }
  // Drops "user:password@", which is neither printed nor sent.
  if (size_t at = rest.rfind('@'); at != std::string::npos) {
    rest.erase(0, at + 1);
  }
  url.address.port = url.tls ? 443 : default_port;
  size_t bracket = rest.find(']');
  size_t colon = rest.find(':', bracket == std::string::npos ? 0 : bracket);
  if (colon != std::string::npos) {
    auto port = Port(std::string_view(rest).substr(colon + 1));
    if (!port) return std::nullopt;
    url.address.port = *port;
    rest.erase(colon);
  }
  if (bracket != std::string::npos && rest.front() == '[') {
    rest = rest.substr(1, bracket - 1);
  }
  if (rest.empty()) return std::nullopt;
  url.address.host = rest;
  while (!url.path.empty() && url.path.back() == '/') url.path.pop_back();
  return url;
}

Finding FindDocker(const SystemRoot& root, const VariableLookup& environment,
                   SystemProbes& probes) {
  const Engine engine{
      .subject = "Docker",
      .install =
          "to measure images, install docker.io and start dockerd, or "
          "use Podman",
      .join =
          "add yourself to the group docker (usermod -aG docker $USER) and "
          "log in again"};
  if (auto host = Variable(environment, "DOCKER_HOST")) {
    return AskDockerHost(root, engine, *host, probes);
  }
  const path socket = "/var/run/docker.sock";
  if (!root.Exists(socket)) {
    return NoEngine(engine, "no " + socket.string());
  }
  return AskEngine(engine, root.Locate(socket), socket.string(), probes);
}

Finding FindPodman(const SystemRoot& root, const VariableLookup& environment,
                   SystemProbes& probes) {
  const Engine engine{
      .subject = "Podman",
      .install =
          "to measure images, install podman and run systemctl --user "
          "start podman.socket, or use Docker",
      .join =
          "use the socket of your own user: systemctl --user start "
          "podman.socket"};
  std::vector<path> sockets;
  if (auto folder = Variable(environment, "XDG_RUNTIME_DIR")) {
    sockets.push_back(path(*folder) / "podman/podman.sock");
  }
  sockets.emplace_back("/run/podman/podman.sock");
  for (const path& socket : sockets) {
    if (!root.Exists(socket)) continue;
    return AskEngine(engine, root.Locate(socket), socket.string(), probes);
  }
  return NoEngine(engine, "no " + sockets.front().string());
}

Finding FindPrometheus(const VariableLookup& environment,
                       SystemProbes& probes) {
  Finding finding{.subject = "Prometheus"};
  std::string text = "http://localhost:9090";
  for (const char* name : {"METE_PROMETHEUS", "PROMETHEUS_URL"}) {
    if (auto value = Variable(environment, name)) {
      text = *value;
      break;
    }
  }
  finding.advice = "set METE_PROMETHEUS=http://HOST:9090 to its address";
  auto url = ParseServiceUrl(text, 9090);
  if (!url) {
    finding.state = FindingState::kMissing;
    finding.seen = "its configured address is not valid";
    return finding;
  }
  const std::string where = Where(*url);
  if (url->tls) {
    Status connected = probes.Connect(url->address);
    finding.state =
        connected.ok() ? FindingState::kLimited : FindingState::kMissing;
    finding.seen = connected.ok()
                       ? where + " accepts connections; TLS was not tried"
                       : connected.error().message();
    if (connected.ok()) finding.advice = "open it in a browser to be sure";
    return finding;
  }
  auto answer = probes.HttpGet(url->address, url->path + "/-/ready");
  if (answer.ok() && answer->status == 200) {
    return {.subject = "Prometheus", .seen = where + " is ready"};
  }
  finding.state = answer.ok() ? FindingState::kLimited : FindingState::kMissing;
  finding.seen = answer.ok() ? fmt::format("{} answers with status {}", where,
                                           answer->status)
                             : answer.error().message();
  return finding;
}

Finding FindKubernetes(const SystemRoot& root,
                       const VariableLookup& environment) {
  Finding finding{.subject = "Kubernetes"};
  std::vector<path> files;
  if (auto list = Variable(environment, "KUBECONFIG")) {
    for (const std::string& file : SplitAt(*list, ':')) {
      if (!file.empty()) files.emplace_back(file);
    }
  } else if (auto home = Variable(environment, "HOME")) {
    files.push_back(path(*home) / ".kube/config");
  }
  for (const path& file : files) {
    if (!root.Exists(file)) continue;
    finding.seen = "kubeconfig " + file.string();
    if (root.Text(file).ok()) return finding;
    finding.state = FindingState::kLimited;
    finding.seen += " cannot be read";
    finding.advice = "make it readable for this user";
    return finding;
  }
  const path token = "/var/run/secrets/kubernetes.io/serviceaccount/token";
  if (Variable(environment, "KUBERNETES_SERVICE_HOST") && root.Exists(token)) {
    finding.seen = "inside a cluster, with a service account";
    return finding;
  }
  finding.state = FindingState::kMissing;
  finding.seen = files.empty() ? "no kubeconfig is configured"
                               : "no kubeconfig at " + files.front().string();
  finding.advice =
      "set KUBECONFIG to the cluster's file; not needed for one machine";
  return finding;
}

}  // namespace mete
