// Tests the interactive prompt of `mete sweep` with the real program on a
// pseudo-terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "adapters/sqlite/sqlite_sweep_store.h"
#include "linux/cgroup_facts.h"
#include "support/file.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/terminal_program.h"

namespace mete {
namespace {

using testing::HasSubstr;

bool HasControlGroups() {
  CgroupFacts facts = ReadCgroups(SystemRoot());
  const CgroupController* memory = facts.Find("memory");
  return geteuid() == 0 && memory != nullptr && memory->writable;
}

class SweepDialogueTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("METE_STATE", folder_.path().c_str(), 1);
    setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  void TearDown() override { setenv("PATH", path_.c_str(), 1); }

  std::vector<std::string> Arguments(
      const std::string& program = METE_PROGRAM) {
    return {program, "--store", "sqlite:" + store_.string(), "sweep"};
  }
  std::vector<Sweep> Sweeps() {
    return SqliteSweepStore::Open({.path = store_})
        .value()
        ->ListSweeps()
        .value();
  }
  // Makes a program of that name in PATH that needs hardly any resources.
  void InstallTorch() {
    std::filesystem::path file = folder_.path() / "mete-torch";
    ASSERT_TRUE(WriteFileAtomically(file, "#!/bin/sh\nexit 0\n").ok());
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  // Puts mete into a separate folder, without mete-torch beside it.
  std::string LonelyMete() {
    std::filesystem::path copy = folder_.path() / "alone" / "mete";
    EXPECT_TRUE(MakeFolder(copy.parent_path()).ok());
    std::filesystem::copy_file(METE_PROGRAM, copy);
    return copy.string();
  }

  ScratchFolder folder_ = ScratchFolder::Create().value();
  std::filesystem::path store_ = folder_.path() / "store.db";
  std::string path_ = getenv("PATH");
};

TEST_F(SweepDialogueTest, RunsTheSameSweepAsTheFlags) {
  if (!HasControlGroups()) GTEST_SKIP() << "needs root and cgroups";
  TerminalProgram mete(Arguments());
  ASSERT_TRUE(mete.Answer("[training]: ", "6\n"));
  ASSERT_TRUE(mete.Answer("[training]: ", "command\n"));
  ASSERT_TRUE(mete.Answer("command: ", METE_KNOWN_WORKLOAD " touch 4\n"));
  ASSERT_TRUE(mete.Answer("[memory]: ", "\n"));
  ASSERT_TRUE(mete.Answer("[512Mi]: ", "32Mi\n"));
  ASSERT_TRUE(mete.Answer("[6Mi]: ", "16Mi\n"));
  ASSERT_TRUE(mete.Answer("[bisect]: ", "8Mi\n"));
  ASSERT_TRUE(mete.Answer("start? [Y/n] ", "\n"));
  EXPECT_EQ(mete.Wait(), 0) << mete.shown();
  EXPECT_THAT(mete.shown(), HasSubstr("'6' is not one of the choices\r\n"));
  EXPECT_THAT(
      mete.shown(),
      HasSubstr("mete sweep --memory 32Mi:16Mi:8Mi -- " METE_KNOWN_WORKLOAD
                " touch 4\r\n"));
  // The printed command line runs the same sweep.
  MeteProgram again(store_, {"sweep", "--memory", "32Mi:16Mi:8Mi", "--",
                             METE_KNOWN_WORKLOAD, "touch", "4"});
  ASSERT_EQ(again.Wait(), 0);
  std::vector<Sweep> sweeps = Sweeps();
  ASSERT_EQ(sweeps.size(), 2u);
  EXPECT_EQ(sweeps[0].key, sweeps[1].key);
  EXPECT_EQ(sweeps[0].points.size(), 3u);
}

TEST_F(SweepDialogueTest, ProgressShowsLimitOutcomeAndTimeLeft) {
  if (!HasControlGroups()) GTEST_SKIP() << "needs root and cgroups";
  std::vector<std::string> arguments = Arguments();
  arguments.insert(arguments.end(),
                   {"--memory", "64Mi:16Mi:16Mi", "--", "/bin/sleep", "0.4"});
  TerminalProgram mete(arguments);
  EXPECT_EQ(mete.Wait(), 0) << mete.shown();
  EXPECT_THAT(mete.shown(), testing::ContainsRegex(
                                "run 3, 2 left \\([0-9.]+ m?s\\): 32.0 MiB; "
                                "works at 48.0 MiB; [0-9]+ s so far"));
}

TEST_F(SweepDialogueTest, EnterSweepsAReferenceNetwork) {
  if (!HasControlGroups()) GTEST_SKIP() << "needs root and cgroups";
  InstallTorch();
  TerminalProgram mete(Arguments(LonelyMete()));
  for (const char* usual :
       {"[training]: ", "[synthetic]: ", "[CNN_1d]: ", "[10]: ", "[memory]: ",
        "[512Mi]: ", "[32Mi]: ", "[bisect]: ", "start? [Y/n] "}) {
    ASSERT_TRUE(mete.Answer(usual, "\n")) << usual << mete.shown();
  }
  EXPECT_EQ(mete.Wait(), 0) << mete.shown();
  std::vector<Sweep> sweeps = Sweeps();
  ASSERT_EQ(sweeps.size(), 1u);
  EXPECT_EQ(sweeps[0].workload, "CNN_1d train synthetic");
  EXPECT_EQ(sweeps[0].plan.memory->from, 512u << 20);
}

TEST_F(SweepDialogueTest, WithoutMeteTorchTheErrorSaysWhatToDo) {
  const std::vector<std::string> alone = Arguments(LonelyMete());
  const std::string expected =
      "mete: mete-torch is not installed: apt install libtorch-dev "
      "libmatio-dev, then\r\n./dev build\r\n";
  TerminalProgram mete(alone);
  ASSERT_TRUE(mete.Answer("[training]: ", "\n"));
  EXPECT_EQ(mete.Wait(), 1);
  EXPECT_THAT(mete.shown(), HasSubstr(expected));
  for (const char* verb : {"sweep", "measure"}) {
    std::vector<std::string> arguments = alone;
    arguments.back() = verb;
    if (arguments.back() == "sweep") {
      arguments.insert(arguments.end(), {"--memory", "64Mi:32Mi"});
    }
    arguments.insert(arguments.end(), {"--", "mete-torch", "train"});
    TerminalProgram named(arguments);
    EXPECT_EQ(named.Wait(), 1) << verb;
    EXPECT_EQ(named.shown(), expected);
  }
}

TEST_F(SweepDialogueTest, CtrlDAndCtrlCStartNothing) {
  for (const char* key : {"\x04", "\x03"}) {
    TerminalProgram mete(Arguments());
    ASSERT_TRUE(mete.Answer("[training]: ", "4\n"));
    ASSERT_TRUE(mete.Answer("command: ", key));
    EXPECT_EQ(mete.Wait(), 130) << mete.shown();
    EXPECT_THAT(mete.shown(), HasSubstr("mete: nothing was started\r\n"));
    EXPECT_FALSE(std::filesystem::exists(store_));
  }
}

TEST_F(SweepDialogueTest, WithoutATerminalNothingIsAsked) {
  std::string said = (folder_.path() / "said").string();
  std::string command = std::string(METE_PROGRAM " sweep </dev/null 2>") + said;
  int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(ReadFile(said).value(),
            "mete sweep: expected a network file or a command after --: "
            "mete sweep --memory 400Mi:40Mi -- ./app\n");
}

}  // namespace
}  // namespace mete
