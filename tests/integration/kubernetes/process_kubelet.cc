#include "tests/integration/kubernetes/process_kubelet.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <optional>

#include "support/check.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "support/spawn.h"
#include "support/text.h"

namespace mete {
namespace {

std::string Uid(const Json& pod) { return pod.at("metadata").at("uid"); }

bool HasEnded(const Json& pod) {
  const std::string phase =
      pod.value("status", Json::object()).value("phase", "");
  return phase == "Succeeded" || phase == "Failed";
}

// What ContainerArguments of the launcher escapes.
std::string Unescaped(std::string text) {
  size_t at = 0;
  while ((at = text.find("$$", at)) != std::string::npos) text.erase(at++, 1);
  return text;
}

}  // namespace

ProcessKubelet::ProcessKubelet(const ClusterAccess& admin, std::string node,
                               std::map<std::string, Image> images)
    : node_(std::move(node)), images_(std::move(images)), api_(admin) {
  const std::filesystem::path certificate = folder_.path() / "kubelet.pem";
  const std::filesystem::path key = folder_.path() / "kubelet.key";
  identity_.WriteCertificate(certificate);
  identity_.WriteKey(key);
  auto started = HttpServer::Start(
      {.listen = {.host = "127.0.0.1"},
       .tls = HttpServerTls{.cert_file = certificate, .key_file = key},
       .threads = 8},
      HttpHandler(
          [this](const HttpRequest& request) { return ServeLog(request); }));
  CHECK(started.ok()) << started.error().message();
  server_ = *std::move(started);
  Register();
  thread_ = std::jthread([this](std::stop_token stop) { Follow(stop); });
}

ProcessKubelet::~ProcessKubelet() {
  thread_ = std::jthread();  // stops and waits
  std::lock_guard lock(mutex_);
  for (auto& [uid, container] : containers_) {
    if (container.process == 0) continue;
    kill(-container.process, SIGKILL);
    waitpid(container.process, nullptr, 0);
    container.process = 0;
  }
}

size_t ProcessKubelet::running() {
  std::lock_guard lock(mutex_);
  size_t count = 0;
  for (const auto& [uid, container] : containers_) {
    if (container.process != 0) ++count;
  }
  return count;
}

void ProcessKubelet::Register() {
  api_.MakeNode(node_, "4");
  const Json address = {{"type", "InternalIP"}, {"address", "127.0.0.1"}};
  ApiAnswer answer = api_.Send(
      "PATCH", "/api/v1/nodes/" + node_ + "/status",
      {{"status",
        {{"addresses", Json::array({address})},
         {"daemonEndpoints",
          {{"kubeletEndpoint", {{"Port", server_->endpoint().port}}}}}}}},
      "application/strategic-merge-patch+json");
  CHECK(answer.ok()) << answer.body;
}

// "/containerLogs/NAMESPACE/POD/CONTAINER?follow=true".
HttpReply ProcessKubelet::ServeLog(const HttpRequest& request) {
  const auto parts =
      SplitAt(std::string(SplitTarget(request.target).path), '/');
  const bool log = parts.size() == 5 && parts[1] == "containerLogs";
  std::string uid;
  std::filesystem::path file;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, container] : containers_) {
      if (log && container.pod["metadata"]["name"] == parts[3]) {
        uid = id;
        file = container.log;
      }
    }
  }
  if (uid.empty()) return {.response = {.status = 404, .body = "no such pod"}};
  auto sent = std::make_shared<size_t>(0);
  return {
      .response = {.status = 200, .fields = {{"content-type", "text/plain"}}},
      .pieces = [this, uid, file, sent]() -> std::optional<std::string> {
        const bool more = Runs(uid);  // before reading: nothing is lost
        auto text = ReadFile(file);
        std::string piece = text.ok() ? text->substr(*sent) : "";
        *sent += piece.size();
        if (piece.empty() && !more) return std::nullopt;
        return piece;
      }};
}

bool ProcessKubelet::Runs(const std::string& uid) {
  std::lock_guard lock(mutex_);
  auto found = containers_.find(uid);
  return found != containers_.end() && found->second.process != 0;
}

void ProcessKubelet::Follow(std::stop_token stop) {
  SystemClock clock;
  do {
    Json list = api_.Get("/api/v1/pods?fieldSelector=spec.nodeName%3D" + node_);
    for (const Json& pod : list.value("items", Json::array())) {
      std::lock_guard lock(mutex_);
      auto found = containers_.find(Uid(pod));
      if (found == containers_.end()) {
        // Those of a node of this name in an earlier test have ended.
        if (!HasEnded(pod)) StartPod(pod);
      } else {
        Look(pod, found->second);
      }
    }
  } while (clock.SleepFor(std::chrono::milliseconds(50), stop));
}

void ProcessKubelet::StartPod(const Json& pod) {
  Container& container = containers_[Uid(pod)];
  container.pod = pod;
  const Json& app = pod.at("spec").at("containers").at(0);
  auto image = images_.find(app.at("image").get<std::string>());
  if (image == images_.end()) {
    api_.SetPodStatus(
        pod, {{"phase", "Pending"},
              {"containerStatuses",
               ApiCaller::ContainerState(
                   "waiting", {{"reason", "ErrImagePull"},
                               {"message", "there is no such image"}})}});
    return;
  }
  SpawnRequest request{.arguments = image->second.command,
                       .environment = image->second.environment};
  for (const Json& argument : app.value("args", Json::array())) {
    request.arguments.push_back(Unescaped(argument));
  }
  for (const Json& variable : app.value("env", Json::array())) {
    request.environment[variable.at("name")] =
        Unescaped(variable.at("value").get<std::string>());
  }
  // A container has a file system of its own.
  const std::filesystem::path home = folder_.path() / Uid(pod);
  std::filesystem::create_directory(home);
  request.environment["METE_STATE"] = home;
  request.environment["METE_STORE"] = "sqlite:" + (home / "mete.db").string();
  container.log = home / "log";
  Descriptor log(open(container.log.c_str(),
                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  request.output = log.number();
  request.errors = log.number();
  auto started = Spawn(request);
  CHECK(started.ok()) << started.error().message();
  container.process = *started;
  api_.SetRunning(pod);
}

void ProcessKubelet::Look(const Json& pod, Container& container) {
  const bool deleted = pod.at("metadata").contains("deletionTimestamp");
  if (deleted && !container.told_to_end && container.process != 0) {
    kill(-container.process, SIGTERM);
    container.told_to_end = true;
  }
  if (container.process != 0) LookForEnd(container);
  if (deleted && container.process == 0) api_.Confirm(pod);
}

void ProcessKubelet::LookForEnd(Container& container) {
  int status = 0;
  if (waitpid(container.process, &status, WNOHANG) == 0) return;
  container.process = 0;
  const int code =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  api_.SetTerminated(container.pod, code, code == 0 ? "Completed" : "Error");
}

}  // namespace mete
