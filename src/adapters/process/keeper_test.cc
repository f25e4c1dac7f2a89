#include "adapters/process/keeper.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "linux/process_usage.h"
#include "support/file.h"

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

// The CPU time of a cgroup when exec begins, read from a file of either
// version.
TEST(Keeper, ReadsTheCpuTimeOfTheCgroupBeforeTheStart) {
  ScratchFolder scratch = *ScratchFolder::Create();
  struct Version {
    const char* text;
    std::chrono::nanoseconds unit;
    Seconds expected;
  };
  for (const Version& version :
       {Version{"1234567\n", std::chrono::nanoseconds(1), Seconds(0.001234567)},
        Version{"usage_usec 1500\nuser_usec 9\n", std::chrono::microseconds(1),
                Seconds(0.0015)},
        Version{"", std::chrono::nanoseconds(1), Seconds(0)}}) {
    const std::string path = scratch.path() / "counter";
    ASSERT_TRUE(WriteFileAtomically(path, version.text).ok());
    KeptProgram program = Sleeper();
    program.cpu_counter = {
        .file = Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)),
        .unit = version.unit};
    auto keeper = Keeper::Start(std::move(program));
    ASSERT_TRUE(keeper.ok()) << keeper.error().message();
    EXPECT_NEAR(keeper->cpu_before_start().group.count(),
                version.expected.count(), 1e-12);
  }
}

// Waits until the folder is gone, for ten seconds at most.
bool IsRemovedSoon(const std::filesystem::path& folder) {
  for (int i = 0; i < 1000 && std::filesystem::exists(folder); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return !std::filesystem::exists(folder);
}

// Any empty folder stands in for a cgroup.
TEST(Keeper, RemovesTheCgroupOfAMeteThatIsKilledBeforeTheStart) {
  ScratchFolder scratch = *ScratchFolder::Create();
  const auto group = scratch.path() / "group";
  std::filesystem::create_directory(group);
  pid_t child = fork();
  if (child == 0) {
    KeptProgram program = Sleeper();
    program.group_folders = {group.string()};
    program.before_start = [](pid_t) { kill(getpid(), SIGKILL); };
    static_cast<void>(Keeper::Start(std::move(program)).ok());
    _exit(1);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(IsRemovedSoon(group));
}

}  // namespace
}  // namespace mete
