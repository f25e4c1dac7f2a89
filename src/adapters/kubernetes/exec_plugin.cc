#include "adapters/kubernetes/exec_plugin.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "support/base64.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "support/json.h"
#include "support/spawn.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr std::array<std::string_view, 2> kExecVersions = {
    "client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"};
constexpr std::chrono::minutes kExecPatience{1};
constexpr size_t kMostWords = 500;

bool KnownVersion(const std::string& version) {
  for (std::string_view known : kExecVersions) {
    if (version == known) return true;
  }
  return false;
}

// The value of KUBERNETES_EXEC_INFO.
std::string ExecInfo(const ClusterAccess& access) {
  const KubeExec& exec = *access.user.exec;
  Json info = {{"apiVersion", exec.api_version},
               {"kind", "ExecCredential"},
               {"spec", {{"interactive", false}}}};
  if (exec.provide_cluster_info) {
    Json& cluster = info["spec"]["cluster"];
    cluster["server"] = access.cluster.server;
    SetText(cluster, "tls-server-name", access.cluster.server_name);
    if (access.cluster.skip_verification) {
      cluster["insecure-skip-tls-verify"] = true;
    }
    std::string ca = access.cluster.ca.text;
    if (ca.empty() && !access.cluster.ca.file.empty()) {
      auto read = ReadFile(access.cluster.ca.file);
      if (read.ok()) ca = *read;
    }
    if (!ca.empty()) cluster["certificate-authority-data"] = EncodeBase64(ca);
  }
  return info.dump();
}

std::string Written(const Descriptor& file) {
  auto text = ReadFile(fmt::format("/proc/self/fd/{}", file.number()));
  return text.ok() ? *text : "";
}

}  // namespace

Result<ExecCredential> ParseExecCredential(std::string_view text,
                                           const std::string& api_version) {
  ASSIGN_OR_RETURN(Json json, ParseJson(text));
  return ReadJson("credentials", [&]() -> Result<ExecCredential> {
    if (json.at("kind") != "ExecCredential" ||
        json.at("apiVersion") != api_version) {
      return Corrupt("not an ExecCredential of " + api_version);
    }
    const Json& status = json.at("status");
    ExecCredential made{
        .token = GetText(status, "token"),
        .certificate_pem = GetText(status, "clientCertificateData"),
        .key_pem = GetText(status, "clientKeyData")};
    if (made.certificate_pem.empty() != made.key_pem.empty()) {
      return Corrupt("a certificate and its key belong together");
    }
    if (made.token.empty() && made.certificate_pem.empty()) {
      return Corrupt("neither a token nor a certificate");
    }
    if (std::string end = GetText(status, "expirationTimestamp");
        !end.empty()) {
      ASSIGN_OR_RETURN(made.expires, ParseUtc(end));
    }
    return made;
  });
}

Result<ExecCredential> RunExecPlugin(const ClusterAccess& access, Clock& clock,
                                     const std::stop_token& stop) {
  const KubeExec& exec = *access.user.exec;
  if (!KnownVersion(exec.api_version)) {
    return Unsupported(fmt::format(
        "{}: exec plugins of version '{}' are not supported; use {}",
        access.origin, exec.api_version, kExecVersions[0]));
  }
  Descriptor output(memfd_create("credentials", MFD_CLOEXEC));
  Descriptor errors(memfd_create("errors", MFD_CLOEXEC));
  SpawnRequest request{.arguments = {exec.command},
                       .output = output.number(),
                       .errors = errors.number(),
                       .environment = exec.environment};
  request.arguments.insert(request.arguments.end(), exec.arguments.begin(),
                           exec.arguments.end());
  request.environment["KUBERNETES_EXEC_INFO"] = ExecInfo(access);
  auto started = Spawn(request);
  if (!started.ok()) {
    std::string hint =
        exec.install_hint.empty() ? "" : "; " + Tame(exec.install_hint, 500);
    return Error(
        started.error().code(),
        fmt::format("exec plugin: {}{}", started.error().message(), hint));
  }
  ASSIGN_OR_RETURN(
      int status,
      WaitForProcess(*started, clock.Now() + kExecPatience, clock, stop)
          .While("exec plugin " + exec.command));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Error(ErrorCode::kPermissionDenied,
                 fmt::format("exec plugin {} failed: {}", exec.command,
                             Tame(Written(errors), kMostWords)));
  }
  return ParseExecCredential(Written(output), exec.api_version)
      .While("exec plugin " + exec.command);
}

}  // namespace mete
