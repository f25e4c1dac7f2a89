#include "measure/gpu_summary.h"

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

TEST(SummariseGpus, ReportsMeanPeaksAndEnergyUpToTheEnd) {
  auto summary = SummariseGpus({{.usage = {.gpu_memory = Mebibytes(300)},
                                 .machine = OneGpu(0.2, Mebibytes(900), 10)},
                                {.usage = {.gpu_memory = Mebibytes(200)},
                                 .machine = OneGpu(0.6, Mebibytes(500), 20)}},
                               OneGpu(0, Bytes{0}, 25));
  ASSERT_TRUE(summary.has_value());
  EXPECT_THAT(summary->names, ElementsAre("A2"));
  EXPECT_NEAR(*summary->mean_utilization, 0.4, 1e-12);
  EXPECT_EQ(summary->peak_utilization, 0.6);
  EXPECT_EQ(summary->peak_memory, Mebibytes(900));
  EXPECT_EQ(summary->application_peak_memory, Mebibytes(300));
  EXPECT_EQ(summary->total_memory, Gibibytes(16));
  EXPECT_EQ(summary->energy, Joules{25});
}

TEST(SummariseGpus, CombinesSeveralGpus) {
  MachineSample two = OneGpu(0.2, Mebibytes(100), 1);
  two.gpus.push_back({.name = "silent"});
  two.gpus.push_back(OneGpu(0.8, Mebibytes(50), 2).gpus[0]);
  auto summary = SummariseGpus({{.machine = two}}, two);
  EXPECT_EQ(summary->peak_utilization, 0.5);
  EXPECT_EQ(summary->peak_memory, Mebibytes(150));
  EXPECT_EQ(summary->energy, Joules{3});
}

TEST(SummariseGpus, OmitsWhatNoGpuReports) {
  MachineSample silent{.gpus = {{.name = "silent"}}};
  auto summary = SummariseGpus({{.machine = silent}}, silent);
  ASSERT_TRUE(summary.has_value());
  EXPECT_FALSE(summary->mean_utilization.has_value());
  EXPECT_FALSE(summary->peak_memory.has_value());
  EXPECT_FALSE(summary->energy.has_value());
}

TEST(SumGpuMemory, CountsOnlyOwnProcesses) {
  std::vector<GpuSample> gpus = {
      {.processes = {{7, Mebibytes(1)}, {8, Mebibytes(2)}}},
      {.processes = {{7, Mebibytes(4)}}}};
  EXPECT_EQ(SumGpuMemory({7, 9}, gpus), Mebibytes(5));
  EXPECT_EQ(SumGpuMemory({9}, gpus), Bytes{0});
}

TEST(SumGpuMemory, IsAbsentWhenProcessesAreUnknown) {
  EXPECT_EQ(SumGpuMemory({7}, {{.name = "GR3D"}}), std::nullopt);
  EXPECT_EQ(SumGpuMemory({}, {{.processes = {{7, Mebibytes(1)}}}}),
            std::nullopt);
}

TEST(SummariseGpus, LeavesOutSamplesWithoutAReport) {
  MachineSample silent{.gpus = {{.name = "A2"}}};
  auto summary = SummariseGpus({{.machine = OneGpu(0.2, Mebibytes(1), 1)},
                                {.machine = silent},
                                {.machine = OneGpu(0.4, Mebibytes(1), 1)}},
                               silent);
  EXPECT_NEAR(*summary->mean_utilization, 0.3, 1e-12);
  EXPECT_FALSE(summary->total_memory);
}

}  // namespace
}  // namespace mete
