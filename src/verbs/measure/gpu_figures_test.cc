#include "measure/gpu_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;

MachineSample OneGpu(double utilization, Bytes used, double joules) {
  return {.gpus = {{.name = "A2",
                    .utilization = utilization,
                    .memory_used = used,
                    .memory_total = Gibibytes(16),
                    .joules = joules}}};
}

TEST(SummariseGpus, IsAbsentWithoutAGpu) {
  EXPECT_FALSE(SummariseGpus({{}}, {}).has_value());
}

TEST(SummariseGpus, TellsMeanAndPeaksAndTheEnergyUpToTheEnd) {
  auto figures = SummariseGpus({{.usage = {.gpu_memory = Mebibytes(300)},
                                 .machine = OneGpu(0.2, Mebibytes(900), 10)},
                                {.usage = {.gpu_memory = Mebibytes(200)},
                                 .machine = OneGpu(0.6, Mebibytes(500), 20)}},
                               OneGpu(0, Bytes{0}, 25));
  ASSERT_TRUE(figures.has_value());
  EXPECT_THAT(figures->names, ElementsAre("A2"));
  EXPECT_NEAR(*figures->mean_utilization, 0.4, 1e-12);
  EXPECT_EQ(figures->peak_utilization, 0.6);
  EXPECT_EQ(figures->peak_memory, Mebibytes(900));
  EXPECT_EQ(figures->application_peak_memory, Mebibytes(300));
  EXPECT_EQ(figures->total_memory, Gibibytes(16));
  EXPECT_EQ(figures->energy, Joules{25});
}

TEST(SummariseGpus, TakesSeveralTogether) {
  MachineSample two = OneGpu(0.2, Mebibytes(100), 1);
  two.gpus.push_back({.name = "silent"});
  two.gpus.push_back(OneGpu(0.8, Mebibytes(50), 2).gpus[0]);
  auto figures = SummariseGpus({{.machine = two}}, two);
  EXPECT_EQ(figures->peak_utilization, 0.5);
  EXPECT_EQ(figures->peak_memory, Mebibytes(150));
  EXPECT_EQ(figures->energy, Joules{3});
}

TEST(SummariseGpus, LeavesOutWhatNoGpuTells) {
  MachineSample silent{.gpus = {{.name = "silent"}}};
  auto figures = SummariseGpus({{.machine = silent}}, silent);
  ASSERT_TRUE(figures.has_value());
  EXPECT_FALSE(figures->mean_utilization.has_value());
  EXPECT_FALSE(figures->peak_memory.has_value());
  EXPECT_FALSE(figures->energy.has_value());
}

TEST(GpuMemoryOf, CountsOwnProcessesOnly) {
  std::vector<GpuSample> gpus = {
      {.processes = {{7, Mebibytes(1)}, {8, Mebibytes(2)}}},
      {.processes = {{7, Mebibytes(4)}}}};
  EXPECT_EQ(GpuMemoryOf({7, 9}, gpus), Mebibytes(5));
  EXPECT_EQ(GpuMemoryOf({9}, gpus), Bytes{0});
}

TEST(GpuMemoryOf, IsAbsentWhenEitherSideTellsOfNoProcess) {
  EXPECT_EQ(GpuMemoryOf({7}, {{.name = "GR3D"}}), std::nullopt);
  EXPECT_EQ(GpuMemoryOf({}, {{.processes = {{7, Mebibytes(1)}}}}),
            std::nullopt);
}

}  // namespace
}  // namespace mete
