// The command line as a whole: help, usage errors, completion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/main.h"
#include "cli/verb.h"
#include "flags/completion.h"
#include "measure/session_spec.h"
#include "wiring/commands.h"

namespace mete {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

struct Said {
  int code = 0;
  std::string out;
  std::string err;
};

// The outside of a test that must not need any: asking for a part is a bug.
class NoServices final : public Services {
 public:
  Clock& TheClock() override { return Refuse<Clock&>(); }
  Host& ThisHost() override { return Refuse<Host&>(); }
  SystemProbes& Probes() override { return Refuse<SystemProbes&>(); }
  GraphReader& Reader() override { return Refuse<GraphReader&>(); }
  GraphWriter& Writer() override { return Refuse<GraphWriter&>(); }
  ImageReader& Images() override { return Refuse<ImageReader&>(); }
  PlotRenderer& Plots() override { return Refuse<PlotRenderer&>(); }
  Result<Engine*> TheEngine() override { return Refuse<Result<Engine*>>(); }
  Result<RunStore*> Store() override { return Refuse<Result<RunStore*>>(); }
  Result<NodeSource*> Nodes() override { return Refuse<Result<NodeSource*>>(); }
  Result<std::shared_ptr<const TreePredictor>> TrainedPredictor() override {
    return Refuse<Result<std::shared_ptr<const TreePredictor>>>();
  }
  std::filesystem::path PredictorsFolder() override {
    return Refuse<std::filesystem::path>();
  }
  Result<PredictorSet> Predictors() override {
    return Refuse<Result<PredictorSet>>();
  }
  Result<JobStore*> Jobs() override { return Refuse<Result<JobStore*>>(); }
  Result<SweepStore*> Sweeps() override {
    return Refuse<Result<SweepStore*>>();
  }
  Result<Launcher*> Processes() override { return Refuse<Result<Launcher*>>(); }
  WorkbenchMaker& Benches() override { return Refuse<WorkbenchMaker&>(); }
  Result<ContainerEngine*> Containers() override {
    return Refuse<Result<ContainerEngine*>>();
  }
  std::unique_ptr<MachineProbe> NewMachineProbe() override {
    return Refuse<std::unique_ptr<MachineProbe>>();
  }
  Result<std::unique_ptr<AppListener>> Listen(const ListenRequest&,
                                              AppEventSink&) override {
    return Refuse<Result<std::unique_ptr<AppListener>>>();
  }
  Result<std::unique_ptr<SeriesSource>> AgentSeriesAt(
      const std::string&) override {
    return Refuse<Result<std::unique_ptr<SeriesSource>>>();
  }
  Result<std::unique_ptr<SeriesSource>> PrometheusSeriesAt(
      const std::string&) override {
    return Refuse<Result<std::unique_ptr<SeriesSource>>>();
  }
  std::unique_ptr<Actuator> NewActuator() override {
    return Refuse<std::unique_ptr<Actuator>>();
  }
  std::unique_ptr<Notifier> NewNotifier() override {
    return Refuse<std::unique_ptr<Notifier>>();
  }
  std::filesystem::path RunsFolder() override {
    return Refuse<std::filesystem::path>();
  }

 private:
  template <typename Part>
  [[noreturn]] static Part Refuse() {
    CHECK(false) << "a part of the outside was asked for";
    std::abort();
  }
};

// Runs words that need no part of the outside.
Said Say(std::vector<const char*> words) {
  words.insert(words.begin(), "mete");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Said said;
  std::unique_ptr<Services> none = std::make_unique<NoServices>();
  said.code = Main(
      static_cast<int>(words.size()), words.data(),
      {.environment = [](const std::string&) { return std::nullopt; },
       .add_verbs = [&none](Command root) { return AddVerbs(root, none); },
       .configure = [&none](const Settings&) -> Services& { return *none; }});
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

// Every command of the program, hidden ones too.
std::vector<std::vector<std::string>> AllCommands() {
  std::unique_ptr<Services> none = std::make_unique<NoServices>();
  CommandLine line({.name = "mete"});
  Verbs verbs = AddVerbs(line.root(), none);
  return line.Paths();
}

std::string HelpFor(const std::vector<std::string>& command) {
  std::vector<const char*> arguments;
  for (const std::string& word : command) arguments.push_back(word.c_str());
  arguments.push_back("--help");
  Said said = Say(arguments);
  EXPECT_EQ(said.code, 0);
  return said.out;
}

TEST(Help, OfEveryCommandHasAnExampleThatNamesIt) {
  for (const auto& command : AllCommands()) {
    std::string help = HelpFor(command);
    EXPECT_THAT(help, HasSubstr("Example:\n  "));
    std::string first = command.empty() ? "" : " " + command.front();
    EXPECT_THAT(help.substr(help.find("Example:\n")),
                HasSubstr("mete" + first));
  }
}

TEST(Help, OfEveryCommandFitsEightyColumns) {
  EXPECT_THAT(AllCommands(), testing::Contains(testing::ElementsAre("serve")));
  for (const auto& command : AllCommands()) {
    std::istringstream lines(HelpFor(command));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80u) << line;
    }
  }
}

