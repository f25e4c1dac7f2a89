// Runs the contract tests with the fake.
#include "tests/contracts/launcher_contract.h"

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_launcher.h"

namespace mete {
namespace {

ApplicationScript MakeScript(const LaunchRequest& request) {
  ApplicationScript script;
  const std::string& name = request.command[0];
  if (name == "exit3") script.ending.exit_code = 3;
  if (name == "hello") script.output = "hello\n";
  if (name == "sleep" || name == "stubborn") script.length.reset();
  if (name == "stubborn") script.heeds_terminate = false;
  if (name == "missing") script.start_failure = NotFound("start missing");
  return script;
}

LauncherSubject MakeFake() {
  auto clock = std::make_shared<FakeClock>();
  return {.launcher = std::make_shared<FakeLauncher>(*clock, &MakeScript),
          .exits_with_3 = {.command = {"exit3"}},
          .says_hello = {.command = {"hello"}},
          .sleeps = {.command = {"sleep"}},
          .ignores_terminate = {.command = {"stubborn"}},
          .missing = {.command = {"missing"}},
          .owner = clock};
}

INSTANTIATE_TEST_SUITE_P(Fake, LauncherContract, testing::Values(&MakeFake));

}  // namespace
}  // namespace mete
