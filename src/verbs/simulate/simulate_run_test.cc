#include "simulate/simulate_run.h"

#include <gtest/gtest.h>

#include <map>

#include "gpu_packing/published_policies.h"
#include "simulate/test_traces.h"

namespace mete {
namespace {

TEST(PodArrivals, TakeEveryPodOnceBeforeAnyTwice) {
  const GpuTrace trace = TestTrace();
  PodArrivals arrivals(trace.pods, 1);
  std::map<PodShape, int> seen;
  for (size_t i = 0; i < trace.pods.size(); ++i) ++seen[arrivals.Next()];
  EXPECT_EQ(seen.size(), trace.pods.size());
  for (int i = 0; i < 100; ++i) ++seen[arrivals.Next()];
  EXPECT_EQ(seen.size(), trace.pods.size());
}

TEST(SimulateRun, StopsAsSoonAsTheDemandHasArrived) {
  const GpuTrace trace = TestTrace();
  const auto policy = BestFitPolicy();
  const auto levels =
      SimulateRun(trace, {.seed = 1, .levels = {0.5, 1, 2}}, *policy).value();
  ASSERT_EQ(levels.size(), 3u);
  for (size_t i = 0; i < levels.size(); ++i) {
    const double level = i == 0 ? 0.5 : i == 1 ? 1 : 2;
    EXPECT_GE(levels[i].arrived, level);
    EXPECT_LT(levels[i].arrived, level + 0.4);  // two of five GPUs
    EXPECT_LE(levels[i].allocated, 1);
  }
  EXPECT_GT(levels[2].AllRejected(), 0u);
}

TEST(SimulateRun, AllocatesWhatArrivedLessWhatWasRejected) {
  // One pod of one whole GPU, six times, on four GPUs.
  const auto trace =
      ParseGpuTrace({.nodes = "sn,cpu_milli,memory_mib,gpu,model\nn,9,9,4,T\n",
                     .pods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n"
                             "p,1,1,1,1000\n"})
          .value();
  const auto policy = BestFitPolicy();
  const auto levels =
      SimulateRun(trace, {.seed = 1, .levels = {1, 1.5}}, *policy).value();
  EXPECT_EQ(levels[0].pods, 4u);
  EXPECT_EQ(levels[0].AllRejected(), 0u);
  EXPECT_EQ(levels[1].pods, 6u);
  EXPECT_DOUBLE_EQ(levels[1].allocated, 1);
  EXPECT_EQ(levels[1].RejectedWith(1), 2u);
  EXPECT_EQ(levels[1].RejectedWith(0), 0u);
}

TEST(SimulateRun, EndsWhenItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  const auto policy = BestFitPolicy();
  EXPECT_FALSE(SimulateRun(TestTrace(), {}, *policy, stop.get_token()));
}

TEST(SimulateRun, IsTheSameForTheSameSeed) {
  const GpuTrace trace = TestTrace();
  const auto allocated = [&](uint64_t seed) {
    const auto policy = RandomPolicy(seed);
    return SimulateRun(trace, {.seed = seed, .levels = {3}}, *policy)
        ->front()
        .pods;
  };
  EXPECT_EQ(allocated(5), allocated(5));
}

}  // namespace
}  // namespace mete
