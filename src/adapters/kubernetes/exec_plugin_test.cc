#include "adapters/kubernetes/exec_plugin.h"

#include <gtest/gtest.h>

#include "adapters/kubernetes/credentials.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

constexpr const char* kV1 = "client.authentication.k8s.io/v1";

// A script that appends a line to a file and prints a token.
class ExecPluginTest : public testing::Test {
 protected:
  ClusterAccess Access(const std::string& script) {
    ClusterAccess access{.origin = "test"};
    access.user.exec =
        KubeExec{.api_version = kV1,
                 .command = "/bin/sh",
                 .arguments = {"-c", "echo ran >>" + Ran() + "; " + script},
                 .environment = {{"WORD", "t0ken"}}};
    return access;
  }
  std::string Ran() { return (folder_.path() / "ran").string(); }
  static std::string Credential(const std::string& rest) {
    return std::string(R"({"apiVersion":")") + kV1 +
           R"(","kind":"ExecCredential","status":{)" + rest + "}}";
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  SystemClock clock_;
};

TEST_F(ExecPluginTest, UsesTheTokenThatItPrints) {
  ClusterAccess access = Access(
      "echo \"{\\\"apiVersion\\\":\\\"client.authentication.k8s.io/v1\\\","
      "\\\"kind\\\":\\\"ExecCredential\\\",\\\"status\\\":{\\\"token\\\":"
      "\\\"$WORD\\\"}}\"");
  Credentials credentials(access, clock_);
  auto login = credentials.Current({});
  ASSERT_TRUE(login.ok()) << login.error().message();
  EXPECT_EQ(login->authorization, "Bearer t0ken");
  ASSERT_TRUE(credentials.Current({}).ok());
  EXPECT_EQ(*ReadFile(Ran()), "ran\n") << "it ran again";
  credentials.Forget();
  ASSERT_TRUE(credentials.Current({}).ok());
  EXPECT_EQ(*ReadFile(Ran()), "ran\nran\n");
}

TEST_F(ExecPluginTest, ReportsItsOwnWordsWhenItFails) {
  auto made =
      RunExecPlugin(Access("echo log in first >&2; exit 1"), clock_, {});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_NE(made.error().message().find("log in first"), std::string::npos);
}

TEST_F(ExecPluginTest, AMissingProgramIsNotFoundWithTheHint) {
  ClusterAccess access = Access("");
  access.user.exec->command = "/no/such/plugin";
  access.user.exec->install_hint = "apt install it";
  auto made = RunExecPlugin(access, clock_, {});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code(), ErrorCode::kNotFound);
  EXPECT_NE(made.error().message().find("apt install it"), std::string::npos);
}

TEST_F(ExecPluginTest, ReadsCertificatesAndTheirExpiry) {
  auto made = ParseExecCredential(
      Credential(R"("clientCertificateData":"C","clientKeyData":"K",
                    "expirationTimestamp":"2026-01-02T03:04:05Z")"),
      kV1);
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->certificate_pem, "C");
  ASSERT_TRUE(made->expires.has_value());
  EXPECT_EQ(FormatUtc(*made->expires), "2026-01-02T03:04:05Z");
}

TEST_F(ExecPluginTest, RejectsAnotherVersionAndHalfACertificate) {
  EXPECT_FALSE(ParseExecCredential(Credential(R"("token":"x")"),
                                   "client.authentication.k8s.io/v1beta1")
                   .ok());
  EXPECT_FALSE(
      ParseExecCredential(Credential(R"("clientKeyData":"K")"), kV1).ok());
  EXPECT_FALSE(ParseExecCredential(Credential(""), kV1).ok());
}

TEST_F(ExecPluginTest, TokenFilesAreReadAgainAfterAMinute) {
  FakeClock clock;
  ClusterAccess access{.origin = "test"};
  access.user.token_file = folder_.path() / "token";
  ASSERT_TRUE(WriteFileAtomically(access.user.token_file, "one\n").ok());
  Credentials credentials(access, clock);
  EXPECT_EQ(credentials.Current({})->authorization, "Bearer one");
  ASSERT_TRUE(WriteFileAtomically(access.user.token_file, "two\n").ok());
  clock.Advance(std::chrono::seconds(59));
  EXPECT_EQ(credentials.Current({})->authorization, "Bearer one");
  clock.Advance(std::chrono::seconds(2));
  EXPECT_EQ(credentials.Current({})->authorization, "Bearer two");
}

}  // namespace
}  // namespace mete
