// Tests with real processes, which must survive, and with a tree of files.
#include "adapters/attach/attach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "support/file.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

// A child process that is killed at the end of the test.
class Child {
 public:
  explicit Child(void (*body)()) : pid_(fork()) {
    if (pid_ != 0) return;
    body();
    _exit(0);
  }
  ~Child() { End(); }
  int pid() const { return pid_; }
  bool Alive() const { return kill(pid_, 0) == 0; }
  void End() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  int pid_;
};

void Sleep() { pause(); }
void Burn() {
  volatile uint64_t work = 0;
  while (true) work = work + 1;
}

TEST(AttachTo, AProcessSurvivesTheObservation) {
  Child child(Sleep);
  {
    auto attached = AttachTo({.pid = child.pid()}, SystemRoot());
    ASSERT_TRUE(attached.ok()) << attached.error().message();
    EXPECT_EQ(attached->workload.kind, WorkloadKind::kService);
    EXPECT_FALSE(attached->workload.name.empty());
    RunningApplication& application = *attached->application;
    EXPECT_FALSE(application.Wait(milliseconds(30)));
    application.Terminate();
    application.Kill();
    EXPECT_FALSE(application.Outcome().exit_code.has_value());
  }
  EXPECT_TRUE(child.Alive());
}

TEST(AttachTo, CountsTheCpuTimeSinceTheAttachment) {
  Child child(Burn);
  usleep(300'000);  // before: not counted
  auto attached = AttachTo({.pid = child.pid()}, SystemRoot());
  ASSERT_TRUE(attached.ok());
  EXPECT_FALSE(attached->application->Wait(milliseconds(300)));
  ResourceUsage usage = attached->application->Usage();
  ASSERT_TRUE(usage.cpu.has_value());
  EXPECT_GT(usage.cpu->count(), 0.02);
  EXPECT_LT(usage.cpu->count(), 0.5);
  ASSERT_TRUE(usage.memory_peak.has_value());
  EXPECT_GT(usage.memory_peak->count, 0u);
}

TEST(AttachTo, NoticesTheEndAndKeepsTheLastUsage) {
  Child child(Sleep);
  auto attached = AttachTo({.pid = child.pid()}, SystemRoot());
  ASSERT_TRUE(attached.ok());
  ASSERT_TRUE(attached->application->Usage().memory.has_value());
  child.End();
  EXPECT_TRUE(attached->application->Wait(milliseconds(1000)));
  EXPECT_TRUE(attached->application->Usage().memory.has_value());
}

TEST(AttachTo, AnUnknownProcessIsNotFound) {
  auto attached = AttachTo({.pid = 999'999'999}, SystemRoot());
  ASSERT_FALSE(attached.ok());
  EXPECT_EQ(attached.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(attached.error().message(), "no process has the PID 999999999");
}

// A machine of plain files with cgroup v2 and two containers.
class AttachToContainerTest : public testing::Test {
 protected:
  void SetUp() override {
    Put("/proc/self/mountinfo",
        "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    Put("/sys/fs/cgroup/cgroup.controllers", "cpu io memory pids\n");
    Put("/proc/7/cgroup", "0::" + Group('a') + "/nested\n");
    Put("/proc/8/cgroup", "0::" + Group('b') + "\n");
    Put("/proc/9/cgroup", "0::/user.slice\n");
    for (char digit : {'a', 'b'}) {
      Put("/sys/fs/cgroup" + Group(digit) + "/memory.current", "1048576\n");
      Put("/sys/fs/cgroup" + Group(digit) + "/pids.current", "1\n");
      Put("/sys/fs/cgroup" + Group(digit) + "/cpu.stat",
          "usage_usec 5000000\n");
    }
    Put("/sys/fs/cgroup" + Group('a') + "/nested/cpu.stat", "usage_usec 1\n");
  }
  static std::string Group(char digit) {
    return "/system.slice/docker-" + std::string(64, digit) + ".scope";
  }
  void Put(const std::string& path, const std::string& content) {
    auto file = root.Locate(path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << content;
  }

  ScratchFolder scratch = *ScratchFolder::Create();
  SystemRoot root{scratch.path()};
};

TEST_F(AttachToContainerTest, ReadsTheCgroupOfTheWholeContainer) {
  auto attached = AttachTo({.container = "aaaaaaaaaaaa"}, root);
  ASSERT_TRUE(attached.ok()) << attached.error().message();
  EXPECT_EQ(attached->workload.source, "container aaaaaaaaaaaa");
  Put("/sys/fs/cgroup" + Group('a') + "/cpu.stat", "usage_usec 7500000\n");
  ResourceUsage usage = attached->application->Usage();
  EXPECT_EQ(usage.cpu, Seconds(2.5));
  EXPECT_EQ(usage.memory, Mebibytes(1));
  EXPECT_FALSE(attached->application->Wait(milliseconds(1)));
  std::filesystem::remove_all(root.Locate("/sys/fs/cgroup" + Group('a')));
  EXPECT_TRUE(attached->application->Wait(milliseconds(100)));
  EXPECT_EQ(attached->application->Usage().cpu, Seconds(2.5));
}

TEST_F(AttachToContainerTest, AnUnknownNameIsAnsweredWithTheRunningOnes) {
  auto attached = AttachTo({.container = "web"}, root);
  ASSERT_FALSE(attached.ok());
  EXPECT_EQ(attached.error().message(),
            "no running container is called 'web'; running: aaaaaaaaaaaa, "
            "bbbbbbbbbbbb");
}

}  // namespace
}  // namespace mete
