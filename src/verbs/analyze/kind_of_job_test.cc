#include "analyze/kind_of_job.h"

#include <gtest/gtest.h>

#include "analyze/test_usage.h"
#include "support/random.h"

namespace mete {
namespace {

JobKind KindFor(JobSeries series) {
  return AnalyzeJob({.series = std::move(series)}).value().kind.kind;
}

TimeSeries Constant(double value) {
  return TestUsage(240, 30, [=](double) { return value; });
}

TEST(KindOfJob, NothingUsedIsEmpty) {
  EXPECT_EQ(KindFor({.gpu_utilization = Constant(0), .cpu = Constant(0.001)}),
            JobKind::kEmpty);
}

TEST(KindOfJob, ACyclicGpuIsTraining) {
  Random random(1);
  auto gpu = TestUsage(240, 30, [&](double t) {
    return 0.6 + 0.3 * TestWave(t, 600) + 0.02 * random.Normal();
  });
  EXPECT_EQ(KindFor({.gpu_utilization = gpu}), JobKind::kTraining);
}

TEST(KindOfJob, AGpuThatFollowsTheNetworkIsInference) {
  Random random(2);
  TimeSeries gpu, network;
  for (int i = 0; i < 300; ++i) {
    const double load = random.Uniform();
    gpu.times.push_back(kTestStart + 30 * i);
    gpu.values.push_back(0.2 + 0.6 * load);
    network.times.push_back(kTestStart + 30 * i);
    network.values.push_back(1e6 * (load + 0.1 * random.Uniform()));
  }
  const auto analysis = AnalyzeJob({.series = {.gpu_utilization = gpu,
                                               .network_receive = network}})
                            .value();
  EXPECT_EQ(analysis.kind.kind, JobKind::kInference);
  EXPECT_NE(analysis.kind.evidence.at(0).find("follows"), std::string::npos);
}

TEST(KindOfJob, ADailyCurveIsInference) {
  auto cpu = TestUsage(size_t{5} * 96, 900,
                       [](double t) { return 2 + TestWave(t, 86400); });
  EXPECT_EQ(KindFor({.cpu = cpu}), JobKind::kInference);
}

TEST(KindOfJob, ReadingWhileTheGpuWaitsIsDataBound) {
  EXPECT_EQ(KindFor({.gpu_utilization = Constant(0.15),
                     .disk_read = Constant(200e6)}),
            JobKind::kDataBound);
}

TEST(KindOfJob, MemoryWithoutComputingIsIdleHolding) {
  EXPECT_EQ(KindFor({.gpu_utilization = Constant(0),
                     .gpu_memory = Constant(8e9),
                     .cpu = Constant(0.001)}),
            JobKind::kIdleHolding);
}

TEST(KindOfJob, WithoutAMeasurementItIsOther) {
  EXPECT_EQ(KindFor({}), JobKind::kOther);
}

}  // namespace
}  // namespace mete
