#include "cli/serve_command.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "cli/test_command.h"
#include "support/file.h"
#include "tests/fakes/any_graph_reader.h"
#include "tests/fakes/certificates.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/fixed_nodes.h"
#include "tests/fakes/memory_job_store.h"
#include "tests/fakes/memory_run_store.h"
#include "tests/integration/daemon.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Runs `mete serve` with fakes. The worker ends at once because it cannot open
// its store.
struct ServeCommandStage {
  SystemClock clock;
  FakeHost host;
  MemoryJobStore jobs;
  MemoryRunStore runs;
  FixedNodes nodes;
  AnyGraphReader reader;
  ScratchFolder scratch = ScratchFolder::Create().value();
  std::optional<ControllerRequest> controlled;

  std::string Socket() const {
    return "unix://" + (scratch.path() / "s").string();
  }
  std::string WriteWebConfig(const std::string& client_auth) const {
    Identity identity("IP:127.0.0.1");
    identity.WriteCertificate(scratch.path() / "a.crt");
    identity.WriteKey(scratch.path() / "a.key");
    std::string file = (scratch.path() / "web.yml").string();
    EXPECT_TRUE(
        WriteFileAtomically(file,
                            "tls_server_config: {cert_file: a.crt, key_file: "
                            "a.key, client_ca_file: a.crt, client_auth_type: " +
                                client_auth + "}\n")
            .ok());
    return file;
  }
  CommandRun Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "serve");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddServeCommand(root, verbs, [&]() -> Result<ServeDependencies> {
        return ServeDependencies{
            .jobs = jobs,
            .runs = runs,
            .host = host,
            .clock = clock,
            .nodes = nodes,
            .reader = reader,
            .read_predictors = []() -> Result<PredictorSet> {
              return Unavailable("no predictor yet");
            },
            .draw_entropy = [] { return RunEntropy{}; },
            .worker = []() -> Result<WorkOffDependencies> {
              return Unavailable("the store of the worker is locked");
            },
            .open_controller = [&](ControllerRequest request)
                -> Result<std::unique_ptr<Controller>> {
              controlled = std::move(request);
              return Unavailable("another controller has the audit log");
            },
            .state_folder = scratch.path()};
      });
    });
  }
};

TEST(ServeCommand, ListensAndPrintsHowToAuthenticate) {
  ServeCommandStage stage;
  CommandRun end = stage.Run({"--listen", Here(FreePort())});
  std::string token = (stage.scratch.path() / "serve-token").string();
  EXPECT_THAT(end.err, HasSubstr("clients must send the token in " + token));
  EXPECT_THAT(end.err, HasSubstr("listening on "));
  EXPECT_THAT(end.err,
              HasSubstr("predictions are unavailable: no predictor yet"));
  EXPECT_TRUE(std::filesystem::exists(token));
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.err, HasSubstr("mete: the store of the worker is locked\n"));
}

TEST(ServeCommand, APortThatCannotBeOpenedIsTheOnlyMessage) {
  ServeCommandStage stage;
  CommandRun end = stage.Run({"--listen", "192.0.2.1:7001", "--insecure"});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.err, StartsWith("mete: "));
  EXPECT_THAT(end.err, Not(HasSubstr("token")));
}

TEST(ServeCommand, BeyondThisMachineTheOperatorMustChoose) {
  ServeCommandStage stage;
  const std::string everywhere = "0.0.0.0:" + std::to_string(FreePort());
  CommandRun end = stage.Run({"--listen", everywhere});
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(std::ranges::count(end.err, '\n'), 1) << end.err;
  EXPECT_THAT(end.err, StartsWith("mete serve: --listen " + everywhere));
  for (const char* way : {"--token-file", "--web-config", "--insecure"}) {
    EXPECT_THAT(end.err, HasSubstr(way));
  }
  EXPECT_THAT(stage.Run({"--listen", everywhere, "--insecure"}).err,
              HasSubstr("listening on "));
}

