#include "adapters/kubernetes/cluster_access.h"

#include <fmt/format.h>

#include <vector>

#include "support/file.h"
#include "support/nearest.h"
#include "support/text.h"

namespace mete {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultSpace = "default";
constexpr Bytes kLargestKubeconfig = Mebibytes(16);

// Files that must exist, or that may: those of the list in KUBECONFIG, as in
// kubectl.
struct KubeconfigFiles {
  std::vector<fs::path> files;
  bool required = false;
};

KubeconfigFiles FilesFor(const AccessRequest& request) {
  if (!request.kubeconfig.empty()) return {{request.kubeconfig}, true};
  if (auto list = request.environment("KUBECONFIG")) {
    KubeconfigFiles found;
    for (const std::string& file : SplitAt(*list, ':')) {
      if (!file.empty()) found.files.emplace_back(file);
    }
    return found;
  }
  auto home = request.environment("HOME");
  if (!home) return {};
  return {{fs::path(*home) / ".kube" / "config"}, false};
}

std::string TextOf(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) {
    text += (text.empty() ? "" : ":") + file.string();
  }
  return text;
}

// The files that exist, merged.
Result<Kubeconfig> ReadKubeconfigs(KubeconfigFiles& found) {
  Kubeconfig merged;
  std::vector<fs::path> read;
  for (const fs::path& file : found.files) {
    auto text = ReadRegularFile(file, kLargestKubeconfig);
    if (!text.ok()) {
      bool missing = text.error().code() == ErrorCode::kNotFound;
      if (missing && !found.required) continue;
      return text.error().While("kubeconfig");
    }
    ASSIGN_OR_RETURN(Kubeconfig config,
                     ParseKubeconfig(*text, fs::absolute(file)));
    MergeKubeconfig(merged, config);
    read.push_back(file);
  }
  found.files = std::move(read);
  return merged;
}

template <typename Entry>
Result<Entry> Named(const std::map<std::string, Entry>& entries,
                    const std::string& name, const char* kind,
                    const std::string& files) {
  auto found = entries.find(name);
  if (found != entries.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.first);
  return InvalidInput(fmt::format("{}: no {} '{}'{}", files, kind, name,
                                  DidYouMean(name, names)));
}

Status CheckAccess(const ClusterAccess& access, bool allow_insecure) {
  if (!access.cluster.proxy.empty()) {
    return Unsupported(access.origin + ": proxy-url is not supported");
  }
  if (!access.user.auth_provider.empty()) {
    return Unsupported(
        fmt::format("{}: auth-provider {} is not supported; use an exec plugin",
                    access.origin, access.user.auth_provider));
  }
  if (access.cluster.skip_verification && !allow_insecure) {
    return Error(ErrorCode::kPermissionDenied,
                 access.origin +
                     ": insecure-skip-tls-verify disables the check of the "
                     "server's certificate; set kubernetes.insecure to allow "
                     "it");
  }
  if (access.user.certificate.given() != access.user.key.given()) {
    return InvalidInput(access.origin +
                        ": a client certificate and its key belong together");
  }
  return {};
}

Result<ClusterAccess> Select(const Kubeconfig& config,
                             const AccessRequest& request,
                             const std::string& files) {
  const std::string& name =
      request.context.empty() ? config.current_context : request.context;
  if (name.empty()) {
    return InvalidInput(files + ": no current context; set kubernetes.context");
  }
  ASSIGN_OR_RETURN(KubeContext context,
                   Named(config.contexts, name, "context", files));
  ClusterAccess access{
      .space = request.space.empty() ? context.space : request.space,
      .origin = fmt::format("context {} of {}", name, files)};
  ASSIGN_OR_RETURN(access.cluster,
                   Named(config.clusters, context.cluster, "cluster", files));
  if (!context.user.empty()) {
    ASSIGN_OR_RETURN(access.user,
                     Named(config.users, context.user, "user", files));
  }
  if (access.space.empty()) access.space = kDefaultSpace;
  auto server = ParseUrl(access.cluster.server);
  if (!server.ok()) {
    return InvalidInput(access.origin + ": " + server.error().message());
  }
  access.server = *std::move(server);
  RETURN_IF_ERROR(CheckAccess(access, request.allow_insecure));
  return access;
}

// A pod's service account; absent outside of pods.
Result<std::optional<ClusterAccess>> ServiceAccount(
    const AccessRequest& request) {
  auto host = request.environment("KUBERNETES_SERVICE_HOST");
  auto port = request.environment("KUBERNETES_SERVICE_PORT");
  std::error_code error;
  const fs::path token = request.service_account / "token";
  if (!host || !port || !fs::exists(token, error)) {
    return std::optional<ClusterAccess>();
  }
  ClusterAccess access{.space = request.space, .origin = "service account"};
  bool six = host->find(':') != std::string::npos;
  access.cluster.server = six ? fmt::format("https://[{}]:{}", *host, *port)
                              : fmt::format("https://{}:{}", *host, *port);
  access.cluster.ca.file = request.service_account / "ca.crt";
  access.user.token_file = token;
  ASSIGN_OR_RETURN(access.server, ParseUrl(access.cluster.server));
  if (access.space.empty()) {
    auto space = ReadFile(request.service_account / "namespace");
    access.space = space.ok() && !space->empty() ? *space : kDefaultSpace;
  }
  return std::optional(std::move(access));
}

}  // namespace

Result<ClusterAccess> FindClusterAccess(const AccessRequest& request) {
  KubeconfigFiles found = FilesFor(request);
  ASSIGN_OR_RETURN(Kubeconfig config, ReadKubeconfigs(found));
  if (!found.files.empty()) {
    return Select(config, request, TextOf(found.files));
  }
  ASSIGN_OR_RETURN(auto account, ServiceAccount(request));
  if (account) return *std::move(account);
  return NotFound(
      "no Kubernetes cluster is configured: there is no kubeconfig file and no "
      "service account; set KUBECONFIG or kubernetes.kubeconfig");
}

}  // namespace mete
