#include "adapters/kubernetes/service_status.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

// A Deployment with two instances, in the state given as JSON.
Json DeploymentWith(const char* status) {
  auto json = ParseJson(
      std::string(
          R"({"metadata":{"name":"web","namespace":"ml","generation":2,)"
          R"("labels":{"a":"b"}},"spec":{"replicas":2,"template":{"spec":)"
          R"({"containers":[{"name":"app","image":"app:1",)"
          R"("ports":[{"containerPort":8000}]}]}}},"status":)") +
      status + "}");
  EXPECT_TRUE(json.ok()) << json.error().message();
  return *json;
}

Json PodWith(const char* status) {
  auto json = ParseJson(
      std::string(R"({"metadata":{"name":"web-1"},"spec":{"nodeName":"n1"},)"
                  R"("status":)") +
      status + "}");
  EXPECT_TRUE(json.ok()) << json.error().message();
  return *json;
}

constexpr const char* kFinished =
    R"({"observedGeneration":2,"replicas":2,"updatedReplicas":2,)"
    R"("availableReplicas":2})";

ClusterServiceStatus Read(const Json& deployment,
                          const std::vector<Json>& pods = {}) {
  auto status = ReadServiceStatus(deployment, pods);
  EXPECT_TRUE(status.ok()) << status.error().message();
  return status.ok() ? *status : ClusterServiceStatus();
}

TEST(ServiceStatus, HasWhatTheDeploymentSays) {
  ClusterServiceStatus status = Read(DeploymentWith(kFinished));
  EXPECT_EQ(status.name, "web");
  EXPECT_EQ(status.url, "http://web.ml.svc:8000");
  EXPECT_EQ(status.image, "app:1");
  EXPECT_EQ(status.labels, (LabelMap{{"a", "b"}}));
  EXPECT_TRUE(status.Available());
  EXPECT_FALSE(status.problem.has_value());
}

TEST(ServiceStatus, AnOrderThatWasNotSeenYetIsNotAvailable) {
  EXPECT_FALSE(
      Read(DeploymentWith(
               R"({"observedGeneration":1,"replicas":2,"updatedReplicas":2,)"
               R"("availableReplicas":2})"))
          .Available());
  EXPECT_FALSE(Read(DeploymentWith("{}")).Available());
}

TEST(ServiceStatus, InstancesOfAnEarlierOrderDoNotCount) {
  EXPECT_FALSE(
      Read(DeploymentWith(
               R"({"observedGeneration":2,"replicas":2,"updatedReplicas":1,)"
               R"("availableReplicas":2})"))
          .Available());
  EXPECT_FALSE(
      Read(DeploymentWith(
               R"({"observedGeneration":2,"replicas":3,"updatedReplicas":2,)"
               R"("availableReplicas":2})"))
          .Available());
}

TEST(ServiceStatus, HasTheInstances) {
  ClusterServiceStatus status =
      Read(DeploymentWith(kFinished),
           {PodWith(R"({"phase":"Running","podIP":"10.0.0.7","conditions":)"
                    R"([{"type":"Ready","status":"True"}]})")});
  ASSERT_EQ(status.pods.size(), 1u);
  EXPECT_EQ(status.pods[0].node, "n1");
  EXPECT_EQ(status.pods[0].address, "10.0.0.7");
  EXPECT_TRUE(status.pods[0].ready);
}

TEST(ServiceStatus, InstancesThatAreEndingAreLeftOut) {
  Json pod = PodWith(R"({"phase":"Running"})");
  pod["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_TRUE(Read(DeploymentWith(kFinished), {pod}).pods.empty());
}

TEST(ServiceStatus, HasTheSchedulersWords) {
  ClusterServiceStatus status = Read(
      DeploymentWith("{}"),
      {PodWith(R"({"phase":"Pending","conditions":[{"type":"PodScheduled",)"
               R"("status":"False","reason":"Unschedulable",)"
               R"("message":"0/3 nodes"}]})")});
  ASSERT_TRUE(status.problem.has_value());
  EXPECT_EQ(status.problem->code(), ErrorCode::kUnsupported);
  EXPECT_EQ(status.problem->message(), "pod web-1: no node fits: 0/3 nodes");
}

TEST(ServiceStatus, AMissingImageIsNotFound) {
  ClusterServiceStatus status =
      Read(DeploymentWith("{}"),
           {PodWith(R"({"phase":"Pending","containerStatuses":[{"name":"app",)"
                    R"("state":{"waiting":{"reason":"ImagePullBackOff",)"
                    R"("message":"back-off"}}}]})")});
  ASSERT_TRUE(status.problem.has_value());
  EXPECT_EQ(status.problem->code(), ErrorCode::kNotFound);
}

TEST(ServiceStatus, AProgramThatEndsIsReportedWithItsExitCode) {
  ClusterServiceStatus status =
      Read(DeploymentWith("{}"),
           {PodWith(R"({"phase":"Running","containerStatuses":[{"name":"app",)"
                    R"("state":{"waiting":{"reason":"CrashLoopBackOff"}},)"
                    R"("lastState":{"terminated":{"exitCode":137,)"
                    R"("reason":"OOMKilled"}}}]})")});
  ASSERT_TRUE(status.problem.has_value());
  EXPECT_EQ(status.problem->code(), ErrorCode::kUnavailable);
  EXPECT_EQ(status.problem->message(),
            "pod web-1: the service ends by itself: exit code 137 (OOMKilled)");
}

TEST(ServiceStatus, AnExceededQuotaIsAProblem) {
  ClusterServiceStatus status = Read(DeploymentWith(
      R"({"conditions":[{"type":"ReplicaFailure","status":"True",)"
      R"("message":"exceeded quota"}]})"));
  ASSERT_TRUE(status.problem.has_value());
  EXPECT_EQ(status.problem->message(), "exceeded quota");
}

TEST(ServiceStatus, RejectsWhatIsNotADeployment) {
  EXPECT_EQ(ReadServiceStatus(Json::array(), {}).error().code(),
            ErrorCode::kCorrupt);
  EXPECT_EQ(ReadServiceStatus(Json{{"metadata", 3}}, {}).error().code(),
            ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace mete
