#include "cli/control_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/test_command.h"
#include "support/file.h"
#include "support/text.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_control.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ControlCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFileAtomically(
                    rules,
                    "agents: [http://one]\n"
                    "rules:\n"
                    "  - {name: busy, series: load, below: 10, actions: log}\n")
                    .ok());
  }

  CommandRun Control(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "control");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddControlCommand(root, verbs, [&]() -> Result<ControllerDependencies> {
        return ControllerDependencies{
            .open_agent = [this](const std::string& url)
                -> Result<std::unique_ptr<SeriesSource>> {
              auto series = std::make_unique<FakeSeries>(url);
              if (load) series->Set("load", *load);
              return std::unique_ptr<SeriesSource>(std::move(series));
            },
            .new_actuator = [] { return std::make_unique<FakeActuator>(); },
            .new_notifier = [] { return std::make_unique<FakeNotifier>(); },
            .clock = clock};
      });
    });
  }

  FakeClock clock;
  std::optional<double> load;
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string rules = folder.path() / "slo.yaml";
};

TEST_F(ControlCommandTest, OnceSucceedsWhenTheObjectiveIsMet) {
  load = 5;
  CommandRun run = Control({"--config", rules, "--once", "-o", "csv"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out,
            "rule,objective,now,series,standing,actions\n"
            "busy,< 10,5,1,met,log\n");
  EXPECT_EQ(run.err, "");
}

TEST_F(ControlCommandTest, OnceExitsWithThreeWhenTheObjectiveIsViolated) {
  load = 50;
  EXPECT_EQ(Control({"--config", rules, "--once"}).code, 3);
}

TEST_F(ControlCommandTest, OnceExitsWithOneWhenThereIsNoData) {
  CommandRun run = Control({"--config", rules, "--once"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("unknown"));
}

TEST_F(ControlCommandTest, CheckSucceedsEvenIfAnObjectiveIsViolated) {
  load = 50;
  CommandRun run = Control({"--config", rules, "--check", "-o", "json"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("\"standing\": \"violated\""));
}

TEST_F(ControlCommandTest, WithoutRulesTheErrorMentionsTheExample) {
  CommandRun run = Control({});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, StartsWith("mete control: expected rules"));
}

TEST_F(ControlCommandTest, TheExampleIsValid) {
  CommandRun run = Control({"--example"});
  EXPECT_EQ(run.code, 0);
  ASSERT_TRUE(WriteFileAtomically(rules, run.out).ok());
  CommandRun check = Control({"--config", rules, "--check", "-q"});
  EXPECT_EQ(check.code, 0);
  std::istringstream lines(check.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(DisplayWidth(line), 80u) << line;
  }
}

}  // namespace
}  // namespace mete
