#include "config/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/settings_file.h"
#include "support/file.h"

namespace mete {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

EnvironmentLookup Environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](
             const std::string& name) -> std::optional<std::string> {
    auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

// A configuration file that exists for the duration of a test.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text)
      : folder_(*ScratchFolder::Create()), path_(folder_.path() / "c.yaml") {
    CHECK(WriteFileAtomically(path_, text).ok()) << "write " << path_;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder folder_;
  std::filesystem::path path_;
};

TEST(Settings, DefaultsFollowTheXdgFolders) {
  auto settings =
      Settings::Load({.environment = Environment({{"HOME", "/home/ada"}})});
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->Text("store"),
            "sqlite:/home/ada/.local/state/mete/mete.db");
  EXPECT_EQ(settings->Get("measure.until").origin, Origin::kDefault);
}

// Anybody could put a configuration into /tmp.
TEST(Settings, WithoutAHomeNothingIsReadFromASharedFolder) {
  EXPECT_EQ(DefaultSettingsFile(Environment({})), "/var/lib/mete/config.yaml");
  EXPECT_EQ(Settings::Load({.environment = Environment({})})->Text("state"),
            "/var/lib/mete");
}

TEST(Settings, TheStateFolderIsBelowTheXdgFolderByDefault) {
  auto state = [](std::map<std::string, std::string> variables) {
    return Settings::Load({.environment = Environment(std::move(variables))})
        ->Text("state");
  };
  EXPECT_EQ(state({{"HOME", "/home/ada"}}), "/home/ada/.local/state/mete");
  EXPECT_EQ(state({{"HOME", "/home/ada"}, {"XDG_STATE_HOME", "/var/x"}}),
            "/var/x/mete");
  // The XDG specification: a relative path is ignored.
  EXPECT_EQ(state({{"HOME", "/home/ada"}, {"XDG_STATE_HOME", "x"}}),
            "/home/ada/.local/state/mete");
}

TEST(Settings, TheStateFolderFollowsFileEnvironmentAndFlag) {
  ConfigFile file("state: /from/file\n");
  auto load = [&file](std::map<std::string, std::string> variables) {
    return *Settings::Load({.environment = Environment(std::move(variables)),
                            .file = file.path()});
  };
  Settings settings = load({{"XDG_STATE_HOME", "/xdg"}});
  EXPECT_EQ(StateFolder(settings), "/from/file");
  EXPECT_EQ(settings.Get("state").origin, Origin::kFile);
  settings = load({{"XDG_STATE_HOME", "/xdg"}, {"METE_STATE", "/from/env"}});
  EXPECT_EQ(StateFolder(settings), "/from/env");
  EXPECT_EQ(settings.Get("state").where, "METE_STATE");
  ASSERT_TRUE(settings.SetFlag("state", "/from/flag").ok());
  EXPECT_EQ(StateFolder(settings), "/from/flag");
}

TEST(Settings, TheDefaultStoreIsInTheStateFolder) {
  auto settings = Settings::Load(
      {.environment = Environment({{"METE_STATE", "/data/mete"}})});
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->Text("store"), "sqlite:/data/mete/mete.db");
  EXPECT_EQ(settings->Get("store").origin, Origin::kDefault);
  ASSERT_TRUE(settings->SetFlag("state", "/other").ok());
  EXPECT_EQ(settings->Text("store"), "sqlite:/other/mete.db");
}

TEST(Settings, AStoreElsewhereDoesNotMoveTheStateFolder) {
  auto settings = Settings::Load(
      {.environment = Environment({{"METE_STATE", "/data/mete"},
                                   {"METE_STORE", "sqlite:/fast/m.db"}})});
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->Text("store"), "sqlite:/fast/m.db");
  EXPECT_EQ(StateFolder(*settings), "/data/mete");
  ASSERT_TRUE(settings->SetFlag("store", "sqlite:here.db").ok());
  EXPECT_EQ(settings->Text("store"), "sqlite:here.db");
  EXPECT_EQ(StateFolder(*settings), "/data/mete");
}

TEST(Settings, AnEmptyStateFolderIsRejected) {
  ConfigFile file("state: ''\n");
  auto settings =
      Settings::Load({.environment = Environment({}), .file = file.path()});
  ASSERT_FALSE(settings.ok());
  EXPECT_THAT(settings.error().message(), HasSubstr("expected a folder"));
}

