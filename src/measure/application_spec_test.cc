#include "measure/application_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;

ApplicationSpec Full() {
  return {.name = "detector",
          .command = {"--stream", "top"},
          .container =
              ContainerSettings{
                  .image = "my/app:1",
                  .mounts = {{"/data", "/data", true}},
                  .devices = {{"/dev/video0", "/dev/video0", "rw"}},
                  .runtime = "nvidia",
                  .network = "host",
                  .user = "1000",
                  .shared_memory = Mebibytes(64),
                  .privileges = {.privileged = true,
                                 .host_processes = true,
                                 .capabilities = {"SYS_NICE"},
                                 .security_options = {"seccomp=unconfined"}}},
          .pull = PullPolicy::kNever,
          .environment = {{"A", "1"}},
          .folder = "/app",
          .dataset = "/sets/street",
          .instructions = "look left",
          .limits = {.memory = Mebibytes(512),
                     .cpus = Millicores{500},
                     .threads = 2,
                     .cpuset = "0-1",
                     .processes = 64,
                     .swap = true},
          .timeout = Seconds(60),
          .grace = Seconds(2),
          .repeat = 3,
          .sample_hertz = 20,
          .probes = {.machine = false, .hooks = false}};
}

TEST(ApplicationSpec, ComesBackWholeFromJson) {
  Json json = ApplicationSpecToJson(Full());
  auto back = ApplicationSpecFromJson(json);
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(back->container, Full().container);
  EXPECT_EQ(ApplicationSpecToJson(*back).dump(), json.dump());
  EXPECT_EQ(json["limits"]["memory_bytes"], 512 << 20);
  EXPECT_EQ(json["timeout_seconds"], 60);
  EXPECT_EQ(json["pull"], "never");
}

TEST(ApplicationSpec, WhatIsAbsentHasNoKey) {
  Json json = ApplicationSpecToJson({.command = {"./app"}});
  for (const char* key : {"name", "container", "pull", "environment", "folder",
                          "dataset", "instructions", "timeout_seconds"}) {
    EXPECT_FALSE(json.contains(key)) << key;
  }
  EXPECT_EQ(ApplicationSpecToJson(*ApplicationSpecFromJson(json)).dump(),
            json.dump());
}

TEST(ApplicationSpec, AValueOfAnotherKindIsCorrupt) {
  auto read = ApplicationSpecFromJson(Json{{"command", 7}});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(read.error().message(), HasSubstr("read application"));
  EXPECT_FALSE(ApplicationSpecFromJson(Json{{"pull", "often"}}).ok());
}

TEST(ApplicationSpec, IsCalledByItsNameItsImageOrItsProgram) {
  EXPECT_EQ(NameOf(Full()), "detector");
  EXPECT_EQ(NameOf(ApplicationSpec{.command = {"/usr/bin/python3", "app.py"}}),
            "python3");
  EXPECT_EQ(NameOf(ApplicationSpec{.container =
                                       ContainerSettings{.image = "my/app:1"}}),
            "my/app:1");
}

TEST(ParseHertz, ReadsRatesFromOneToAThousand) {
  EXPECT_EQ(*ParseHertz("10Hz"), 10);
  EXPECT_EQ(*ParseHertz("2.5"), 2.5);
  EXPECT_FALSE(ParseHertz("0.5Hz").ok());
  EXPECT_FALSE(ParseHertz("1001Hz").ok());
  EXPECT_FALSE(ParseHertz("Hz").ok());
}

}  // namespace
}  // namespace mete
