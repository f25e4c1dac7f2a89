#include "support/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <vector>

// What was written to the disk, in order.
static std::vector<std::string> synced;

// Replaces the function of the C library in this program.
extern "C" int fsync(int descriptor) {
  struct stat facts {};
  fstat(descriptor, &facts);
  synced.emplace_back(S_ISDIR(facts.st_mode) ? "folder" : "file");
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace mete {
namespace {

TEST(File, ReadsBackWhatWasWritten) {
  auto folder = *ScratchFolder::Create();
  std::string content(100'000, 'x');
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "f", content).ok());
  EXPECT_EQ(*ReadFile(folder.path() / "f"), content);
}

TEST(File, ReadsKernelFilesWhoseSizeReadsAsZero) {
  EXPECT_NE(ReadFile("/proc/self/status")->find("VmRSS"), std::string::npos);
}

TEST(File, AFailedWriteKeepsTheOldContentsAndLeavesNoTemporaryFile) {
  auto folder = *ScratchFolder::Create();
  std::filesystem::create_directory(folder.path() / "taken");
  EXPECT_FALSE(WriteFileAtomically(folder.path() / "taken", "new").ok());
  int entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    (void)entry;
    ++entries;
  }
  EXPECT_EQ(entries, 1);
}

TEST(ReadRegularFile, ReadsUpToTheGivenSize) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  const auto file = folder->path() / "f";
  ASSERT_TRUE(WriteFileAtomically(file, "12345").ok());
  EXPECT_EQ(*ReadRegularFile(file, Bytes{5}), "12345");
  auto longer = ReadRegularFile(file, Bytes{4});
  ASSERT_FALSE(longer.ok());
  EXPECT_EQ(longer.error().message(),
            "read " + file.string() + ": has more than 4 B");
  EXPECT_EQ(ReadRegularFile("/dev/null", Bytes{4}).error().message(),
            "read /dev/null: is not a regular file");
}

TEST(File, AMissingFileIsNamedInTheMessage) {
  EXPECT_EQ(ReadFile("/nonexistent/f").error().message(),
            "read /nonexistent/f: no such file or directory");
}

TEST(File, AScratchFolderIsRemovedWithItsContent) {
  std::filesystem::path path;
  {
    auto folder = *ScratchFolder::Create();
    path = folder.path();
    ASSERT_TRUE(WriteFileAtomically(path / "f", "x").ok());
    ASSERT_TRUE(std::filesystem::exists(path / "f"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(File, AnAtomicWriteFollowsTheUmaskAndLeavesItAlone) {
  auto folder = ScratchFolder::Create();
  mode_t before = umask(027);
  ASSERT_TRUE(WriteFileAtomically(folder->path() / "f", "text").ok());
  EXPECT_EQ(umask(before), 027u);
  auto mode = std::filesystem::status(folder->path() / "f").permissions();
  EXPECT_EQ(static_cast<unsigned>(mode), 0640u);
}

// A power failure may undo a rename until its folder is written.
TEST(WriteFileAtomically, WritesTheFileAndThenItsFolderToTheDisk) {
  auto folder = ScratchFolder::Create();
  synced.clear();
  ASSERT_TRUE(WriteFileAtomically(folder->path() / "a", "x").ok());
  EXPECT_EQ(synced, (std::vector<std::string>{"file", "folder"}));
}

TEST(WriteFileAtomically, FollowsALinkAndWritesIntoADevice) {
  ScratchFolder folder = ScratchFolder::Create().value();
  std::filesystem::path target = folder.path() / "target";
  std::filesystem::path link = folder.path() / "link";
  std::filesystem::create_symlink("target", link);
  ASSERT_TRUE(WriteFileAtomically(link, "content").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(ReadFile(target).value(), "content");
  ASSERT_TRUE(WriteFileAtomically("/dev/null", "content").ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

// In /tmp, somebody else may wait for root to write to a name that he knows.
TEST(WriteFileAtomically, FollowsNoLinkOfAnotherUserInASharedFolder) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to give a link away";
  constexpr uid_t kOther = 23456;
  ScratchFolder folder = ScratchFolder::Create().value();
  const std::filesystem::path shared = folder.path() / "shared";
  const std::filesystem::path target = folder.path() / "target";
  const std::filesystem::path link = shared / "link";
  ASSERT_EQ(mkdir(shared.c_str(), 0777), 0);
  ASSERT_EQ(chmod(shared.c_str(), 01777), 0);
  std::filesystem::create_symlink(target, link);
  ASSERT_TRUE(WriteFileAtomically(link, "own").ok());
  ASSERT_EQ(lchown(link.c_str(), kOther, kOther), 0);
  Status written = WriteFileAtomically(link, "given away");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(written.error().message(), "write " + link.string() + ": " +
                                           link.string() +
                                           " is a link that another user made");
  EXPECT_FALSE(CheckWritable(link).ok());
  EXPECT_EQ(ReadFile(target).value(), "own");
  // The owner of the folder could replace it anyway.
  ASSERT_EQ(chown(shared.c_str(), kOther, kOther), 0);
  EXPECT_TRUE(WriteFileAtomically(link, "of the folder's owner").ok());
  ASSERT_EQ(chown(shared.c_str(), 0, 0), 0);
  ASSERT_EQ(chmod(shared.c_str(), 0777), 0);  // nothing protects names there
  EXPECT_TRUE(WriteFileAtomically(link, "not sticky").ok());
}

TEST(CheckWritable, RejectsMissingFoldersAndTargetsThatAreFolders) {
  ScratchFolder folder = ScratchFolder::Create().value();
  EXPECT_TRUE(CheckWritable(folder.path() / "new").ok());
  EXPECT_TRUE(CheckWritable("/dev/null").ok());
  EXPECT_FALSE(CheckWritable(folder.path()).ok());
  EXPECT_FALSE(CheckWritable(folder.path() / "none" / "new").ok());
  // The target of the link counts.
  std::filesystem::create_symlink("none/new", folder.path() / "link");
  EXPECT_FALSE(CheckWritable(folder.path() / "link").ok());
}

}  // namespace
}  // namespace mete
