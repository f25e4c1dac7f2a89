// Tests what an import rejects. A failed import must not store anything.
#include "collect/export_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/device_json.h"
#include "domain/network_traits_json.h"
#include "domain/run_json.h"
#include "support/json.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string DeviceLine(const std::string& id, const std::string& name) {
  Json json;
  json["device"] = DeviceToJson({.id = id, .name = name});
  return json.dump() + "\n";
}

std::string RunLineWith(const std::string& id, const std::string& device,
                        const std::string& workload = "net") {
  Run run{.id = id, .device_id = device, .details = NetworkDetails()};
  run.workload.name = workload;
  Json json;
  json["run"] = RunToJson(run);
  return json.dump() + "\n";
}

// Returns the message of the failed import of these lines.
std::string FailWith(const std::string& lines) {
  MemoryRunStore store;
  auto counts = ImportRuns(store, lines);
  EXPECT_FALSE(counts.ok());
  EXPECT_THAT(store.ListDevices().value(), IsEmpty());
  EXPECT_THAT(store.ListRuns({}).value(), IsEmpty());
  EXPECT_THAT(store.ListNetworks().value(), IsEmpty());
  return counts.ok() ? "" : counts.error().message();
}

TEST(ImportRuns, AcceptsARunAfterItsDevice) {
  MemoryRunStore store;
  const std::string lines = DeviceLine("d1", "half") + RunLineWith("r1", "d1") +
                            "\n" + RunLineWith("r1", "d1");
  auto counts = ImportRuns(store, lines);
  ASSERT_TRUE(counts.ok()) << counts.error().message();
  EXPECT_EQ(counts->runs, 1u);
  EXPECT_EQ(counts->known, 1u);
}

TEST(ImportRuns, RejectsTwoDevicesOfOneName) {
  EXPECT_THAT(FailWith(DeviceLine("d1", "half") + DeviceLine("d2", "half")),
              HasSubstr("line 2: "));
}

TEST(ImportRuns, RejectsTwoDifferentRunsOfOneId) {
  EXPECT_THAT(FailWith(DeviceLine("d1", "half") + RunLineWith("r1", "d1") +
                       RunLineWith("r1", "d1", "other")),
              HasSubstr("line 3: "));
}

TEST(ImportRuns, RejectsWhatHasNoIdentity) {
  const std::string device = DeviceLine("d1", "half");
  EXPECT_THAT(FailWith(device + DeviceLine("", "other")),
              HasSubstr("line 2: "));
  EXPECT_THAT(FailWith(device + DeviceLine("d2", "")), HasSubstr("line 2: "));
  EXPECT_THAT(FailWith(device + RunLineWith("", "d1")), HasSubstr("line 2: "));
  Json network;
  network["network"] = NetworkTraitsToJson({.name = "net"});
  EXPECT_THAT(FailWith(device + network.dump() + "\n"), HasSubstr("line 2: "));
}

TEST(ImportRuns, TakesNoNameOfADeviceForItsId) {
  MemoryRunStore store;
  ASSERT_TRUE(store.SaveDevice({.id = "d1", .name = "half"}).ok());
  auto counts =
      ImportRuns(store, RunLineWith("r1", "d1") + RunLineWith("r2", "half"));
  ASSERT_FALSE(counts.ok());
  EXPECT_THAT(counts.error().message(), HasSubstr("line 2: "));
  EXPECT_THAT(store.ListRuns({}).value(), IsEmpty());
}

}  // namespace
}  // namespace mete
