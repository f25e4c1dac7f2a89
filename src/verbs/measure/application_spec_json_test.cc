#include "measure/application_spec_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

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
                  .entrypoint = "",
                  .gpus = GpuChoice{.devices = {"0", "1"}},
                  .temporary_folders = {{"/run", "size=1m"}},
                  .process_limits = {{"nofile", 10, -1}},
                  .ipc = "host",
                  .groups = {"video"},
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
          .probes = {.machine = false, .hooks = false, .required = {"perf"}}};
}

TEST(ApplicationSpecJson, RoundTrips) {
  Json json = ApplicationSpecToJson(Full());
  auto back = ApplicationSpecFromJson(json);
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(back->container, Full().container);
  EXPECT_EQ(ApplicationSpecToJson(*back).dump(), json.dump());
  EXPECT_EQ(json["limits"]["memory_bytes"], 512 << 20);
  EXPECT_EQ(json["timeout_seconds"], 60);
  EXPECT_EQ(json["pull"], "never");
}

TEST(ApplicationSpecJson, AbsentValuesHaveNoKey) {
  Json json = ApplicationSpecToJson({.command = {"./app"}});
  for (const char* key : {"name", "container", "pull", "environment", "folder",
                          "dataset", "instructions", "timeout_seconds"}) {
    EXPECT_FALSE(json.contains(key)) << key;
  }
  EXPECT_EQ(ApplicationSpecToJson(*ApplicationSpecFromJson(json)).dump(),
            json.dump());
}

TEST(ApplicationSpecJson, ValueOfWrongTypeIsCorrupt) {
  auto read = ApplicationSpecFromJson(Json{{"command", 7}});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(read.error().message(), HasSubstr("read application"));
  EXPECT_FALSE(ApplicationSpecFromJson(Json{{"pull", "often"}}).ok());
}

std::string JsonComplaint(const Json& json) {
  auto read = ApplicationSpecFromJson(json);
  return read.ok() ? "" : read.error().message();
}

TEST(ApplicationSpecJson, RefusesUnknownKeyAndSuggestsTheNearest) {
  EXPECT_EQ(JsonComplaint({{"comand", {"true"}}}),
            "read application: unknown key 'comand'; did you mean 'command'?");
  EXPECT_EQ(JsonComplaint({{"memory", "64Mi"}}),
            "read application: unknown key 'memory'");
  EXPECT_EQ(JsonComplaint({{"limits", {{"memory_byte", 5}}}}),
            "read application: unknown key 'limits.memory_byte'; did you mean "
            "'limits.memory_bytes'?");
  EXPECT_THAT(JsonComplaint({{"probes", {{"machines", true}}}}),
              HasSubstr("did you mean 'probes.machine'?"));
  Json container = {{"image", "app"}, {"privilege", true}};
  EXPECT_THAT(JsonComplaint({{"container", container}}),
              HasSubstr("did you mean 'container.privileged'?"));
  Json mount = {{"source", "/d"}, {"target", "/d"}, {"readonly", true}};
  container = {{"image", "app"}, {"mounts", Json::array({mount})}};
  EXPECT_THAT(JsonComplaint({{"container", container}}),
              HasSubstr("did you mean 'container.mounts.read_only'?"));
  Json device = {{"source", "/dev/x"}, {"path", "/dev/y"}};
  container = {{"image", "app"}, {"devices", Json::array({device})}};
  EXPECT_THAT(JsonComplaint({{"container", container}}),
              HasSubstr("unknown key 'container.devices.path'"));
}

TEST(ApplicationSpecJson, AnythingButAnObjectIsCorrupt) {
  for (const Json& json : {Json("text"), Json(3), Json::array({"command"}),
                           Json{{"limits", "64Mi"}}, Json{{"probes", 1}}}) {
    EXPECT_THAT(JsonComplaint(json), HasSubstr("is not an object"))
        << json.dump();
  }
}

TEST(ApplicationSpecJson, RefusesNumberThatDoesNotFit) {
  for (const Json& json : {Json{{"repeat", -1}}, Json{{"repeat", 1.5}},
                           Json{{"limits", {{"memory_bytes", -5}}}},
                           Json{{"limits", {{"cpu_millicores", 1e30}}}},
                           Json{{"limits", {{"threads", 1ull << 40}}}},
                           Json{{"limits", {{"processes", -2}}}}}) {
    EXPECT_THAT(JsonComplaint(json), HasSubstr("whole number")) << json.dump();
  }
}

TEST(ApplicationSpecJson, RefusesUnknownProbe) {
  Json probes = {{"machine", true}, {"hooks", true}, {"wanted", {"pref"}}};
  EXPECT_THAT(JsonComplaint({{"probes", probes}}),
              HasSubstr("did you mean 'perf'?"));
}

// The system would see the text up to the NUL, and a check all of it.
TEST(ApplicationSpecJson, RefusesTextsWithANul) {
  for (const char* text :
       {R"({"command":["a\u0000b"]})", R"({"folder":"/a\u0000"})",
        R"({"command":["a"],"environment":{"A\u0000":"1"}})",
        R"({"command":["a"],"environment":{"A":"\u0000"}})",
        R"({"container":{"image":"i",)"
        R"("mounts":[{"source":"/a\u0000","target":"/a"}]}})",
        R"({"network":{"path":"/a\u0000.onnx"}})"}) {
    auto spec = ApplicationSpecFromJson(*ParseJson(text));
    ASSERT_FALSE(spec.ok()) << text;
    EXPECT_THAT(spec.error().message(), HasSubstr("a NUL character")) << text;
  }
}

TEST(ApplicationSpecJson, NetworkSurvives) {
  ApplicationSpec spec{
      .network = NetworkOptions{.network = "/a.onnx", .iterations = 3}};
  auto read = ApplicationSpecFromJson(ApplicationSpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->network, spec.network);
}

TEST(ApplicationSpecJson, AContainerHasNoPrivilegesUnlessItsKeysSaySo) {
  const Json mount = {{"source", "/d"}, {"target", "/d"}};
  const Json container = {{"image", "app"}, {"mounts", Json::array({mount})}};
  auto read = ApplicationSpecFromJson(Json{{"container", container}});
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_FALSE(read->container->mounts.at(0).read_only);
  EXPECT_FALSE(read->container->privileges.privileged);
  EXPECT_FALSE(read->container->privileges.host_processes);
  EXPECT_EQ(ApplicationSpecToJson(*read)["container"].dump(), container.dump());
}

}  // namespace
}  // namespace mete
