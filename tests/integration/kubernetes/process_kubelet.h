// Stands in for the kubelet of a node: runs the container of each pod on this
// machine as a process, reports its state, and serves its log to the API
// server. Images are names for programs; nothing is pulled or confined.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "net/http_server.h"
#include "support/scratch_folder.h"
#include "tests/fakes/certificates.h"
#include "tests/integration/kubernetes/api_caller.h"

namespace mete {

class ProcessKubelet {
 public:
  // What "running" an image means.
  struct Image {
    std::vector<std::string> command;  // before the arguments of the container
    std::map<std::string, std::string> environment{};
  };

  // Registers the node. `images` by name; another one cannot be pulled.
  ProcessKubelet(const ClusterAccess& admin, std::string node,
                 std::map<std::string, Image> images);
  // Kills what still runs. The node stays in the cluster.
  ~ProcessKubelet();

  const std::string& node() const { return node_; }
  size_t running();

 private:
  struct Container {
    Json pod;
    std::filesystem::path log;
    pid_t process = 0;  // 0: it has ended
    bool told_to_end = false;
  };

  void Register();
  HttpReply ServeLog(const HttpRequest& request);
  bool Runs(const std::string& uid);
  void Follow(std::stop_token stop);
  void StartPod(const Json& pod);
  void Look(const Json& pod, Container& container);
  void LookForEnd(Container& container);

  const std::string node_;
  const std::map<std::string, Image> images_;
  ApiCaller api_;
  ScratchFolder folder_ = *ScratchFolder::Create();
  Identity identity_{"IP:127.0.0.1"};
  std::mutex mutex_;                             // guards the containers
  std::map<std::string, Container> containers_;  // by uid of the pod
  std::unique_ptr<HttpServer> server_;
  std::jthread thread_;
};

}  // namespace mete
