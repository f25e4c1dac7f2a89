#include "adapters/process/process_launcher.h"

#include <gtest/gtest.h>

#include "tests/contracts/launcher_contract.h"

namespace mete {
namespace {

LaunchRequest Shell(const std::string& script) {
  return {.command = {"sh", "-c", script}};
}

LauncherSubject MakeProcesses() {
  return {.launcher = std::make_shared<ProcessLauncher>(),
          .exits_with_3 = Shell("exit 3"),
          .says_hello = Shell("echo hello"),
          .sleeps = {.command = {"sleep", "3600"}},
          .ignores_terminate = Shell("trap '' TERM; sleep 3600"),
          .missing = {.command = {"/nowhere/program"}}};
}

INSTANTIATE_TEST_SUITE_P(Process, LauncherContract,
                         testing::Values(&MakeProcesses));

TEST(ProcessLauncher, RejectsACommandWithoutAProgram) {
  auto started = ProcessLauncher().Start({});
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace mete
