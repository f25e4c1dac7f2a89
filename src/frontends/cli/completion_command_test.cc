#include "cli/completion_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/config_command.h"
#include "cli/test_command.h"

namespace mete {
namespace {

using testing::HasSubstr;

CommandRun Complete(const std::string& shell) {
  return RunCommand({"completion", shell}, [](Command root, Verbs& verbs) {
    AddCompletionCommand(root, verbs);
    AddConfigCommand(root, verbs);
  });
}

TEST(CompletionCommand, TheScriptOfEveryShellOffersAllCommands) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    CommandRun run = Complete(shell);
    EXPECT_EQ(run.code, 0) << shell;
    EXPECT_THAT(run.out, HasSubstr("config")) << shell;
    EXPECT_THAT(run.out, HasSubstr("show")) << shell;
    EXPECT_EQ(run.err, "") << shell;
  }
}

TEST(CompletionCommand, AnUnknownShellIsAUsageError) {
  CommandRun run = Complete("basch");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("did you mean 'bash'?"));
  EXPECT_EQ(run.out, "");
}

}  // namespace
}  // namespace mete
