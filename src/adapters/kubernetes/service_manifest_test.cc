#include "adapters/kubernetes/service_manifest.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

ClusterServiceOrder MakeOrder() {
  return {.name = "web",
          .image = "app:1",
          .arguments = {"service", "$(X)"},
          .port = 9000,
          .ready_path = "/ready",
          .node = "edge-1",
          .instances = 3,
          .limits = {.memory = Mebibytes(1), .cpus = Millicores{250}},
          .labels = {{"mete.dev/plan", "p"}}};
}

TEST(ServiceManifest, TheDeploymentHasTheOrder) {
  const Json json = DeploymentManifest(MakeOrder());
  const Json& pod = json["spec"]["template"]["spec"];
  const Json& container = pod["containers"][0];
  EXPECT_EQ(json["metadata"]["labels"]["app.kubernetes.io/managed-by"], "mete");
  EXPECT_EQ(json["metadata"]["labels"]["mete.dev/plan"], "p");
  EXPECT_EQ(json["spec"]["replicas"], 3);
  EXPECT_EQ(json["spec"]["template"]["metadata"]["labels"],
            json["metadata"]["labels"]);
  EXPECT_EQ(container["args"], (Json{"service", "$$(X)"}));
  EXPECT_EQ(container["resources"]["limits"],
            (Json{{"cpu", "250m"}, {"memory", "1048576"}}));
  EXPECT_EQ(container["resources"]["requests"],
            container["resources"]["limits"]);
  EXPECT_EQ(container["readinessProbe"]["httpGet"]["path"], "/ready");
  EXPECT_EQ(pod["affinity"]["nodeAffinity"]
               ["requiredDuringSchedulingIgnoredDuringExecution"]
               ["nodeSelectorTerms"][0]["matchFields"][0]["values"],
            Json::array({"edge-1"}));
}

TEST(ServiceManifest, WithoutANodeTheSchedulerDecides) {
  ClusterServiceOrder order = MakeOrder();
  order.node.clear();
  order.ready_path.clear();
  const Json json = DeploymentManifest(order)["spec"]["template"]["spec"];
  EXPECT_FALSE(json.contains("affinity"));
  EXPECT_FALSE(json["containers"][0].contains("readinessProbe"));
}

TEST(ServiceManifest, TheServiceSelectsThePodsOfTheDeployment) {
  const Json service = ServiceManifest(MakeOrder());
  const Json deployment = DeploymentManifest(MakeOrder());
  EXPECT_EQ(service["spec"]["selector"],
            deployment["spec"]["selector"]["matchLabels"]);
  EXPECT_EQ(service["spec"]["ports"][0]["port"], 9000);
}

TEST(ServiceManifest, LimitsThatPodsDoNotHaveAreRefused) {
  ClusterServiceOrder order = MakeOrder();
  EXPECT_TRUE(CheckServiceOrder(order).ok());
  order.limits.processes = 5;
  EXPECT_EQ(CheckServiceOrder(order).error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace mete
