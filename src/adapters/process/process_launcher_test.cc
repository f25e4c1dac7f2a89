#include "adapters/process/process_launcher.h"

#include <gmock/gmock.h>

#include "tests/contracts/launcher_contract.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

LaunchRequest Shell(const std::string& script) {
  return {.command = {"sh", "-c", script}};
}

LauncherSubject MakeProcesses() {
  return {.launcher = std::make_unique<ProcessLauncher>(),
          .exits_with_3 = Shell("exit 3"),
          .says_hello = Shell("echo hello"),
          .sleeps = {.command = {"sleep", "3600"}},
          .ignores_terminate = Shell("trap '' TERM; sleep 3600"),
          .missing = {.command = {"/nowhere/program"}}};
}

INSTANTIATE_TEST_SUITE_P(Process, LauncherContract,
                         testing::Values(&MakeProcesses));

TEST(EnvironmentFor, TellsLibrariesHowManyThreadsTheQuotaHolds) {
  LaunchRequest request{.limits = {.cpus = Millicores{1500}}};
  EXPECT_THAT(EnvironmentFor(request, {"PATH=/bin"}),
              Contains("OMP_NUM_THREADS=2"));
}

TEST(EnvironmentFor, AGivenValueWinsOverTheHintAndOverItsOwn) {
  LaunchRequest request{.environment = {{"OMP_NUM_THREADS", "7"}},
                        .limits = {.cpus = Millicores{500}}};
  auto entries = EnvironmentFor(request, {"OMP_NUM_THREADS=3"});
  EXPECT_THAT(entries, Contains("OMP_NUM_THREADS=7"));
  EXPECT_THAT(entries, Not(Contains("OMP_NUM_THREADS=3")));
}

TEST(EnvironmentFor, WithoutLimitsNothingIsAdded) {
  EXPECT_THAT(EnvironmentFor({}, {"PATH=/bin"}), ElementsAre("PATH=/bin"));
}

TEST(ProcessLauncher, RefusesACommandWithoutAProgram) {
  auto started = ProcessLauncher().Start({});
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace mete