TEST(ServeCommand, ATokenFileAllowsOtherMachines) {
  ServeCommandStage stage;
  const std::string file = (stage.scratch.path() / "token").string();
  ASSERT_TRUE(WriteFileAtomically(file, "secret\n").ok());
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  CommandRun end =
      stage.Run({"--listen", "0.0.0.0:" + std::to_string(FreePort()),
                 "--token-file", file});
  EXPECT_THAT(end.err, HasSubstr("listening on "));
  EXPECT_THAT(end.err, HasSubstr("not encrypted"));
}

TEST(ServeCommand, RequiredCertificatesReplaceTheToken) {
  ServeCommandStage stage;
  const std::string listen = "0.0.0.0:" + std::to_string(FreePort());
  const std::string web = stage.WriteWebConfig("NoClientCert");
  EXPECT_EQ(stage.Run({"--listen", listen, "--web-config", web}).code, 2);
  stage.WriteWebConfig("RequireAndVerifyClientCert");
  CommandRun end = stage.Run({"--listen", listen, "--web-config", web});
  EXPECT_THAT(end.err, HasSubstr("listening on https://" + listen));
  EXPECT_THAT(end.err, Not(HasSubstr("not encrypted")));
  EXPECT_FALSE(std::filesystem::exists(stage.scratch.path() / "serve-token"));
}

TEST(ServeCommand, AnInvalidWebConfigurationIsAUsageError) {
  ServeCommandStage stage;
  const std::string web = (stage.scratch.path() / "web.yml").string();
  ASSERT_TRUE(WriteFileAtomically(web, "tls: {}\n").ok());
  CommandRun end = stage.Run({"--listen", stage.Socket(), "--web-config", web});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.err, StartsWith("mete serve: --web-config: " + web + ":1"));
}

TEST(ServeCommand, AnUnusableTokenFileIsAUsageError) {
  ServeCommandStage stage;
  for (const char* file : {"/dev/zero", "/no/such/file"}) {
    CommandRun end =
        stage.Run({"--listen", stage.Socket(), "--token-file", file});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.err, StartsWith("mete serve: --token-file: "));
  }
}

TEST(ServeCommand, AnUnusableJobUserIsAUsageError) {
  ServeCommandStage stage;
  for (const char* user : {"no-such-user-here", "root"}) {
    CommandRun end =
        stage.Run({"--listen", stage.Socket(), "--job-user", user});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.err, StartsWith("mete serve: --job-user: "));
    EXPECT_EQ(std::ranges::count(end.err, '\n'), 1) << end.err;
  }
  EXPECT_EQ(stage.Run({"--job-user", "nobody", "--no-worker"}).code, 2);
}

TEST(ServeCommand, AUnixSocketNeedsNoToken) {
  ServeCommandStage stage;
  stage.Run({"--listen", stage.Socket()});
  EXPECT_FALSE(std::filesystem::exists(stage.scratch.path() / "serve-token"));
}

TEST(ServeCommand, AControllerIsADryRunByDefault) {
  ServeCommandStage stage;
  std::string rules = (stage.scratch.path() / "slo.yaml").string();
  ASSERT_TRUE(
      WriteFileAtomically(rules,
                          "agents: [http://127.0.0.1:9100]\n"
                          "rules:\n"
                          "  - name: hot\n"
                          "    series: mete_device_temperature_celsius\n"
                          "    below: 80\n"
                          "    actions: [log]\n")
          .ok());
  CommandRun end = stage.Run({"--listen", stage.Socket(), "--control", rules});
  ASSERT_TRUE(stage.controlled.has_value()) << end.err;
  EXPECT_FALSE(stage.controlled->act);
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.err,
              HasSubstr("control: another controller has the audit log"));
  stage.Run({"--listen", stage.Socket(), "--control", rules, "--control-act"});
  EXPECT_TRUE(stage.controlled->act);
}

}  // namespace
}  // namespace mete