TEST(Help, OfEveryCommandIsFreeOfTypeNames) {
  for (const auto& command : AllCommands()) {
    std::string help = HelpFor(command);
    for (const char* type : {"TEXT", "UINT", "INT", "FLOAT", "Excludes:"}) {
      EXPECT_THAT(help, Not(HasSubstr(type)));
    }
  }
}

TEST(Verbs, AnUnknownFlagGetsTheNearestValidSpelling) {
  Said said = Say({"measure", "net.onnx", "--iteration", "5"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "mete: mete measure: unknown flag '--iteration'; did you mean "
            "'--iterations'?\n");
}

TEST(Verbs, AnUnknownVerbGetsTheNearestValidSpelling) {
  Said said = Say({"mesure", "net.onnx"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "mete: unknown verb 'mete mesure'; did you mean 'measure'?\n");
}

TEST(Verbs, AnUnknownSubcommandGetsTheNearestValidSpelling) {
  Said said = Say({"zoo", "bild", "nets"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "mete: unknown verb 'mete zoo bild'; did you mean 'build'?\n");
}

TEST(Verbs, ANegativeSeedIsAUsageError) {
  Said said = Say({"measure", "net.onnx", "--seed", "-1"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("'-1' is not a whole number"));
}

TEST(Verbs, AWrongUnitIsAUsageErrorWithAHint) {
  Said said = Say({"measure", "net.onnx", "--duration", "10"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("'10' has no unit; did you mean 10s?"));
}

TEST(Verbs, AMissingSubcommandListsThem) {
  Said said = Say({"runs"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(
      said.err,
      "mete: mete runs: expected one of: list, show, report, export, import\n");
}

TEST(Verbs, NoWordsAtAllShowTheHelpAsAUsageError) {
  Said said = Say({});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("measure"));
}

TEST(Verbs, ThreeWaysToEndAMeasurementExcludeEachOther) {
  Said said = Say({"measure", "n.onnx", "--iterations", "5", "--until", "2%"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("excludes"));
}

TEST(Verbs, TheExampleOfASessionIsOne) {
  Said said = Say({"session", "example"});
  EXPECT_EQ(said.code, 0);
  auto spec = ParseSession(said.out, "session.yaml");
  ASSERT_TRUE(spec.ok()) << spec.error().message();
  EXPECT_EQ(spec->applications.size(), 2u);
}

TEST(Verbs, WhatIsForImagesIsRefusedWithoutOne) {
  Said said = Say({"measure", "--mount", "a:/b", "--", "true"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err, "mete: mete measure: --mount is for images (--image)\n");
}

TEST(Verbs, VersionIsOneLine) {
  Said said = Say({"--version"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out, std::string("mete ") + METE_VERSION + "\n");
}

TEST(Verbs, GlobalFlagsMayFollowTheVerb) {
  Said said = Say({"config", "show", "-q", "-o", "json"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("\"output\": {\n    \"value\": \"json\""));
  EXPECT_EQ(said.err, "");
}

TEST(Completion, OffersVerbsAndFlagsOfEveryCommand) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    Said said = Say({"completion", shell});
    EXPECT_EQ(said.code, 0);
    for (const char* word : {"describe", "sample", "max-duration", "store"}) {
      EXPECT_THAT(said.out, HasSubstr(word)) << shell;
    }
    EXPECT_THAT(said.out, EndsWith("\n"));
  }
}

}  // namespace
}  // namespace mete
