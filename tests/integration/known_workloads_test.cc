// Tests that the process launcher measures workloads of known cost correctly,
// in cgroups where possible, and leaves no process behind.
#include "tests/integration/known_workloads.h"

#include <signal.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/process/process_launcher.h"
#include "linux/cgroup_facts.h"
#include "linux/page_cache.h"
#include "support/file.h"

namespace mete {
namespace {

bool CanMakeGroups() {
  CgroupFacts facts = ReadCgroups(SystemRoot());
  const CgroupController* memory = facts.Find("memory");
  const CgroupController* cpu = facts.Find("cpu");
  return geteuid() == 0 && memory != nullptr && memory->writable &&
         cpu != nullptr && cpu->writable;
}

KnownSubject Processes() {
  auto launcher = std::make_shared<ProcessLauncher>();
  return {.launcher = launcher.get(),
          .base = {.command = {METE_KNOWN_WORKLOAD}},
          .groups = CanMakeGroups(),
          .owner = launcher};
}

INSTANTIATE_TEST_SUITE_P(Process, KnownWorkloads, testing::Values(&Processes));

// Files on storage: not in a temporary folder that is in memory.
class WorkloadFiles : public testing::Test {
 protected:
  void SetUp() override {
    struct statfs system {};
    ASSERT_EQ(statfs(folder.path().c_str(), &system), 0);
    constexpr long kTmpfs = 0x01021994;
    if (system.f_type == kTmpfs) {
      GTEST_SKIP() << "the temporary folder is in memory (tmpfs)";
    }
  }
  mete::Run Measure(const std::vector<std::string>& arguments,
                    bool record_files = false) {
    PreparedApplication prepared{
        .spec = {.timeout = Seconds(60)},
        .launch = {.command = arguments, .record_files = record_files},
        .launcher = &launcher};
    auto done = RunApplication(
        prepared, {.machine = machine, .host = host, .clock = clock}, {}, {});
    EXPECT_TRUE(done.ok());
    files = done->opened_files;
    return done->run;
  }

  ScratchFolder folder = *ScratchFolder::Create();
  SystemClock clock;
  FakeHost host;
  LinuxMachineProbe machine{SystemRoot(), clock};
  ProcessLauncher launcher;
  std::optional<std::vector<std::filesystem::path>> files;
};

TEST_F(WorkloadFiles, WrittenBytesAreCounted) {
  mete::Run run = Measure(
      {METE_KNOWN_WORKLOAD, "write", (folder.path() / "data").string()});
  ASSERT_EQ(run.application()->exit_code, 0);
  ASSERT_TRUE(run.application()->usage.disk_written.has_value());
  EXPECT_NEAR(
      static_cast<double>(run.application()->usage.disk_written->count) /
          (1 << 20),
      20, 1);
}

TEST_F(WorkloadFiles, CachedPagesAreLeftOutOfThePeakAndNoted) {
  if (!CanMakeGroups()) GTEST_SKIP() << "needs root and cgroups";
  const auto file = std::filesystem::canonical(folder.path()) / "data";
  ASSERT_TRUE(WriteFileAtomically(file, std::string(32u << 20, 'x')).ok());
  mete::Run warm = Measure({METE_KNOWN_WORKLOAD, "map", file.string()}, true);
  ASSERT_EQ(warm.application()->exit_code, 0);
  EXPECT_LT(*warm.peak_rss, Mebibytes(8));
  EXPECT_GT(*warm.application()->usage.resident_peak, Mebibytes(32));
  EXPECT_THAT(warm.application()->notes,
              testing::Contains(testing::HasSubstr("page cache already")));
  ASSERT_TRUE(files.has_value());
  EXPECT_THAT(*files, testing::Contains(file));
  EXPECT_THAT(*files, testing::Contains(
                          std::filesystem::canonical(METE_KNOWN_WORKLOAD)));

  EvictFromCache(file);
  mete::Run cold = Measure({METE_KNOWN_WORKLOAD, "map", file.string()});
  EXPECT_GT(*cold.peak_rss, Mebibytes(32));
  EXPECT_GE(*cold.application()->usage.memory_file, Mebibytes(32));
  EXPECT_GE(*cold.application()->usage.disk_read, Mebibytes(32));
  EXPECT_THAT(cold.application()->notes,
              testing::Not(
                  testing::Contains(testing::HasSubstr("page cache already"))));
}

bool Lives(pid_t pid) { return kill(pid, 0) == 0; }

TEST(ProcessTree, GetsAGroupBesideAProcessOfMetes) {
  if (!CanMakeGroups()) GTEST_SKIP() << "needs root and cgroups";
  // A process in mete's cgroup, like a monitor that mete has started.
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    pause();
    _exit(0);
  }
  ProcessLauncher launcher;
  auto application = launcher.Start({.command = {"true"}});
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(application.ok()) << application.error().message();
  EXPECT_THAT((*application)->Accounting(), testing::HasSubstr("cgroup v"));
}

TEST(ProcessTree, EndsAProcessThatLeftItsSessionAndParent) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  auto file = folder->path() / "pid";
  ProcessLauncher launcher;
  auto application = launcher.Start(
      {.command = {METE_KNOWN_WORKLOAD, "background", file.string()}});
  ASSERT_TRUE(application.ok()) << application.error().message();
  ASSERT_TRUE((*application)->Wait(std::chrono::seconds(20)));
  (*application)->Kill();
  pid_t pid = std::stoi(*ReadFile(file));
  EXPECT_FALSE(Lives(pid)) << pid;
}

// Starts a child that launches an application and is killed itself.
TEST(ProcessTree, NothingSurvivesTheDeathOfMete) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  auto file = folder->path() / "pid";
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ProcessLauncher launcher;
    auto application = launcher.Start(
        {.command = {METE_KNOWN_WORKLOAD, "background", file.string()}});
    // When the file exists, the application has started its process.
    while (access(file.c_str(), R_OK) != 0) usleep(1000);
    kill(getpid(), SIGKILL);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  pid_t orphan = std::stoi(*ReadFile(file));
  for (int i = 0; i < 500 && Lives(orphan); ++i) usleep(10'000);
  EXPECT_FALSE(Lives(orphan)) << orphan;
}

}  // namespace
}  // namespace mete
