// What tests do to a cluster as its administrator: they create objects, and act
// as the kubelets of nodes that do not exist.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "adapters/kubernetes/api_client.h"
#include "support/clock.h"
#include "support/json.h"

namespace mete {

class ApiCaller {
 public:
  explicit ApiCaller(ClusterAccess access)
      : client_(std::move(access), clock_) {}

  // An answer without a status when the server does not respond.
  ApiAnswer Send(const std::string& method, const std::string& target,
                 const Json& body = Json::object(),
                 const std::string& type = "application/json") {
    auto answer = client_.Send({.method = method,
                                .target = target,
                                .content_type = type,
                                .body = method == "GET" ? "" : body.dump()});
    return answer.ok() ? *answer : ApiAnswer();
  }
  // An empty object when there is none.
  Json Get(const std::string& target) {
    ApiAnswer answer = Send("GET", target);
    auto json = ParseJson(answer.ok() ? answer.body : "{}");
    return json.ok() ? *json : Json::object();
  }
  Json Create(const std::string& target, const Json& body) {
    ApiAnswer answer = Send("POST", target, body);
    EXPECT_TRUE(answer.ok()) << target << " " << answer.body;
    auto json = ParseJson(answer.body);
    return json.ok() ? *json : Json::object();
  }
  void MakeNode(const std::string& name, const std::string& cpus) {
    Json amounts = {{"cpu", cpus}, {"memory", "8Gi"}, {"pods", "50"}};
    Send("POST", "/api/v1/nodes",
         {{"metadata", {{"name", name}}},
          {"status",
           {{"capacity", amounts},
            {"allocatable", amounts},
            {"nodeInfo",
             {{"machineID", "machine-of-" + name},
              {"systemUUID", ""},
              {"bootID", ""},
              {"kernelVersion", ""},
              {"osImage", ""},
              {"containerRuntimeVersion", ""},
              {"kubeletVersion", ""},
              {"kubeProxyVersion", ""},
              {"operatingSystem", "linux"},
              {"architecture", "amd64"}}},
            {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}});
  }

  static std::string PathOf(const Json& pod) {
    const Json& metadata = pod.at("metadata");
    return "/api/v1/namespaces/" + metadata.at("namespace").get<std::string>() +
           "/pods/" + metadata.at("name").get<std::string>();
  }
  void SetPodStatus(const Json& pod, const Json& status) {
    ApiAnswer answer =
        Send("PATCH", PathOf(pod) + "/status", {{"status", status}},
             "application/strategic-merge-patch+json");
    EXPECT_TRUE(answer.ok()) << answer.body;
  }
  // The state of the container "app": "running", "waiting" or "terminated".
  static Json ContainerState(const char* kind, const Json& state) {
    return Json::array({{{"name", "app"},
                         {"image", "x"},
                         {"imageID", "x"},
                         {"ready", false},
                         {"restartCount", 0},
                         {"state", {{kind, state}}}}});
  }
  void SetRunning(const Json& pod) {
    SetPodStatus(
        pod,
        {{"phase", "Running"},
         {"containerStatuses",
          ContainerState("running", {{"startedAt", "2026-01-01T00:00:00Z"}})}});
  }
  void SetTerminated(const Json& pod, int code, const char* reason) {
    SetPodStatus(pod, {{"phase", code == 0 ? "Succeeded" : "Failed"},
                       {"containerStatuses",
                        ContainerState("terminated", {{"exitCode", code},
                                                      {"reason", reason}})}});
  }
  // What a kubelet does when the pod of a deletion has ended.
  void Confirm(const Json& pod) {
    Send("DELETE", PathOf(pod), {{"gracePeriodSeconds", 0}});
  }

 private:
  SystemClock clock_;
  ApiClient client_;
};

}  // namespace mete
