#include "doctor/service_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "doctor/doctor_test_machine.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

class ServiceFindings : public MadeUpMachine {
 protected:
  VariableLookup environment = [this](const std::string& name) {
    return Variable(name);
  };
};

TEST_F(ServiceFindings, ReportMissingDocker) {
  Finding finding = FindDocker(root, environment, probes);
  EXPECT_EQ(finding.state, FindingState::kMissing);
  EXPECT_EQ(finding.seen, "no /var/run/docker.sock");
  EXPECT_THAT(finding.advice, HasSubstr("install docker.io"));
}

TEST_F(ServiceFindings, ReportDockerThatAnswers) {
  Put("/var/run/docker.sock");
  probes.http = HttpAnswer{200, "OK"};
  EXPECT_EQ(FindDocker(root, environment, probes).seen,
            "/var/run/docker.sock answers");
  EXPECT_EQ(probes.asked, "docker.sock/_ping");
}

TEST_F(ServiceFindings, SayHowToGetAccessToDocker) {
  Put("/var/run/docker.sock");
  probes.http =
      Error(ErrorCode::kPermissionDenied, "connect: permission denied");
  Finding finding = FindDocker(root, environment, probes);
  EXPECT_EQ(finding.state, FindingState::kLimited);
  EXPECT_THAT(finding.advice, HasSubstr("group docker"));
}

TEST_F(ServiceFindings, FollowDockerHost) {
  probes.http = HttpAnswer{200, "OK"};
  variables["DOCKER_HOST"] = "unix:///run/other.sock";
  EXPECT_EQ(FindDocker(root, environment, probes).state, FindingState::kOk);
  EXPECT_EQ(probes.asked, "other.sock/_ping");
  variables["DOCKER_HOST"] = "tcp://10.0.0.7:2376";
  EXPECT_EQ(FindDocker(root, environment, probes).seen,
            "10.0.0.7:2376 answers");
  EXPECT_EQ(probes.asked, "10.0.0.7:2376/_ping");
}

TEST_F(ServiceFindings, ReportAnUnsupportedDockerHost) {
  variables["DOCKER_HOST"] = "ssh://me@box";
  EXPECT_EQ(FindDocker(root, environment, probes).state,
            FindingState::kLimited);
}

TEST_F(ServiceFindings, ReportAnEngineThatAnswersWithAnError) {
  Put("/var/run/docker.sock");
  probes.http = HttpAnswer{500, ""};
  EXPECT_EQ(FindDocker(root, environment, probes).seen,
            "/var/run/docker.sock answers with status 500");
}

TEST_F(ServiceFindings, PreferTheUsersOwnPodman) {
  variables["XDG_RUNTIME_DIR"] = "/run/user/1000";
  Put("/run/podman/podman.sock");
  Put("/run/user/1000/podman/podman.sock");
  probes.http = HttpAnswer{200, "OK"};
  EXPECT_EQ(FindPodman(root, environment, probes).seen,
            "/run/user/1000/podman/podman.sock answers");
}

TEST_F(ServiceFindings, FallBackToTheSystemsPodman) {
  variables["XDG_RUNTIME_DIR"] = "/run/user/1000";
  Put("/run/podman/podman.sock");
  probes.http = HttpAnswer{200, "OK"};
  EXPECT_EQ(FindPodman(root, environment, probes).seen,
            "/run/podman/podman.sock answers");
}

TEST_F(ServiceFindings, LookForPrometheusNearby) {
  Finding finding = FindPrometheus(environment, probes);
  EXPECT_EQ(finding.state, FindingState::kMissing);
  EXPECT_EQ(finding.seen, "connect to it: connection refused");
  EXPECT_EQ(probes.asked, "localhost:9090/-/ready");
}

TEST_F(ServiceFindings, PreferMetesOwnVariableForPrometheus) {
  variables["PROMETHEUS_URL"] = "http://one:1234";
  variables["METE_PROMETHEUS"] = "http://two:8427/prom/";
  probes.http = HttpAnswer{200, ""};
  Finding finding = FindPrometheus(environment, probes);
  EXPECT_EQ(finding.state, FindingState::kOk);
  EXPECT_EQ(finding.advice, "");
  EXPECT_EQ(probes.asked, "two:8427/prom/-/ready");
}

TEST_F(ServiceFindings, ReportAPrometheusThatIsStarting) {
  probes.http = HttpAnswer{503, ""};
  EXPECT_EQ(FindPrometheus(environment, probes).state, FindingState::kLimited);
}

TEST_F(ServiceFindings, OnlyConnectToPrometheusOverTls) {
  variables["PROMETHEUS_URL"] = "https://metrics.example";
  probes.connected = {};
  Finding finding = FindPrometheus(environment, probes);
  EXPECT_EQ(finding.state, FindingState::kLimited);
  EXPECT_EQ(probes.asked, "metrics.example:443");
}

TEST_F(ServiceFindings, DoNotPrintPasswords) {
  variables["PROMETHEUS_URL"] = "http://me:secret@metrics:9090";
  EXPECT_THAT(FindPrometheus(environment, probes).seen,
              Not(HasSubstr("secret")));
  variables["PROMETHEUS_URL"] = "http://me:secret@metrics:none";
  EXPECT_THAT(FindPrometheus(environment, probes).seen,
              Not(HasSubstr("secret")));
}

TEST_F(ServiceFindings, FindTheFirstKubeconfigThatExists) {
  Put("/b/config");
  variables["KUBECONFIG"] = "/a/config:/b/config";
  Finding finding = FindKubernetes(root, environment);
  EXPECT_EQ(finding.state, FindingState::kOk);
  EXPECT_EQ(finding.seen, "kubeconfig /b/config");
}

TEST_F(ServiceFindings, FindTheDefaultKubeconfig) {
  Put("/home/me/.kube/config");
  variables["HOME"] = "/home/me";
  EXPECT_EQ(FindKubernetes(root, environment).state, FindingState::kOk);
}

TEST_F(ServiceFindings, ReportAPodWithItsServiceAccount) {
  Put("/var/run/secrets/kubernetes.io/serviceaccount/token");
  variables["KUBERNETES_SERVICE_HOST"] = "10.96.0.1";
  EXPECT_EQ(FindKubernetes(root, environment).seen,
            "inside a cluster, with a service account");
}

TEST_F(ServiceFindings, ReportNoKubernetesOnASingleMachine) {
  variables["HOME"] = "/home/me";
  Finding finding = FindKubernetes(root, environment);
  EXPECT_EQ(finding.state, FindingState::kMissing);
  EXPECT_EQ(finding.seen, "no kubeconfig at /home/me/.kube/config");
}

TEST(ServiceUrlTest, ReadsHostPortAndPath) {
  auto url = ParseServiceUrl("http://[::1]:9091/prom", 9090);
  ASSERT_TRUE(url.has_value());
  EXPECT_EQ(url->address.host, "::1");
  EXPECT_EQ(url->address.port, 9091);
  EXPECT_EQ(url->path, "/prom");
  EXPECT_EQ(ParseServiceUrl("box", 9090)->address.port, 9090);
  EXPECT_EQ(ParseServiceUrl("https://box", 9090)->address.port, 443);
}

TEST(ServiceUrlTest, RejectsInvalidAddresses) {
  EXPECT_FALSE(ParseServiceUrl("", 9090).has_value());
  EXPECT_FALSE(ParseServiceUrl("http://", 9090).has_value());
  EXPECT_FALSE(ParseServiceUrl("box:0", 9090).has_value());
  EXPECT_FALSE(ParseServiceUrl("box:99999", 9090).has_value());
}

}  // namespace
}  // namespace mete
