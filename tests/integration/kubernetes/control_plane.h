// A Kubernetes control plane for tests: etcd, the API server, the controller
// manager and the scheduler on loopback, in a temporary folder. `./dev cluster`
// builds the programs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "adapters/kubernetes/cluster_access.h"
#include "support/scratch_folder.h"
#include "tests/fakes/certificates.h"
#include "tests/integration/daemon.h"

namespace mete {

class ControlPlane {
 public:
  // Why it cannot run here; empty: it can.
  static std::string Unavailable();

  // Starts etcd and the API server and waits until that is ready.
  ControlPlane();
  ~ControlPlane();

  // Access as an administrator, by token.
  ClusterAccess Admin() const { return AsToken("admin-token"); }
  ClusterAccess AsToken(const std::string& token) const;
  // By client certificate; the user is "DNS:ann".
  ClusterAccess AsAnn() const;

  // Both also run afterwards: Jobs get pods, and pods get nodes. False when
  // their programs are missing.
  bool StartControllers();

  void KillApiServer();
  void StartApiServer();  // and waits until it is ready
  // Forgets all revisions of etcd up to the current one.
  void Compact();

  std::filesystem::path WriteKubeconfig(const std::string& token) const;

 private:
  std::string File(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  void WriteKeys();
  void StartEtcd();
  bool Ready() const;

  ScratchFolder folder_ = *ScratchFolder::Create();
  Identity ca_{"DNS:ca.example"};
  Identity server_{"IP:127.0.0.1", &ca_};
  Identity ann_{"DNS:ann", &ca_};
  Identity accounts_{"DNS:accounts.example"};
  uint16_t etcd_port_ = FreePort();
  uint16_t peer_port_ = FreePort();
  uint16_t port_ = FreePort();
  std::unique_ptr<Daemon> etcd_;
  std::unique_ptr<Daemon> server_process_;
  std::unique_ptr<Daemon> controllers_;
  std::unique_ptr<Daemon> scheduler_;
};

}  // namespace mete
