#include "flags/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flags/help.h"
#include "flags/usage.h"
#include "support/result.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A program with one command that has every kind of flag.
struct Program {
  Program() {
    command = line.root().Add("scan", "Looks at every file", "tool scan .");
    command->Option("FOLDER", folder, "Where to look").Required();
    Flag count = command->Option("--count", count_, "How often").Within(1, 9);
    command->Option("-o,--output", output, "What to print")
        .Placeholder("FORMAT");
    command
        ->Option("--every", every,
                 "How long to wait between two looks at the folder, in words "
                 "that do not fit on one line")
        .Check([](const std::string&) { return Result<int>(1); }, "DURATION")
        .Excludes(count);
    command->Switch("--deep", deep, "Also look into subfolders");
  }

  CommandLine::Reading Read(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "tool");
    return line.Read(static_cast<int>(arguments.size()), arguments.data());
  }

  CommandLine line{{.name = "tool", .description = "A tool", .version = "1"}};
  std::optional<Command> command;
  std::string folder;
  std::string output;
  std::optional<std::string> every;
  uint64_t count_ = 0;
  bool deep = false;
};

std::string HelpForScan() {
  return Program().Read({"scan", "--help"}).help.value();
}

TEST(Help, ShowsPlaceholdersInsteadOfTypesAndChecks) {
  std::string help = HelpForScan();
  EXPECT_THAT(help, HasSubstr("\n  --count N                 How often\n"));
  EXPECT_THAT(help, HasSubstr("\n  -o, --output FORMAT       What to print\n"));
  EXPECT_THAT(help, HasSubstr("\n  --every DURATION          How long"));
  EXPECT_THAT(help, HasSubstr("\n  --deep                    Also look"));
  EXPECT_THAT(help, HasSubstr("\n  FOLDER                    Where to look\n"));
  for (const char* type : {"UINT", "TEXT", "INT in", "Excludes", "REQUIRED"}) {
    EXPECT_THAT(help, Not(HasSubstr(type)));
  }
}

TEST(Help, WrapsDescriptionsBelowThemselves) {
  EXPECT_THAT(HelpForScan(),
              HasSubstr("the folder, in\n" + std::string(28, ' ') + "words"));
}

TEST(Help, ShowsInTheUsageThatACommandMayFollow) {
  EXPECT_THAT(HelpForScan(), HasSubstr("scan [OPTIONS] FOLDER\n"));
  Program program;
  program.command->TakesCommand();
  EXPECT_THAT(program.Read({"scan", "--help"}).help.value(),
              HasSubstr("scan [OPTIONS] FOLDER [-- COMMAND...]\n"));
}

TEST(Help, SeparatesTheDescriptionFromTheUsage) {
  EXPECT_THAT(HelpForScan(), StartsWith("Looks at every file\n\nUsage: tool"));
}

TEST(Help, ListsCommandsUnderTheirOwnHeading) {
  EXPECT_THAT(Program().Read({"--help"}).help.value(),
              HasSubstr("\nCommands:\n  scan                      Looks at"));
}

TEST(Help, EndsWithTheExample) {
  EXPECT_THAT(HelpForScan(), EndsWith("Example:\n  tool scan .\n"));
}

TEST(Placeholder, IsTheLastWordOfTheFlag) {
  EXPECT_EQ(PlaceholderFor("--token-file"), "FILE");
  EXPECT_EQ(PlaceholderFor("-o,--output"), "OUTPUT");
  EXPECT_EQ(PlaceholderFor("NET.onnx"), "NET.ONNX");
}

TEST(CommandLine, ReadsFlagsAndArguments) {
  Program program;
  auto reading = program.Read({"scan", "here", "--count", "3", "--", "ls"});
  EXPECT_FALSE(reading.complaint.has_value());
  EXPECT_TRUE(program.command->chosen());
  EXPECT_EQ(program.folder, "here");
  EXPECT_EQ(program.count_, 3u);
  EXPECT_THAT(*reading.command, ElementsAre("ls"));
}

TEST(CommandLine, RefusesANumberOutOfBounds) {
  auto reading = Program().Read({"scan", "here", "--count", "10"});
  EXPECT_EQ(reading.complaint,
            "tool scan: --count: '10' is not a whole number from 1 to 9");
  EXPECT_EQ(Program().Read({"scan", "here", "--count", "1.5"}).complaint,
            "tool scan: --count: '1.5' is not a whole number from 1 to 9");
}

TEST(CommandLine, RefusesFlagsThatExcludeEachOther) {
  auto reading =
      Program().Read({"scan", "here", "--count", "1", "--every", "1s"});
  EXPECT_EQ(reading.complaint,
            "tool scan: --count and --every cannot be used together");
}

TEST(CommandLine, ShowsThePlaceholderOfAMissingValue) {
  EXPECT_EQ(Program().Read({"scan", "here", "--every"}).complaint,
            "tool scan: --every requires a value: --every DURATION");
}

TEST(CommandLine, RefusesAFlagThatIsGivenTwice) {
  EXPECT_EQ(Program()
                .Read({"scan", "here", "--count", "1", "--count", "2"})
                .complaint,
            "tool scan: --count was given more than once");
}

TEST(CommandLine, NamesAMissingArgument) {
  EXPECT_EQ(Program().Read({"scan"}).complaint,
            "tool scan: expected FOLDER; see tool scan --help");
}

TEST(CommandLine, SuggestsACommandOrListsThem) {
  Program program;
  program.command->Add("inner", "Below", "tool scan inner");
  EXPECT_EQ(program.Read({"scna"}).complaint,
            "unknown command 'tool scna'; did you mean 'scan'?");
  EXPECT_EQ(program.Read({"paint"}).complaint,
            "unknown command 'tool paint'; expected scan");
  program.line.root().Add("wait", "Waits", "tool wait");
  EXPECT_EQ(program.Read({"paint"}).complaint,
            "unknown command 'tool paint'; expected one of: scan, wait");
}

TEST(CommandLine, ListsTheCommandsIfOneIsMissing) {
  CommandLine line({.name = "tool", .description = "A tool", .version = "1"});
  line.root().WantsSubcommand();
  line.root().Add("scan", "Looks at every file", "tool scan .");
  const char* const arguments[] = {"tool"};
  EXPECT_EQ(line.Read(1, arguments).complaint,
            "tool: expected a command: scan");
  line.root().Add("wait", "Waits", "tool wait");
  EXPECT_EQ(line.Read(1, arguments).complaint,
            "tool: expected one of: scan, wait");
}

TEST(CommandLine, TakesHelpAsACommand) {
  EXPECT_EQ(Program().Read({"help"}).help, Program().Read({"--help"}).help);
  EXPECT_EQ(Program().Read({"help", "scan"}).help, HelpForScan());
}

TEST(ProgramName, IsPrintedOnce) {
  EXPECT_EQ(WithProgramName("mete", "out of memory"), "mete: out of memory");
  EXPECT_EQ(WithProgramName("mete", "mete: unknown flag '-x'"),
            "mete: unknown flag '-x'");
  EXPECT_EQ(WithProgramName("mete", "mete runs: expected one of: list, show"),
            "mete runs: expected one of: list, show");
  EXPECT_EQ(WithProgramName("mete", "mete-torch is not installed"),
            "mete: mete-torch is not installed");
}

TEST(CommandLine, ListsEveryCommandOfTheTree) {
  Program program;
  program.command->Add("inner", "Below", "tool scan inner");
  EXPECT_THAT(program.line.Paths(),
              ElementsAre(ElementsAre(), ElementsAre("scan"),
                          ElementsAre("scan", "inner")));
}

}  // namespace
}  // namespace mete
