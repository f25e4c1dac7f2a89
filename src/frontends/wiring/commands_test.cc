// Tests the whole command line: help, usage errors, completion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/main.h"
#include "cli/verb.h"
#include "flags/completion.h"
#include "measure/session_spec.h"
#include "wiring/commands.h"
#include "wiring/system.h"

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

// Runs a command that needs no dependencies.
Said Say(std::vector<const char*> words) {
  words.insert(words.begin(), "mete");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Said said;
  std::unique_ptr<System> none;
  said.code =
      Main(static_cast<int>(words.size()), words.data(),
           {.environment = [](const std::string&) { return std::nullopt; },
            .add_verbs = [&none](Command root) { return AddVerbs(root, none); },
            .configure = [](const Settings&) {}});
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

// Returns every command of the program, including hidden ones.
std::vector<std::vector<std::string>> AllCommands() {
  std::unique_ptr<System> none;
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

TEST(Help, OfEveryCommandContainsNoTypeNames) {
  for (const auto& command : AllCommands()) {
    std::string help = HelpFor(command);
    for (const char* type : {"TEXT", "UINT", "INT", "FLOAT", "Excludes:"}) {
      EXPECT_THAT(help, Not(HasSubstr(type)));
    }
  }
}

TEST(Verbs, AnUnknownFlagGetsASuggestion) {
  Said said = Say({"measure", "net.onnx", "--iteration", "5"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "mete measure: unknown flag '--iteration'; did you mean "
            "'--iterations'?\n");
}

TEST(Verbs, AnUnknownCommandGetsASuggestion) {
  Said said = Say({"mesure", "net.onnx"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "mete: unknown command 'mete mesure'; did you mean 'measure'?\n");
}

TEST(Verbs, AnUnknownSubcommandGetsASuggestion) {
  Said said = Say({"zoo", "bild", "nets"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "mete: unknown command 'mete zoo bild'; did you mean 'build'?\n");
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
  EXPECT_EQ(said.err,
            "mete runs: expected one of: list, show, report, export, import\n");
}

TEST(Verbs, HelpIsAlsoACommand) {
  Said said = Say({"help", "measure"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out, HelpFor({"measure"}));
  EXPECT_EQ(Say({"help"}).out, HelpFor({}));
}

TEST(Verbs, NoArgumentsPrintTheHelpAsAUsageError) {
  Said said = Say({});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("measure"));
}

TEST(Verbs, ThreeWaysToEndAMeasurementExcludeEachOther) {
  Said said = Say({"measure", "n.onnx", "--iterations", "5", "--until", "2%"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "mete measure: --iterations and --until cannot be used together\n");
}

TEST(Verbs, TheExampleSessionIsValid) {
  Said said = Say({"session", "example"});
  EXPECT_EQ(said.code, 0);
  auto spec = ParseSession(said.out, "session.yaml");
  ASSERT_TRUE(spec.ok()) << spec.error().message();
  EXPECT_EQ(spec->applications.size(), 2u);
}

TEST(Verbs, FlagsForImagesRequireAnImage) {
  Said said = Say({"measure", "--mount", "a:/b", "--", "true"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err, "mete measure: --mount requires --image\n");
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
