#include "linux/watched_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "linux/test_machines.h"

namespace mete {
namespace {

class WatchedFileTest : public EmptyMachine {
 protected:
  // As the kernel does it: new content in the same file.
  void Overwrite(const std::string& path, const std::string& content) {
    std::ofstream(root.Locate(path), std::ios::trunc) << content;
  }
};

TEST_F(WatchedFileTest, ReadsTheCurrentContents) {
  Put("/sys/temp", "41000\n");
  WatchedFile file(root, "/sys/temp");
  EXPECT_EQ(file.Number(), 41000);
  Overwrite("/sys/temp", "-7\n");
  EXPECT_EQ(file.Number(), -7);
  EXPECT_EQ(file.Count(), std::nullopt);
}

TEST_F(WatchedFileTest, ReadsAFileLargerThanItsBuffer) {
  const std::string content(100'000, 'x');
  Put("/proc/long", content);
  WatchedFile file(root, "/proc/long");
  EXPECT_EQ(file.Text(), content);
  Overwrite("/proc/long", "short");
  EXPECT_EQ(file.Text(), "short");
}

TEST_F(WatchedFileTest, FindsAFileThatIsCreatedLater) {
  WatchedFile file(root, "/sys/late");
  EXPECT_EQ(file.Text(), std::nullopt);
  Put("/sys/late", "1\n");
  EXPECT_EQ(file.Count(), 1u);
}

TEST_F(WatchedFileTest, ReadsAnEmptyFileButNoNumberFromIt) {
  Put("/sys/empty", "");
  WatchedFile file(root, "/sys/empty");
  EXPECT_EQ(file.Text(), "");
  EXPECT_EQ(file.Line(), std::nullopt);
  EXPECT_EQ(file.Number(), std::nullopt);
}

// Uses the real /proc: only there does a read fail after the end.
TEST_F(WatchedFileTest, IsAbsentOnceItsProcessHasEnded) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    pause();
    _exit(0);
  }
  WatchedFile file(SystemRoot(), "/proc/" + std::to_string(child) + "/statm");
  EXPECT_TRUE(file.Text().has_value());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(file.Text(), std::nullopt);
}

TEST_F(WatchedFileTest, LeavesDescriptorsForOthers) {
  Put("/sys/one", "1\n");
  std::vector<Descriptor> taken;
  while (taken.empty() || taken.back().number() < 520) {
    taken.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
    ASSERT_TRUE(taken.back().open());
  }
  WatchedFile file(root, "/sys/one");
  EXPECT_EQ(file.Count(), 1u);
  const int next = taken.back().number() + 1;
  EXPECT_EQ(fcntl(next, F_GETFD), -1);
}

}  // namespace
}  // namespace mete
