#include "linux/opened_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/test_machines.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// Reads `file` in a process of its own.
pid_t ReadInChild(const std::filesystem::path& file) {
  pid_t child = fork();
  if (child == 0) {
    execlp("cat", "cat", file.c_str(), "/dev/null", nullptr);
    _exit(127);
  }
  waitpid(child, nullptr, 0);
  return child;
}

TEST(OpenedFilesTest, AreThoseOfMembersAndOfProcessesThatHaveEnded) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  const auto read = std::filesystem::canonical(folder->path()) / "read";
  const auto own = std::filesystem::canonical(folder->path()) / "own";
  ASSERT_TRUE(WriteFileAtomically(read, "x").ok());
  ASSERT_TRUE(WriteFileAtomically(own, "x").ok());
  OpenedFiles opened(SystemRoot(), [](pid_t pid) { return pid != getpid(); });
  if (!opened.complete()) GTEST_SKIP() << "needs root and fanotify";
  ReadInChild(read);
  ASSERT_TRUE(ReadFile(own).ok());
  std::vector<std::filesystem::path> files = opened.Files();
  EXPECT_THAT(files, Contains(read));
  EXPECT_THAT(files, Not(Contains(own)));
}

// Whether another process finds a lock on the file.
bool SeenLocked(const std::filesystem::path& file) {
  pid_t child = fork();
  if (child == 0) {
    int opened = open(file.c_str(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    _exit(fcntl(opened, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// A database relies on this: its locks end when any descriptor is closed.
TEST(OpenedFilesTest, KeepTheLocksOfThisProcess) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  const auto file = std::filesystem::canonical(folder->path()) / "db";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  Descriptor opened(open(file.c_str(), O_RDWR | O_CLOEXEC));
  struct flock lock {};
  lock.l_type = F_WRLCK;
  ASSERT_EQ(fcntl(opened.number(), F_SETLK, &lock), 0);
  OpenedFiles recorded(SystemRoot(), [](pid_t) { return true; });
  if (!recorded.complete()) GTEST_SKIP() << "needs root and fanotify";
  ReadInChild(file);
  EXPECT_THAT(recorded.Files(), Contains(file));
  EXPECT_TRUE(SeenLocked(file));
}

class MappedFiles : public EmptyMachine {
 protected:
  // Lets process 7 map `count` files: one file, written in different ways.
  void PutMappings(const std::filesystem::path& file, size_t count) {
    std::string maps;
    for (size_t i = 0; i < count; ++i) {
      maps += "7f00-7f10 r--p 0 08:01 12   " + file.parent_path().string();
      for (size_t bit = 1; bit < 1 << 15; bit *= 2) {
        maps += (i & bit) != 0 ? "/." : "/";
      }
      maps += "/" + file.filename().string() + "\n";
    }
    Put("/proc/7/maps", maps);
  }
};

TEST_F(MappedFiles, AreListedOnceIfTheyExist) {
  const auto library = folder.path() / "lib x.so";
  ASSERT_TRUE(WriteFileAtomically(library, "x").ok());
  Put("/proc/7/maps", "7f00-7f10 r--p 0 08:01 12   " + library.string() +
                          "\n7f10-7f20 r-xp 0 08:01 12   " + library.string() +
                          "\n7f20-7f30 rw-p 0 00:00 0 [heap]\n"
                          "7f30-7f40 r--p 0 08:01 13   /gone/lib.so\n");
  OpenedFiles opened(root, [](pid_t) { return true; });
  if (opened.complete()) GTEST_FAIL() << "a recorded machine has no events";
  EXPECT_THAT(opened.Files(), IsEmpty());
  opened.LookAtMappings({7, 8});
  EXPECT_THAT(opened.Files(), ElementsAre(library));
}

constexpr size_t kMostOpenedFiles = 20'000;

TEST_F(MappedFiles, AreRecordedUpToALimit) {
  const auto file = folder.path() / "file";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  PutMappings(file, kMostOpenedFiles + 1);
  OpenedFiles opened(root, [](pid_t) { return true; });
  opened.LookAtMappings({7});
  EXPECT_EQ(opened.Files().size(), kMostOpenedFiles);
}

TEST_F(MappedFiles, BeyondTheLimitNoOpenedFileIsAdded) {
  const auto file = std::filesystem::canonical(folder.path()) / "file";
  const auto read = std::filesystem::canonical(folder.path()) / "read";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  ASSERT_TRUE(WriteFileAtomically(read, "x").ok());
  PutMappings(file, kMostOpenedFiles);
  // A disk on which the folder is, so that the kernel reports what is opened.
  Put("/proc/self/mountinfo", "1 0 8:1 / " +
                                  folder.path().parent_path().string() +
                                  " rw - ext4 /dev/disk rw\n");
  OpenedFiles opened(root, [](pid_t) { return true; });
  if (!opened.complete()) GTEST_SKIP() << "needs root and fanotify";
  opened.LookAtMappings({7});
  ReadInChild(read);
  std::vector<std::filesystem::path> files = opened.Files();
  EXPECT_EQ(files.size(), kMostOpenedFiles);
  EXPECT_THAT(files, Not(Contains(read)));
}

TEST_F(MappedFiles, OnlyMountedDevicesAreFollowed) {
  Put("/proc/self/mountinfo", "1 0 8:1 / " +
                                  folder.path().parent_path().string() +
                                  " rw - ext4 disk rw\n");
  OpenedFiles opened(root, [](pid_t) { return true; });
  EXPECT_FALSE(opened.complete());
}

}  // namespace
}  // namespace mete
