#include "measure/reproduce_command.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(MeasureCommand, RunsOneApplicationWithTheSameLimits) {
  EXPECT_EQ(
      MeasureCommand(
          {.command = {"./app", "a b"},
           .environment = {{"A", "1"}},
           .folder = "/project",
           .limits = {.memory = Mebibytes(64), .cpus = Millicores{500}},
           .timeout = Seconds(60),
           .repeat = 5}),
      "cd /project && mete measure --memory 64Mi --cpus 500m --timeout 60s "
      "--repeat 5 --env A=1 -- ./app 'a b'");
  EXPECT_EQ(
      MeasureCommand(
          {.command = {"--fast"},
           .container = ContainerSettings{.image = "my/app:1",
                                          .mounts = {{"/d", "/data", true}},
                                          .network = "none"}}),
      "mete measure --image my/app:1 --mount /d:/data:ro "
      "--docker-arg=--network=none -- --fast");
}

TEST(MeasureCommand, NamesEverythingThatIsNotADefault) {
  EXPECT_EQ(MeasureCommand({.command = {"./app"},
                            .timeout = Seconds(1234567),
                            .grace = Seconds(0.25),
                            .sample_hertz = 12.5,
                            .probes = {.required = {"perf", "gpu"}}}),
            "mete measure --timeout 1234567s --grace 0.25s --sample 12.5Hz "
            "--probes perf,gpu -- ./app");
  EXPECT_EQ(MeasureCommand({.container = ContainerSettings{.image = "app"},
                            .pull = PullPolicy::kNever}),
            "mete measure --image app --pull never");
}

TEST(MeasureCommand, AllowsThePrivilegesItNeeds) {
  EXPECT_EQ(
      MeasureCommand(
          {.container = ContainerSettings{.image = "app",
                                          .privileges = {.privileged = true}}}),
      "mete measure --image app --docker-arg=--privileged "
      "--allow-privileged");
  EXPECT_EQ(MeasureCommand(
                {.container = ContainerSettings{.image = "app",
                                                .mounts = {{"/etc", "/etc"}}}}),
            "mete measure --image app --mount /etc:/etc --allow-privileged");
}

TEST(MeasureCommand, NamesTheOptionsOfTheContainer) {
  EXPECT_EQ(
      MeasureCommand(
          {.container = ContainerSettings{.image = "app",
                                          .entrypoint = "/bin/sh",
                                          .gpus = GpuChoice{.count = 2},
                                          .temporary_folders = {{"/run", ""}},
                                          .process_limits = {{"core", 0, 0}},
                                          .ipc = "none",
                                          .groups = {"video"}},
           .folder = "/app"}),
      "mete measure --image app --docker-arg=--entrypoint=/bin/sh "
      "--docker-arg=--gpus=2 --docker-arg=--tmpfs=/run "
      "--docker-arg=--ulimit=core=0:0 --docker-arg=--ipc=none "
      "--docker-arg=--group-add=video --docker-arg=--workdir=/app");
}

TEST(MeasureCommand, OfANetworkHasTheRecordedArguments) {
  mete::Run run{.workload = {.source = "net.onnx"}, .limits = {.threads = 2}};
  EXPECT_EQ(MeasureCommand(run), "mete measure --threads 2 net.onnx");
  run.network()->arguments = {"/a b/net.onnx", "--shape", "x=1x4"};
  EXPECT_EQ(MeasureCommand(run),
            "mete measure --threads 2 '/a b/net.onnx' --shape x=1x4");
}

TEST(MeasureCommand, OfAStoredRunNamesItsLimits) {
  EXPECT_EQ(
      MeasureCommand(mete::Run{
          .workload = {.kind = WorkloadKind::kCommand, .source = "./app 'a b'"},
          .limits = {.memory = Mebibytes(64)}}),
      "mete measure --memory 64Mi -- ./app 'a b'");
}

TEST(MeasureCommand, OfANetworkHasItsOptionsAndLimits) {
  ApplicationSpec spec{
      .network = NetworkOptions{.network = "/n/a.onnx", .iterations = 3},
      .limits = {.memory = Mebibytes(64), .threads = 2},
      .repeat = 4};
  EXPECT_EQ(MeasureCommand(spec),
            "mete measure /n/a.onnx --iterations 3 --memory 64Mi --threads 2 "
            "--repeat 4");
}

}  // namespace
}  // namespace mete
