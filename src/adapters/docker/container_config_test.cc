#include "adapters/docker/container_config.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

Json MakeConfig(const LaunchRequest& launch) {
  return ContainerConfig({.launch = launch,
                          .image_environment = {"PATH=/bin", "MODE=image"},
                          .owner = "12-345",
                          .parent_group = "/mete-app-12-345-1"});
}

TEST(ContainerConfig, ContainsImageCommandAndOwner) {
  Json config = MakeConfig({.command = {"app", "-x"},
                            .container = ContainerSettings{.image = "my/app:1"},
                            .folder = "/project"});
  EXPECT_EQ(config["Image"], "my/app:1");
  EXPECT_EQ(config["Cmd"], Json({"app", "-x"}));
  EXPECT_EQ(config["WorkingDir"], "/project");
  EXPECT_EQ(config["Labels"]["dev.mete.owner"], "12-345");
  EXPECT_EQ(config["HostConfig"]["CgroupParent"], "/mete-app-12-345-1");
}

TEST(ContainerConfig, RunsTheImagesOwnCommandByDefault) {
  EXPECT_FALSE(MakeConfig({.container = ContainerSettings{}}).contains("Cmd"));
}

TEST(ContainerConfig, GivenVariablesOverrideTheImages) {
  Json config = MakeConfig(
      {.container = ContainerSettings{}, .environment = {{"MODE", "given"}}});
  EXPECT_EQ(config["Env"], Json({"MODE=given", "PATH=/bin"}));
}

TEST(ContainerConfig, LimitsLeaveNothingForSwapByDefault) {
  Json host = MakeConfig({.container = ContainerSettings{},
                          .limits = {.memory = Mebibytes(64),
                                     .cpus = Millicores{500},
                                     .cpuset = "0-1",
                                     .processes = 20}})["HostConfig"];
  EXPECT_EQ(host["Memory"], 64 << 20);
  EXPECT_EQ(host["MemorySwap"], 64 << 20);
  EXPECT_EQ(host["NanoCpus"], 500'000'000);
  EXPECT_EQ(host["CpusetCpus"], "0-1");
  EXPECT_EQ(host["PidsLimit"], 20);
}

TEST(ContainerConfig, PinsWithACpuset) {
  Json host = MakeConfig(
      {.container = ContainerSettings{}, .limits = {.pin = "2"}})["HostConfig"];
  EXPECT_EQ(host["CpusetCpus"], "2");
}

TEST(ContainerConfig, AllowsSwapOnRequest) {
  Json host = MakeConfig(
      {.container = ContainerSettings{},
       .limits = {.memory = Mebibytes(64), .swap = true}})["HostConfig"];
  EXPECT_EQ(host["MemorySwap"], -1);
}

TEST(ContainerConfig, ContainsMountsAndDevices) {
  Json host = MakeConfig(
      {.container = ContainerSettings{
           .mounts = {{.source = "/data", .target = "/d", .read_only = true}},
           .devices = {{.source = "/dev/video0",
                        .target = "/dev/cam"}}}})["HostConfig"];
  EXPECT_EQ(host["Mounts"], Json::parse(R"([{"Type":"bind","Source":"/data",
                                "Target":"/d","ReadOnly":true}])"));
  EXPECT_EQ(host["Devices"][0]["PathInContainer"], "/dev/cam");
  EXPECT_EQ(host["Devices"][0]["CgroupPermissions"], "rwm");
}

TEST(ContainerConfig, ContainsTheOptionsOfDockerRun) {
  Json plain = MakeConfig({.container = ContainerSettings{}});
  EXPECT_FALSE(plain.contains("Entrypoint"));
  for (const char* key :
       {"DeviceRequests", "Tmpfs", "Ulimits", "IpcMode", "GroupAdd"}) {
    EXPECT_FALSE(plain["HostConfig"].contains(key)) << key;
  }
  Json config =
      MakeConfig({.container = ContainerSettings{
                      .entrypoint = "/bin/sh",
                      .gpus = GpuChoice{.count = GpuChoice::kAll},
                      .temporary_folders = {{"/run", "size=64m"}, {"/tmp", ""}},
                      .process_limits = {{"nofile", 1024, 2048}},
                      .ipc = "private",
                      .groups = {"video", "44"}}});
  EXPECT_EQ(config["Entrypoint"], Json::parse(R"(["/bin/sh"])"));
  const Json& host = config["HostConfig"];
  EXPECT_EQ(host["DeviceRequests"],
            Json::parse(R"([{"Capabilities":[["gpu"]],"Count":-1}])"));
  EXPECT_EQ(host["Tmpfs"], Json::parse(R"({"/run":"size=64m","/tmp":""})"));
  EXPECT_EQ(host["Ulimits"],
            Json::parse(R"([{"Name":"nofile","Soft":1024,"Hard":2048}])"));
  EXPECT_EQ(host["IpcMode"], "private");
  EXPECT_EQ(host["GroupAdd"], Json::parse(R"(["video","44"])"));
  Json chosen = MakeConfig({.container = ContainerSettings{
                                .gpus = GpuChoice{.devices = {"0", "2"}}}});
  EXPECT_EQ(chosen["HostConfig"]["DeviceRequests"],
            Json::parse(R"([{"Capabilities":[["gpu"]],
                             "DeviceIDs":["0","2"]}])"));
}

TEST(ContainerConfig, GrantsPrivilegesOnlyOnRequest) {
  Json plain = MakeConfig({.container = ContainerSettings{}})["HostConfig"];
  EXPECT_FALSE(plain.contains("Privileged"));
  EXPECT_FALSE(plain.contains("PidMode"));
  Json wide = MakeConfig(
      {.container = ContainerSettings{
           .privileges = {.privileged = true,
                          .host_processes = true,
                          .capabilities = {"SYS_ADMIN"}}}})["HostConfig"];
  EXPECT_EQ(wide["Privileged"], true);
  EXPECT_EQ(wide["PidMode"], "host");
  EXPECT_EQ(wide["CapAdd"], Json({"SYS_ADMIN"}));
}

}  // namespace
}  // namespace mete
