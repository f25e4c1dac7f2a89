#include "contend/summarize_mix.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

ServiceSample SampleAt(double seconds, std::optional<double> cpu) {
  ServiceSample sample{.at = Seconds(seconds)};
  if (cpu) sample.usage.cpu = Seconds(*cpu);
  return sample;
}

InstanceMeasurement Instance(std::vector<double> service, double cpu) {
  InstanceMeasurement instance{.process = "12"};
  instance.times.service = std::move(service);
  instance.samples = {SampleAt(0, 1), SampleAt(2, 1 + 2 * cpu)};
  return instance;
}

MixMeasurement TwoTenants() {
  MixMeasurement measured;
  measured.mix = {.id = "random-003",
                  .tenants = {{"victim", 2, 5}, {"bully", 1, 8}},
                  .seed = 7};
  measured.window = Seconds(2);
  measured.tenants = {
      {.tenant = measured.mix.tenants[0],
       .answers = {.sent = 20, .answered = 20},
       .instances = {Instance({1, 2}, 0.25), Instance({3, 4}, 0.5)}},
      {.tenant = measured.mix.tenants[1],
       .answers = {.sent = 16, .answered = 0, .saturation = "times grew"},
       .instances = {Instance({}, 0.5)}}};
  return measured;
}

const Device kDevice{.id = "d", .name = "box", .facts = {.cores = 2}};

TEST(SummarizeMix, JoinsTheTimesOfAllReplicas) {
  auto rows = SummarizeMix(TwoTenants(), kDevice);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].service.mean, 2.5);
  EXPECT_EQ(rows[0].service.p50, 2.5);
  EXPECT_EQ(rows[0].cores, 2);
  EXPECT_EQ(rows[0].mix, "random-003");
}

TEST(SummarizeMix, AddsTheUsageOfTheInstances) {
  auto rows = SummarizeMix(TwoTenants(), kDevice);
  EXPECT_DOUBLE_EQ(rows[0].usage.cpu_cores.value(), 0.75);
}

TEST(SummarizeMix, HasNoSumIfOneInstanceWasNotCounted) {
  MixMeasurement measured = TwoTenants();
  for (ServiceSample& sample : measured.tenants[0].instances[1].samples) {
    sample.usage.cpu.reset();
  }
  EXPECT_FALSE(SummarizeMix(measured, kDevice)[0].usage.cpu_cores);
}

TEST(SummarizeMix, LabelsSaturatedTenantsAndKeepsTheirTimesAbsent) {
  auto rows = SummarizeMix(TwoTenants(), kDevice);
  EXPECT_FALSE(rows[0].saturated);
  EXPECT_TRUE(rows[1].saturated);
  EXPECT_FALSE(rows[1].service.mean);
}

TEST(MakeServiceRuns, ARunKnowsItsCoRunners) {
  uint64_t drawn = 0;
  auto runs =
      MakeServiceRuns(TwoTenants(), {.device = kDevice, .launcher = "process"},
                      [&] { return RunEntropy{.low = ++drawn}; });
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_NE(runs[0].id, runs[1].id);
  EXPECT_EQ(runs[0].workload.kind, WorkloadKind::kService);
  EXPECT_EQ(runs[0].workload.name, "victim");
  EXPECT_EQ(runs[0].seed, 7u);
  const ServiceDetails& service = *runs[0].application()->service;
  ASSERT_EQ(service.co_runners.size(), 1u);
  EXPECT_EQ(service.co_runners[0].application, "bully");
  EXPECT_EQ(runs[1].application()->service->saturation, "times grew");
}

TEST(MakeServiceRuns, TheOutcomeSaysWhatWasAnsweredBesideWhom) {
  auto runs =
      MakeServiceRuns(TwoTenants(), {.device = kDevice, .launcher = "process"},
                      [] { return RunEntropy{}; });
  EXPECT_EQ(runs[0].outcome.detail,
            "20 of 20 requests answered, median service time 2.50 s, beside "
            "bully at 8/s");
}

TEST(MakeServiceRuns, ATenantWithoutAnswersHasFailed) {
  auto runs =
      MakeServiceRuns(TwoTenants(), {.device = kDevice, .launcher = "process"},
                      [] { return RunEntropy{}; });
  EXPECT_EQ(runs[0].outcome.kind, OutcomeKind::kCompleted);
  EXPECT_EQ(runs[1].outcome.kind, OutcomeKind::kFailed);
}

}  // namespace
}  // namespace mete
