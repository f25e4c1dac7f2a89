#include "agent/privileges.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/file.h"

namespace mete {
namespace {

TEST(Privileges, AFileThatCannotBeCreatedNamesTheUserAndTheRemedy) {
  Error denied(ErrorCode::kPermissionDenied, "bind: permission denied");
  Error explained = ExplainAs("nobody", "/run/mete", denied);
  EXPECT_EQ(explained.code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(explained.message(),
            "bind: permission denied; the agent has become 'nobody' (--user), "
            "who cannot create files in /run/mete: run 'chown nobody "
            "/run/mete', or choose another --hook-folder");
}

TEST(Privileges, OtherErrorsStayAsTheyAre) {
  Error busy = Unavailable("bind: address in use");
  EXPECT_EQ(ExplainAs("nobody", "/run/mete", busy).message(),
            "bind: address in use");
}

// Runs `check` in a child process, whose privileges may change.
bool HoldsInAChild(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) _exit(check() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(DropPrivileges, LeavesRootForGood) {
  if (geteuid() != 0) GTEST_SKIP() << "requires root";
  EXPECT_TRUE(HoldsInAChild([] {
    return DropPrivileges({.user = "nobody"}).ok() && geteuid() != 0 &&
           getegid() != 0 && getgroups(0, nullptr) == 0 && setuid(0) != 0;
  }));
}

TEST(DropPrivileges, MayKeepTheRightToReadEveryFile) {
  if (geteuid() != 0) GTEST_SKIP() << "requires root";
  ScratchFolder folder = *ScratchFolder::Create();
  const auto file = folder.path() / "secret";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  chmod(file.c_str(), 0600);
  auto can_read = [&](bool read_all) {
    return HoldsInAChild([&] {
      return DropPrivileges({.user = "nobody", .read_all = read_all}).ok() &&
             ReadFile(file).ok();
    });
  };
  EXPECT_TRUE(can_read(true));
  EXPECT_FALSE(can_read(false));
}

TEST(DropPrivileges, StaysRootOnRequestAndFailsForAnUnknownUser) {
  if (geteuid() != 0) GTEST_SKIP() << "requires root";
  EXPECT_TRUE(HoldsInAChild(
      [] { return DropPrivileges({.user = "root"}).ok() && geteuid() == 0; }));
  EXPECT_TRUE(HoldsInAChild(
      [] { return !DropPrivileges({.user = "no such user"}).ok(); }));
}

TEST(MakeFolderFor, GivesTheFolderToTheUser) {
  if (geteuid() != 0) GTEST_SKIP() << "requires root";
  ScratchFolder scratch = *ScratchFolder::Create();
  const auto folder = scratch.path() / "deep" / "run";
  ASSERT_TRUE(MakeFolderFor("1234", folder).ok());
  struct stat status {};
  ASSERT_EQ(stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234u);
  ASSERT_EQ(stat(folder.parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 0u);
}

TEST(MakeFolderFor, LeavesAnExistingFolderAndReportsOtherErrors) {
  ScratchFolder scratch = *ScratchFolder::Create();
  EXPECT_TRUE(MakeFolderFor("nobody", scratch.path()).ok());
  ASSERT_TRUE(WriteFileAtomically(scratch.path() / "file", "").ok());
  EXPECT_FALSE(MakeFolderFor("nobody", scratch.path() / "file" / "a").ok());
}

TEST(DropPrivileges, ProgramsStartedLaterCannotGainPrivileges) {
  EXPECT_TRUE(HoldsInAChild([] {
    return DropPrivileges({.user = "nobody"}).ok() &&
           prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
  }));
}

TEST(MakeFolderFor, OthersMayListTheFolder) {
  ScratchFolder scratch = *ScratchFolder::Create();
  const auto folder = scratch.path() / "run";
  const mode_t mask = umask(022);
  ASSERT_TRUE(MakeFolderFor(std::to_string(geteuid()), folder).ok());
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0755u);
}

TEST(MakeFolderFor, ReportsAnUnknownUser) {
  if (geteuid() != 0) GTEST_SKIP() << "requires root";
  ScratchFolder scratch = *ScratchFolder::Create();
  EXPECT_FALSE(MakeFolderFor("no such user", scratch.path() / "run").ok());
}

}  // namespace
}  // namespace mete
