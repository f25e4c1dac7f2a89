#include "support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "support/file.h"

namespace mete {
namespace {

using std::filesystem::exists;
using std::filesystem::path;
using testing::IsEmpty;
using testing::SizeIs;

// Its own temporary folder, so that no other test is disturbed.
class AbandonedFolders : public testing::Test {
 protected:
  AbandonedFolders() {
    const char* set = std::getenv("TMPDIR");
    if (set != nullptr) before_ = set;
    setenv("TMPDIR", base.c_str(), 1);
  }
  ~AbandonedFolders() override {
    if (before_) {
      setenv("TMPDIR", before_->c_str(), 1);
    } else {
      unsetenv("TMPDIR");
    }
  }

  // Creates a folder with content in a process that is killed.
  static void Abandon(const path& link_target) {
    pid_t child = fork();
    if (child == 0) {
      auto folder = ScratchFolder::Create();
      std::filesystem::create_directories(folder->path() / "a" / "b");
      std::filesystem::create_symlink(link_target, folder->path() / "a/link");
      kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
  }
  std::vector<path> Entries() const { return *FilesIn(base); }

  ScratchFolder outer_ = *ScratchFolder::Create();
  path base = outer_.path() / "tmp";

 private:
  void SetUp() override { std::filesystem::create_directory(base); }
  std::optional<std::string> before_;
};

TEST_F(AbandonedFolders, OfAKilledProcessAreRemovedAndLinksNotFollowed) {
  const path kept = outer_.path() / "kept";
  std::filesystem::create_directory(kept);
  ASSERT_TRUE(WriteFileAtomically(kept / "file", "x").ok());
  Abandon(kept);
  ASSERT_THAT(Entries(), SizeIs(1));
  ScratchFolder::RemoveAbandoned();
  EXPECT_THAT(Entries(), IsEmpty());
  EXPECT_TRUE(exists(kept / "file"));
}

TEST_F(AbandonedFolders, DoNotIncludeThoseOfLivingProcesses) {
  auto own = ScratchFolder::Create();
  ASSERT_TRUE(own.ok()) << own.error().message();
  auto moved = std::make_unique<ScratchFolder>(*std::move(own));
  pid_t child = fork();
  if (child == 0) {
    ScratchFolder::RemoveAbandoned();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  ScratchFolder::RemoveAbandoned();
  EXPECT_TRUE(exists(moved->path()));
  moved.reset();
  EXPECT_THAT(Entries(), IsEmpty());
}

TEST_F(AbandonedFolders, DoNotIncludeLinksAndForeignNames) {
  const path target = outer_.path() / "target";
  std::filesystem::create_directory(target);
  std::filesystem::create_directory_symlink(target, base / "mete.12.abcdef");
  ASSERT_TRUE(WriteFileAtomically(base / "mete.13.abcdef", "").ok());
  // The last one is that of a mete that does not lock its folders.
  for (const char* name : {"mete.notes", "mete.1x.abcdef", "mete.1.abcdefg",
                           "mete-1.abcdef", "mete.abcdef"}) {
    std::filesystem::create_directory(base / name);
  }
  ScratchFolder::RemoveAbandoned();
  EXPECT_THAT(Entries(), SizeIs(7));
  EXPECT_TRUE(exists(target));
}

TEST_F(AbandonedFolders, DoNotIncludeThoseOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to give a folder away";
  Abandon("/");
  ASSERT_THAT(Entries(), SizeIs(1));
  ASSERT_EQ(chown(Entries()[0].c_str(), 65534, 65534), 0);
  ScratchFolder::RemoveAbandoned();
  EXPECT_THAT(Entries(), SizeIs(1));
}

}  // namespace
}  // namespace mete
