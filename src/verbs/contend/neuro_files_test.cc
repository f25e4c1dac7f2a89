#include "contend/neuro_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

InstanceMeasurement Replica(const std::string& process, double service) {
  InstanceMeasurement instance{.process = process};
  instance.times = {.uid = process,
                    .service = {service},
                    .arrival = {100},
                    .departure = {100 + service},
                    .interarrival = {0},
                    .queueing = {0.5},
                    .queue_lengths = {2}};
  return instance;
}

ServiceSample Sampled(double at, double cpu, uint64_t faults) {
  return {.at = Seconds(at),
          .usage = {.cpu = Seconds(cpu), .minor_faults = faults}};
}

MixMeasurement OneTenant() {
  MixMeasurement measured;
  measured.tenants = {{.tenant = {"app", 2, 12.5},
                       .instances = {Replica("11", 0.25), Replica("12", 0.75)},
                       .process_ids = {11, 12},
                       .port = 8001}};
  return measured;
}

TEST(NeuroRequestsJson, HasTheRateOfOneInstance) {
  auto json = ParseJson(NeuroRequestsJson(OneTenant()));
  ASSERT_TRUE(json.ok());
  const Json& request = json->at("tenant_requests").at(0);
  EXPECT_EQ(request.at("id"), 0);
  EXPECT_EQ(request.at("application"), "app");
  EXPECT_EQ(request.at("arrival_rate"), 12.5);
  EXPECT_EQ(request.at("num_instances"), 2);
  EXPECT_EQ(request.at("port"), 8001);
  EXPECT_EQ(request.at("pids").dump(), "[11,12]");
}

TEST(NeuroTimesCsv, JoinsTheReplicasWithOneIndex) {
  EXPECT_EQ(NeuroTimesCsv(OneTenant().tenants[0]),
            "index,service_times,arrival_times,departure_times,"
            "interarrival_times,queueing_times,queue_lens\n"
            "0,0.250000000,100.000000000,100.250000000,0.000000000,"
            "0.500000000,2\n"
            "1,0.750000000,100.000000000,100.750000000,0.000000000,"
            "0.500000000,2\n");
}

TEST(NeuroCountersCsv, DerivesTheValuesThatPerfPrints) {
  InstanceMeasurement instance = Replica("11", 1);
  instance.samples = {Sampled(0, 5, 1000), Sampled(1, 5.25, 3000)};
  EXPECT_EQ(NeuroCountersCsv(instance),
            "index,time,count,count_unit,event,value,value_unit\n"
            "0,1.000000000,250,msec,cpu-clock,0.25,CPUs utilized\n"
            "1,1.000000000,2000,,page-faults,2,K/sec\n");
}

TEST(NeuroCountersCsv, CountsCacheMissesAsAShareOfTheReferences) {
  InstanceMeasurement instance = Replica("11", 1);
  instance.samples = {Sampled(0, 5, 0), Sampled(1, 5, 0)};
  EXPECT_THAT(NeuroCountersCsv(instance), Not(HasSubstr("cache")));
  instance.samples[0].usage.hardware = {.cache_references = 0,
                                        .cache_misses = 0};
  instance.samples[1].usage.hardware = {.cache_references = 4'000'000,
                                        .cache_misses = 1'000'000};
  EXPECT_THAT(NeuroCountersCsv(instance),
              HasSubstr("4e+06,,cache-references,4,M/sec"));
  EXPECT_THAT(NeuroCountersCsv(instance),
              HasSubstr("1e+06,,cache-misses,25,of all cache refs"));
}

TEST(WriteNeuroFiles, NamesTheFilesLikeNeuro) {
  ScratchFolder scratch = ScratchFolder::Create().value();
  ASSERT_TRUE(WriteNeuroFiles(OneTenant(), scratch.path() / "run").ok());
  for (const char* name : {"tenant_requests.json", "tenant-0.csv",
                           "proc_metrics/tenant_0/11.parsed.csv",
                           "proc_metrics/tenant_0/12.parsed.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(scratch.path() / "run" / name)) << name;
  }
}

}  // namespace
}  // namespace mete
