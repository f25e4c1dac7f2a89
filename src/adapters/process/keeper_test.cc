#include "adapters/process/keeper.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "linux/process_usage.h"

namespace mete {
namespace {

KeptProgram Sleeper() {
  return {.arguments = {"sleep", "3600"},
          .environment = {"PATH=/usr/bin:/bin"},
          .output = Descriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))};
}

TEST(Keeper, StartsTheProgramAfterTheSetup) {
  size_t before = 0;
  KeptProgram program = Sleeper();
  program.before_start = [&](pid_t keeper) {
    before = ProcessTree(SystemRoot(), keeper).size();
  };
  auto keeper = Keeper::Start(std::move(program));
  ASSERT_TRUE(keeper.ok()) << keeper.error().message();
  EXPECT_EQ(before, 1u);  // only the keeper
  EXPECT_EQ(ProcessTree(SystemRoot(), keeper->pid()).size(), 2u);
}

}  // namespace
}  // namespace mete
