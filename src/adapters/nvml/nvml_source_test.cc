#include "adapters/nvml/nvml_source.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::seconds;

// Loads tests/fixtures/fake_nvml.cc as one of its machines.
class NvmlSourceTest : public testing::Test {
 protected:
  void Be(const char* kind) { setenv("METE_TEST_NVML", kind, 1); }
  ~NvmlSourceTest() override { unsetenv("METE_TEST_NVML"); }

  std::unique_ptr<MachineSource> Open() {
    auto source = NvmlSource::Open(METE_TEST_FAKE_NVML, clock);
    EXPECT_TRUE(source.ok()) << source.error().message();
    return *std::move(source);
  }
  GpuSample Sample(MachineSource& source) {
    MachineSample sample;
    source.AddTo(sample);
    EXPECT_EQ(sample.gpus.size(), 1u);
    return sample.gpus.at(0);
  }

  FakeClock clock;
};

TEST_F(NvmlSourceTest, ReportsTheStateOfTheGpu) {
  auto source = Open();
  GpuSample gpu = Sample(*source);
  EXPECT_EQ(gpu.name, "NVIDIA A2");
  EXPECT_EQ(gpu.utilization, 0.4);
  EXPECT_EQ(gpu.power, Watts{31.5});
  EXPECT_EQ(gpu.celsius, 61);
}

TEST_F(NvmlSourceTest, ReportsUsedNotFreeMemory) {
  auto source = Open();
  GpuSample gpu = Sample(*source);
  EXPECT_EQ(gpu.memory_used, Mebibytes(900));
  EXPECT_EQ(gpu.memory_total, Mebibytes(15356));
}

TEST_F(NvmlSourceTest, CountsEnergyFromTheFirstSampleOn) {
  auto source = Open();
  EXPECT_EQ(Sample(*source).joules, 0);
  EXPECT_EQ(Sample(*source).joules, 2.5);
  EXPECT_EQ(Sample(*source).joules, 5);
}

TEST_F(NvmlSourceTest, SumsPowerWhereTheGpuHasNoCounter) {
  Be("old");
  auto source = Open();
  EXPECT_EQ(Sample(*source).joules, 0);
  clock.Advance(seconds(2));
  EXPECT_NEAR(*Sample(*source).joules, 63, 1e-9);
}

TEST_F(NvmlSourceTest, ListsEveryProcessWhoseMemoryIsNotHidden) {
  auto source = Open();
  GpuSample gpu = Sample(*source);
  ASSERT_EQ(gpu.processes.size(), 99u);
  EXPECT_EQ(gpu.processes[0].pid, 4001);
  EXPECT_EQ(gpu.processes[98].memory, Mebibytes(99));
}

TEST_F(NvmlSourceTest, FailsWithoutADriverOrGpu) {
  Be("no-driver");
  auto source = NvmlSource::Open(METE_TEST_FAKE_NVML, clock);
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(source.error().message(), "nvmlInit: Driver Not Loaded");
  Be("empty");
  auto empty = NvmlSource::Open(METE_TEST_FAKE_NVML, clock);
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(empty.error().code(), ErrorCode::kNotFound);
}

TEST_F(NvmlSourceTest, ReportsTheDriverToTheDoctor) {
  auto answer = AskNvml(METE_TEST_FAKE_NVML);
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->driver, "535.161.08");
  EXPECT_EQ(answer->devices, 1u);
}

TEST(Nvml, FailsWhenItIsNotInstalled) {
  auto answer = AskNvml("libmete-no-such-library.so.1");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kNotFound);
}

TEST(Nvml, RejectsALibraryWithoutItsFunctions) {
  auto answer = AskNvml("libc.so.6");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace mete
