#include "adapters/host/linux_host.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include <cstring>
#include <thread>

#include "support/file.h"

namespace mete {
namespace {

class LinuxHostTest : public testing::Test {
 protected:
  ScratchFolder folder = *ScratchFolder::Create();
  LinuxHost here{"/", folder.path()};
  LinuxHost nano{std::string(METE_FIXTURES) + "/root/jetson-nano",
                 folder.path()};
};

TEST_F(LinuxHostTest, ReadsTheMachineItRunsOn) {
  auto facts = here.Facts();
  ASSERT_TRUE(facts.ok()) << facts.error().message();
  utsname name{};
  uname(&name);
  EXPECT_EQ(facts->architecture, name.machine);
  EXPECT_EQ(facts->kernel, name.release);
  EXPECT_GE(facts->cores, 1);
  EXPECT_GT(facts->ram, Mebibytes(1));
  EXPECT_EQ(here.HostName(), name.nodename);
}

TEST_F(LinuxHostTest, ReadsARecordedMachine) {
  auto facts = nano.Facts();
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->board, "NVIDIA Jetson Nano Developer Kit");
  EXPECT_EQ(nano.ReadEnvironment().governor, "schedutil");
  EXPECT_EQ(nano.DeviceId()->size(), 16u);
}

TEST_F(LinuxHostTest, PinsTheThreadAndItsDescendants) {
  const std::vector<int> before = here.UsableCpus();
  ASSERT_FALSE(before.empty());
  ASSERT_TRUE(here.PinThread({before.back()}).ok());
  std::vector<int> inherited;
  std::thread([&] { inherited = here.UsableCpus(); }).join();
  EXPECT_EQ(inherited, std::vector<int>{before.back()});
  ASSERT_TRUE(here.PinThread(before).ok());
  EXPECT_EQ(here.UsableCpus(), before);
  Status missing = here.PinThread({before.front(), 65000});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(here.UsableCpus(), before);
}

TEST_F(LinuxHostTest, ReadsTheCpuTimesOfTheMachine) {
  auto times = here.ReadCpuTimes();
  ASSERT_TRUE(times.has_value());
  EXPECT_GE(times->cpus, 1);
  EXPECT_GT(times->busy, Seconds(0));
  EXPECT_FALSE(LinuxHost(folder.path(), folder.path()).ReadCpuTimes());
}

// Directly from and to the kernel: an allocator may keep freed memory.
void TouchAndReturn(size_t bytes) {
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 1, bytes);
  munmap(block, bytes);
}

TEST_F(LinuxHostTest, MeasuresPeakMemoryAndResetsIt) {
  if (!here.PeakMemory()) GTEST_SKIP() << "no VmHWM in /proc/self/status";
  Bytes before = *here.PeakMemory();
  TouchAndReturn(size_t{256} << 20);
  Bytes touched = *here.PeakMemory();
  EXPECT_GE(touched, Bytes{before.count + Mebibytes(64).count});
  here.ResetPeakMemory();
  if (*here.PeakMemory() == touched) {
    GTEST_SKIP() << "this kernel cannot reset VmHWM";
  }
  EXPECT_LT(*here.PeakMemory(), touched);
}

TEST_F(LinuxHostTest, PeakMemoryIsAbsentWhereTheKernelDoesNotReportIt) {
  EXPECT_EQ(nano.PeakMemory(), std::nullopt);
}

}  // namespace
}  // namespace mete