TEST(Settings, TheEnvironmentBeatsTheFileAndAFlagBeatsBoth) {
  ConfigFile file("output: csv\nmeasure:\n  until: 5%\n  threads: 3\n");
  auto settings = Settings::Load(
      {.environment = Environment({{"METE_MEASURE_UNTIL", "4%"}}),
       .file = file.path()});
  ASSERT_TRUE(settings.ok()) << settings.error().message();
  EXPECT_EQ(settings->Text("output"), "csv");
  EXPECT_EQ(settings->Text("measure.threads"), "3");
  EXPECT_EQ(settings->Text("measure.until"), "4%");
  ASSERT_TRUE(settings->SetFlag("measure.until", "1%").ok());
  EXPECT_EQ(settings->Text("measure.until"), "1%");
  EXPECT_EQ(settings->Get("measure.until").origin, Origin::kFlag);
}

TEST(Settings, NameTheLineOfTheFileThatSetsAValue) {
  ConfigFile file("\noutput: json\n");
  auto settings =
      Settings::Load({.environment = Environment({}), .file = file.path()});
  ASSERT_TRUE(settings.ok());
  EXPECT_THAT(settings->Get("output").where, EndsWith("c.yaml:2"));
}

TEST(Settings, SuggestTheNearestKeyForAnUnknownOne) {
  ConfigFile file("measure:\n  untill: 5%\n");
  auto settings =
      Settings::Load({.environment = Environment({}), .file = file.path()});
  ASSERT_FALSE(settings.ok());
  EXPECT_THAT(settings.error().message(),
              HasSubstr("c.yaml:2: unknown key 'measure.untill'; did you mean "
                        "'measure.until'?"));
}

TEST(Settings, RejectAWrongUnitFromAnySource) {
  auto settings = Settings::Load(
      {.environment = Environment({{"METE_MEASURE_MAX_DURATION", "10"}})});
  ASSERT_FALSE(settings.ok());
  EXPECT_EQ(settings.error().message(),
            "METE_MEASURE_MAX_DURATION: '10' has no unit; did you mean 10s?");
}

TEST(Settings, RequireAFileForAStore) {
  for (const char* value :
       {"store: ''", "store: 'sqlite:'", "store: mete.db"}) {
    ConfigFile file(value);
    auto settings =
        Settings::Load({.environment = Environment({}), .file = file.path()});
    ASSERT_FALSE(settings.ok()) << value;
    EXPECT_THAT(settings.error().message(),
                HasSubstr("write it like sqlite:/path/mete.db"));
  }
}

TEST(Settings, ReportBrokenYamlInOneLineWithItsLocation) {
  ConfigFile file("output: [\n");
  auto settings =
      Settings::Load({.environment = Environment({}), .file = file.path()});
  ASSERT_FALSE(settings.ok());
  EXPECT_THAT(settings.error().message(), HasSubstr("c.yaml:"));
  EXPECT_EQ(settings.error().message().find('\n'), std::string::npos);
}

TEST(Settings, SuggestTheNearestNameForAnUnknownVariable) {
  EXPECT_THAT(
      UnknownVariables({"HOME", "METE_STORE", "METE_OUTPTU", "METE_TEST_X"}),
      testing::ElementsAre("unknown environment variable METE_OUTPTU; did "
                           "you mean 'METE_OUTPUT'?"));
}

TEST(Settings, AcceptPeppersVariableForPrometheus) {
  auto settings = Settings::Load(
      {.environment = Environment({{"PROMETHEUS_IP", "10.0.0.2:9090"}})});
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->Text("prometheus.url"), "http://10.0.0.2:9090");
  EXPECT_EQ(settings->Get("prometheus.url").where, "PROMETHEUS_IP");
  settings = Settings::Load(
      {.environment = Environment({{"PROMETHEUS_IP", "10.0.0.2:9090"},
                                   {"METE_PROMETHEUS", "https://own"}})});
  EXPECT_EQ(settings->Text("prometheus.url"), "https://own");
}

TEST(Settings, RequireAFileTheUserNamed) {
  EXPECT_FALSE(Settings::Load({.environment = Environment({}),
                               .file = "/nonexistent/c.yaml"})
                   .ok());
}

}  // namespace
}  // namespace mete
