#include "adapters/docker/engine_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

using testing::ElementsAre;

TEST(EngineError, ContainsTheEnginesMessage) {
  Error error = EngineError(404, R"({"message":"no such image: x"})");
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_EQ(error.message(), "no such image: x");
}

TEST(EngineError, ContainsTheStatusWithoutAMessage) {
  EXPECT_EQ(EngineError(502, "").message(), "status 502");
  EXPECT_EQ(EngineError(500, "boom\n").message(), "boom");
}

TEST(EngineFacts, DistinguishesDockerFromPodman) {
  auto docker = ParseEngineFacts(
      Json::parse(R"({"Version":"20.10.24","Components":[{"Name":"Engine"}]})"),
      Json::parse(R"({"CgroupDriver":"cgroupfs"})"));
  EXPECT_EQ(docker->name, "docker");
  EXPECT_EQ(docker->version, "20.10.24");
  EXPECT_FALSE(docker->systemd_groups);
  auto podman = ParseEngineFacts(
      Json::parse(
          R"({"Version":"4.3.1","Components":[{"Name":"Podman Engine"}]})"),
      Json::parse(R"({"CgroupDriver":"systemd"})"));
  EXPECT_EQ(podman->name, "podman");
  EXPECT_TRUE(podman->systemd_groups);
}

TEST(ParseImage, ReadsIdEnvironmentAndStopSignal) {
  auto image = ParseImage(Json::parse(R"({"Id":"sha256:abc",
      "Architecture":"arm64",
      "Config":{"Env":["PATH=/bin"],"StopSignal":"SIGINT"}})"));
  EXPECT_EQ(image->sha256, "abc");
  EXPECT_EQ(image->architecture, "arm64");
  EXPECT_THAT(image->environment, ElementsAre("PATH=/bin"));
  EXPECT_EQ(image->stop_signal, "SIGINT");
}

TEST(ParseImage, AcceptsAnImageWithoutEnvironment) {
  auto image = ParseImage(Json::parse(R"({"Id":"x","Config":{"Env":null}})"));
  ASSERT_TRUE(image.ok());
  EXPECT_TRUE(image->environment.empty());
}

TEST(ParseState, ReadsTheLifetimeToTheNanosecond) {
  auto state = ParseState(Json::parse(R"({"State":{"Running":false,"Pid":0,
      "ExitCode":137,"OOMKilled":true,
      "StartedAt":"2026-01-02T03:04:05.9Z",
      "FinishedAt":"2026-01-02T03:04:06.000000001Z"}})"));
  EXPECT_EQ(state->exit_code, 137);
  EXPECT_TRUE(state->out_of_memory);
  EXPECT_EQ(state->lifetime, std::chrono::nanoseconds(100'000'001));
}

TEST(ParseState, HasNoLifetimeBeforeTheEnd) {
  auto state = ParseState(Json::parse(R"({"State":{"Running":true,"Pid":7,
      "ExitCode":0,"StartedAt":"2026-01-02T03:04:05Z",
      "FinishedAt":"0001-01-01T00:00:00Z"}})"));
  EXPECT_TRUE(state->running);
  EXPECT_EQ(state->pid, 7);
  EXPECT_FALSE(state->lifetime.has_value());
}

TEST(ParseState, NoStateIsCorrupt) {
  EXPECT_EQ(ParseState(Json::object()).error().code(), ErrorCode::kCorrupt);
}

TEST(ParseStats, ReadsCountersOfARunningContainer) {
  ResourceUsage usage = ParseStats(Json::parse(R"({"cpu_stats":{"cpu_usage":{
      "total_usage":1500000000,"usage_in_usermode":1000000000,
      "usage_in_kernelmode":500000000},"throttling_data":{"periods":10,
      "throttled_periods":4,"throttled_time":200000000}},
      "memory_stats":{"usage":1048576,"max_usage":2097152},
      "pids_stats":{"current":3}})"));
  EXPECT_DOUBLE_EQ(usage.cpu->count(), 1.5);
  EXPECT_DOUBLE_EQ(usage.throttled->count(), 0.2);
  EXPECT_EQ(usage.throttled_periods, 4u);
  EXPECT_EQ(usage.memory, Mebibytes(1));
  EXPECT_EQ(usage.memory_peak, Mebibytes(2));
  EXPECT_EQ(usage.processes, 3u);
}

TEST(ParseStats, IgnoresTheCountersOfAnEndedContainer) {
  ResourceUsage usage = ParseStats(Json::parse(
      R"({"cpu_stats":{"cpu_usage":{"total_usage":0}},"memory_stats":{}})"));
  EXPECT_FALSE(usage.cpu.has_value());
  EXPECT_FALSE(usage.memory.has_value());
}

TEST(ParseOwned, ListsOnlyContainersWithTheLabel) {
  auto owned = ParseOwned(Json::parse(R"([{"Id":"a","Labels":{"own":"1-2"}},
      {"Id":"b","Labels":null},{"Id":"c","Labels":{"other":"x"}}])"),
                          "own");
  ASSERT_EQ(owned.size(), 1u);
  EXPECT_EQ(owned[0].id, "a");
  EXPECT_EQ(owned[0].owner, "1-2");
}

TEST(SplitReference, HandlesTagsDigestsAndPorts) {
  auto text = [](const std::string& reference) {
    ImageReference parts = SplitReference(reference);
    return parts.name + " " + parts.version;
  };
  EXPECT_EQ(text("app"), "app latest");
  EXPECT_EQ(text("team/app:1.2"), "team/app 1.2");
  EXPECT_EQ(text("host:5000/app"), "host:5000/app latest");
  EXPECT_EQ(text("app@sha256:ff"), "app sha256:ff");
}

TEST(EncodeReference, EncodesWhatWouldEndThePath) {
  EXPECT_EQ(EncodeReference("a/b:1?x#y z"), "a/b:1%3Fx%23y%20z");
}

}  // namespace
}  // namespace mete
