#include "tests/integration/kubernetes/control_plane.h"

#include <fmt/format.h>
#include <stdlib.h>

#include "adapters/kubernetes/api_client.h"
#include "support/check.h"
#include "support/clock.h"
#include "support/file.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

namespace fs = std::filesystem;

fs::path ProgramsFolder() {
  if (const char* cache = getenv("XDG_CACHE_HOME")) {
    return fs::path(cache) / "mete/kubernetes/current";
  }
  const char* home = getenv("HOME");
  return fs::path(home == nullptr ? "/" : home) /
         ".cache/mete/kubernetes/current";
}

std::string ProgramPath(const std::string& name) {
  return (ProgramsFolder() / name).string();
}

bool Present(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

std::string ControlPlane::Unavailable() {
  if (!Present(ProgramPath("kube-apiserver"))) {
    return "no Kubernetes API server; run ./dev cluster to build one, or set "
           "METE_TEST_KUBECONFIG";
  }
  if (!Present("/usr/bin/etcd")) return "etcd is not installed";
  return "";
}

ControlPlane::ControlPlane() {
  WriteKeys();
  StartEtcd();
  StartApiServer();
}

ControlPlane::~ControlPlane() = default;

void ControlPlane::WriteKeys() {
  ca_.WriteCertificate(File("ca.pem"));
  server_.WriteCertificate(File("server.pem"));
  server_.WriteKey(File("server.key"));
  ann_.WriteCertificate(File("ann.pem"));
  ann_.WriteKey(File("ann.key"));
  accounts_.WriteKey(File("accounts.key"));
  accounts_.WriteCertificate(File("accounts.pem"));
  CHECK(WriteFileAtomically(File("tokens.csv"),
                            "admin-token,admin,1,\"system:masters\"\n"
                            "guest-token,guest,2,\"guests\"\n")
            .ok());
}

void ControlPlane::StartEtcd() {
  const std::string client = "http://" + Here(etcd_port_);
  const std::string peer = "http://" + Here(peer_port_);
  etcd_ = std::make_unique<Daemon>(
      std::vector<std::string>{
          "/usr/bin/etcd", "--data-dir", File("etcd"), "--listen-client-urls",
          client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
          "--initial-advertise-peer-urls", peer, "--initial-cluster",
          "default=" + peer, "--log-level", "error"},
      File("etcd.log"));
}

void ControlPlane::StartApiServer() {
  server_process_ = std::make_unique<Daemon>(
      std::vector<std::string>{
          ProgramPath("kube-apiserver"),
          "--etcd-servers=http://" + Here(etcd_port_),
          "--bind-address=127.0.0.1", fmt::format("--secure-port={}", port_),
          "--endpoint-reconciler-type=none",
          "--tls-cert-file=" + File("server.pem"),
          "--tls-private-key-file=" + File("server.key"),
          "--client-ca-file=" + File("ca.pem"),
          "--token-auth-file=" + File("tokens.csv"),
          "--authorization-mode=Node,RBAC", "--anonymous-auth=false",
          "--service-account-key-file=" + File("accounts.pem"),
          "--service-account-signing-key-file=" + File("accounts.key"),
          "--service-account-issuer=https://kubernetes.default.svc",
          "--service-cluster-ip-range=10.0.0.0/24",
          "--cert-dir=" + File("certificates"), "--allow-privileged=true",
          // Pods need no account, and nodes made by hand report no state.
          "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
          "--v=1"},
      File("apiserver.log"));
  CHECK(Until([this] { return Ready(); })) << *ReadFile(File("apiserver.log"));
}

bool ControlPlane::Ready() const {
  SystemClock clock;
  ApiClient client(Admin(), clock, {.retry_for = std::chrono::seconds(0)});
  auto answer = client.Send({.target = "/readyz"});
  if (!answer.ok() || !answer->ok()) return false;
  // The rights of other users are loaded a little later.
  auto space = client.Send({.target = "/api/v1/namespaces/default"});
  return space.ok() && space->ok();
}

ClusterAccess ControlPlane::AsToken(const std::string& token) const {
  ClusterAccess access{.space = "default", .origin = "test"};
  access.cluster.server = "https://" + Here(port_);
  access.cluster.ca.file = File("ca.pem");
  access.user.token = token;
  access.server = *ParseUrl(access.cluster.server);
  return access;
}

ClusterAccess ControlPlane::AsAnn() const {
  ClusterAccess access = AsToken("");
  access.user.certificate.file = File("ann.pem");
  access.user.key.file = File("ann.key");
  return access;
}

fs::path ControlPlane::WriteKubeconfig(const std::string& token) const {
  const fs::path file = folder_.path() / (token + ".kubeconfig");
  CHECK(WriteFileAtomically(
            file, fmt::format("apiVersion: v1\nkind: Config\n"
                              "current-context: test\n"
                              "clusters:\n- name: test\n  cluster:\n"
                              "    server: https://{}\n"
                              "    certificate-authority: ca.pem\n"
                              "users:\n- name: test\n  user: {{token: {}}}\n"
                              "contexts:\n- name: test\n"
                              "  context: {{cluster: test, user: test}}\n",
                              Here(port_), token))
            .ok());
  return file;
}

bool ControlPlane::StartControllers() {
  const std::string manager = ProgramPath("kube-controller-manager");
  const std::string scheduler = ProgramPath("kube-scheduler");
  if (!Present(manager) || !Present(scheduler)) return false;
  const std::string config = WriteKubeconfig("admin-token").string();
  const std::vector<std::string> common = {
      "--kubeconfig=" + config,
      "--authentication-kubeconfig=" + config,
      "--authorization-kubeconfig=" + config,
      "--bind-address=127.0.0.1",
      "--port=0",
      "--leader-elect=false",
      "--cert-dir=" + File("certificates")};
  std::vector<std::string> arguments = {
      manager,
      "--service-account-private-key-file=" + File("accounts.key"),
      "--root-ca-file=" + File("ca.pem"),
      "--use-service-account-credentials=true",
      fmt::format("--secure-port={}", FreePort()),
      "--controllers=*,-nodelifecycle"};
  arguments.insert(arguments.end(), common.begin(), common.end());
  controllers_ = std::make_unique<Daemon>(arguments, File("controllers.log"));
  arguments = {scheduler, fmt::format("--secure-port={}", FreePort())};
  arguments.insert(arguments.end(), common.begin(), common.end());
  scheduler_ = std::make_unique<Daemon>(arguments, File("scheduler.log"));
  return true;
}

void ControlPlane::KillApiServer() {
  server_process_->End(SIGKILL);
  server_process_.reset();
}

void ControlPlane::Compact() {
  const std::string script = fmt::format(
      "export ETCDCTL_API=3; e='etcdctl --endpoints=http://{}'; "
      "revision=$($e get / -w fields | sed -n 's/^\"Revision\" : //p'); "
      "$e compact $revision",
      Here(etcd_port_));
  auto started = Spawn({.arguments = {"/bin/sh", "-c", script}});
  CHECK(started.ok());
  int status = 0;
  CHECK(waitpid(*started, &status, 0) == *started && status == 0);
}

}  // namespace mete
