#include "measure/session_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;
using testing::UnorderedElementsAre;

SessionSpec Parse(const std::string& text) {
  auto spec = ParseSession(text, "/specs/s.yaml");
  EXPECT_TRUE(spec.ok()) << spec.error().message();
  return spec.ok() ? *spec : SessionSpec{.applications = {{}}};
}

std::string SessionComplaint(const std::string& text) {
  auto spec = ParseSession(text, "/specs/s.yaml");
  return spec.ok() ? "" : spec.error().message();
}

TEST(SessionSpec, ReadsUnitsAsPeopleWriteThem) {
  ApplicationSpec app = Parse(R"(
name: street cameras
applications:
  - name: detector
    command: ./detect --title "two words"
    env: {MODE: fast}
    instructions: look left
    timeout: 60s
    grace: 2s
    repeat: 5
    sample: 20Hz
    limits: {memory: 512Mi, cpus: 500m, cpuset: 0-1, processes: 64, threads: 2,
             swap: true}
)")
                            .applications[0];
  EXPECT_THAT(app.command, ElementsAre("./detect", "--title", "two words"));
  EXPECT_THAT(app.environment, ElementsAre(Pair("MODE", "fast")));
  EXPECT_EQ(app.limits.memory, Mebibytes(512));
  EXPECT_EQ(app.limits.cpus, Millicores{500});
  EXPECT_EQ(app.limits.cpuset, "0-1");
  EXPECT_EQ(app.limits.processes, 64u);
  EXPECT_EQ(app.limits.threads, 2);
  EXPECT_TRUE(app.limits.swap);
  EXPECT_EQ(app.timeout, Seconds(60));
  EXPECT_EQ(app.grace, Seconds(2));
  EXPECT_EQ(app.repeat, 5u);
  EXPECT_EQ(app.sample_hertz, 20);
}

TEST(SessionSpec, NodesAreAWordOrAList) {
  SessionSpec spec = Parse(R"(
defaults: {image: "app:1", launcher: kubernetes}
applications:
  - {name: everywhere, nodes: all}
  - {name: some, nodes: [edge-1, edge-2]}
)");
  EXPECT_EQ(spec.applications[0].nodes, "all");
  EXPECT_EQ(spec.applications[1].nodes, "edge-1,edge-2");
}

TEST(SessionSpec, PinsAnApplicationToCpus) {
  SessionSpec spec = Parse(R"(
applications:
  - command: ./a
    limits: {pin: "0-1,3"}
)");
  EXPECT_EQ(spec.applications[0].limits.pin, "0-1,3");
}

TEST(SessionSpec, ResolvesPathsAgainstTheFolderOfTheFile) {
  SessionSpec spec = Parse(R"(
applications:
  - {name: a, command: [./app], dataset: sets/street}
  - {name: b, command: [./app], folder: sub, dataset: /sets}
)");
  EXPECT_EQ(spec.name, "s");
  EXPECT_EQ(spec.applications[0].folder, "/specs");
  EXPECT_EQ(spec.applications[0].dataset, "/specs/sets/street");
  EXPECT_EQ(spec.applications[1].folder, "/specs/sub");
  EXPECT_EQ(spec.applications[1].dataset, "/sets");
}

TEST(SessionSpec, MergesDefaultsIntoEveryApplicationInAnyOrder) {
  SessionSpec spec = Parse(R"(
applications:
  - {name: a, command: [./app], env: {B: own}, limits: {cpus: 2}}
  - {name: b, command: [./app], repeat: 9}
defaults:
  repeat: 3
  env: {A: usual, B: usual}
  limits: {memory: 64Mi, cpus: 1}
order: together
)");
  EXPECT_EQ(spec.order, SessionOrder::kTogether);
  EXPECT_EQ(spec.applications[0].repeat, 3u);
  EXPECT_EQ(spec.applications[1].repeat, 9u);
  EXPECT_THAT(spec.applications[0].environment,
              ElementsAre(Pair("A", "usual"), Pair("B", "own")));
  EXPECT_EQ(spec.applications[0].limits.memory, Mebibytes(64));
  EXPECT_EQ(spec.applications[0].limits.cpus, Millicores{2000});
  EXPECT_EQ(spec.applications[1].limits.cpus, Millicores{1000});
}

TEST(SessionSpec, OnlyAnImageTakesContainerSettings) {
  SessionSpec spec = Parse(R"(
defaults:
  mounts: ["data:/data:ro"]
  docker: {network: none, shm: 64Mi, options: "-u 1000 -e A=1"}
applications:
  - {image: "my/app:1", args: --fast, pull: never, folder: /app}
  - {command: ./app}
)");
  const ApplicationSpec& image = spec.applications[0];
  ASSERT_TRUE(image.container);
  EXPECT_EQ(image.container->image, "my/app:1");
  EXPECT_EQ(image.folder, "/app");
  EXPECT_EQ(image.pull, PullPolicy::kNever);
  EXPECT_THAT(image.command, ElementsAre("--fast"));
  EXPECT_THAT(image.container->mounts,
              ElementsAre(Mount{"/specs/data", "/data", true}));
  EXPECT_EQ(image.container->network, "none");
  EXPECT_EQ(image.container->user, "1000");
  EXPECT_EQ(image.container->shared_memory, Mebibytes(64));
  EXPECT_EQ(image.environment.at("A"), "1");
  EXPECT_FALSE(spec.applications[1].container);
}

TEST(SessionSpec, ReadsTheOptionsOfDockerRun) {
  SessionSpec spec = Parse(R"(
defaults:
  docker: {entrypoint: /bin/sh, gpus: all, ipc: private, tmpfs: [/run],
           ulimits: ["nofile=1024"], groups: [video], options: "-w /app"}
applications:
  - {name: usual, image: x}
  - {name: own, image: x, folder: /own, docker: {gpus: 1, groups: [],
     tmpfs: [/a, "/b:size=1m"], options: "--ulimit core=0"}}
)");
  const ApplicationSpec& usual = spec.applications[0];
  EXPECT_EQ(usual.container->entrypoint, "/bin/sh");
  EXPECT_EQ(usual.container->gpus, GpuChoice{.count = GpuChoice::kAll});
  EXPECT_EQ(usual.container->ipc, "private");
  EXPECT_EQ(usual.container->temporary_folders.at(0).target, "/run");
  EXPECT_EQ(usual.container->process_limits.at(0).soft, 1024);
  EXPECT_THAT(usual.container->groups, ElementsAre("video"));
  EXPECT_EQ(usual.folder, "/app");
  const ApplicationSpec& own = spec.applications[1];
  EXPECT_EQ(own.container->entrypoint, "/bin/sh");
  EXPECT_EQ(own.container->gpus, GpuChoice{.count = 1});
  EXPECT_EQ(own.container->temporary_folders.size(), 2u);
  EXPECT_THAT(own.container->process_limits,
              ElementsAre(ProcessLimit{"core", 0, 0}));
  EXPECT_TRUE(own.container->groups.empty());
  EXPECT_EQ(own.folder, "/own");
}

TEST(SessionSpec, CombinesMountsOfABlockInAnyOrderOfKeys) {
  for (const char* block :
       {"{image: x, mounts: ['b:/b'], docker: {options: '-v a:/a'}}",
        "{image: x, docker: {options: '-v a:/a'}, mounts: ['b:/b']}"}) {
    SessionSpec spec = Parse(std::string("applications:\n  - ") + block);
    EXPECT_THAT(
        spec.applications[0].container->mounts,
        UnorderedElementsAre(Mount{"/specs/a", "/a"}, Mount{"/specs/b", "/b"}))
        << block;
  }
}

TEST(SessionSpec, MountsAndDevicesOfABlockReplaceTheDefaults) {
  SessionSpec spec = Parse(R"(
defaults:
  mounts: ["usual:/usual"]
  docker: {devices: [/dev/video0], options: "--device /dev/video1"}
applications:
  - {name: own, image: x, mounts: ["own:/own"], docker: {devices: /dev/video2}}
  - {name: options, image: x, docker: {options: "-v own:/own --device /dev/d"}}
  - {name: usual, image: x, docker: {network: none}}
  - {name: none, image: x, mounts: [], docker: {devices: []}}
)");
  auto mounts = [&](int i) { return spec.applications[i].container->mounts; };
  auto devices = [&](int i) { return spec.applications[i].container->devices; };
  EXPECT_THAT(mounts(0), ElementsAre(Mount{"/specs/own", "/own"}));
  EXPECT_THAT(devices(0),
              ElementsAre(DeviceNode{"/dev/video2", "/dev/video2"}));
  EXPECT_THAT(mounts(1), ElementsAre(Mount{"/specs/own", "/own"}));
  EXPECT_THAT(devices(1), ElementsAre(DeviceNode{"/dev/d", "/dev/d"}));
  EXPECT_THAT(mounts(2), ElementsAre(Mount{"/specs/usual", "/usual"}));
  EXPECT_EQ(devices(2).size(), 2u);
  EXPECT_TRUE(mounts(3).empty());
  EXPECT_TRUE(devices(3).empty());
}

TEST(SessionSpec, PrivilegesOfABlockReplaceTheDefaults) {
  SessionSpec spec = Parse(R"(
defaults:
  docker: {capabilities: [SYS_NICE], options: "--security-opt label=disable"}
applications:
  - {image: x, docker: {options: "--cap-add IPC_LOCK --security-opt a=b"}}
)");
  const ContainerPrivileges& wide = spec.applications[0].container->privileges;
  EXPECT_THAT(wide.capabilities, ElementsAre("IPC_LOCK"));
  EXPECT_THAT(wide.security_options, ElementsAre("a=b"));
}

TEST(SessionSpec, VariableAmongTheOptionsOverridesTheDefaults) {
  for (const char* keys :
       {"env: {B: own}, docker: {options: '-e A=own -e B=option'}",
        "docker: {options: '-e A=own -e B=option'}, env: {B: own}"}) {
    SessionSpec spec =
        Parse(std::string("defaults: {env: {A: usual, B: usual}}\n"
                          "applications:\n  - {image: x, ") +
              keys + "}\n");
    // The `env` key takes precedence when a block sets both.
    EXPECT_THAT(spec.applications[0].environment,
                ElementsAre(Pair("A", "own"), Pair("B", "own")))
        << keys;
  }
}

TEST(SessionSpec, SelectsProbesAndFormatsByName) {
  SessionSpec spec = Parse(R"(
probes: [machine]
output: [json, html]
applications:
  - {name: a, command: [./app]}
  - {name: b, command: [./app], probes: []}
)");
  EXPECT_TRUE(spec.applications[0].probes.machine);
  EXPECT_FALSE(spec.applications[0].probes.hooks);
  EXPECT_FALSE(spec.applications[1].probes.machine);
  EXPECT_TRUE(spec.formats.json);
  EXPECT_FALSE(spec.formats.csv);
  EXPECT_TRUE(spec.formats.html);
  EXPECT_THAT(SessionComplaint("probes: [machin]\n"),
              HasSubstr("did you mean 'machine'?"));
}

TEST(SessionSpec, ReportsLineAndNearestSpellingOfMistakes) {
  EXPECT_EQ(SessionComplaint("aplications: []\n"),
            "/specs/s.yaml:1: unknown key 'aplications'; did you mean "
            "'applications'?");
  EXPECT_EQ(SessionComplaint("applications:\n  - name: a\n    comand: x\n"),
            "/specs/s.yaml:3: unknown key 'comand'; did you mean 'command'?");
  EXPECT_EQ(SessionComplaint("applications:\n  - command: x\n    limits:\n"
                             "      memery: 5Mi\n"),
            "/specs/s.yaml:4: unknown key 'memery'; did you mean 'memory'?");
  EXPECT_EQ(
      SessionComplaint("applications:\n  - command: x\n    timeout: 0s\n"),
      "/specs/s.yaml:3: timeout: must be positive");
  EXPECT_THAT(
      SessionComplaint("applications:\n  - command: x\n    repeat: 0\n"),
      StartsWith("/specs/s.yaml:3: repeat: 0 is not between 1 and 10000"));
  EXPECT_EQ(SessionComplaint("applications:\n  - command: x\n    limits:\n"
                             "      cpus: 0\n"),
            "/specs/s.yaml:4: cpus: must be positive");
  EXPECT_THAT(SessionComplaint("applications:\n  - image: x\n    docker:\n"
                               "      options: --volum a:/b\n"),
              StartsWith("/specs/s.yaml:3: docker: unknown container option"));
}

TEST(SessionSpec, RequiresAnApplicationAndSomethingToRun) {
  EXPECT_THAT(SessionComplaint(""),
              StartsWith("/specs/s.yaml: no applications"));
  EXPECT_THAT(SessionComplaint("name: x\napplications: []\n"),
              StartsWith("/specs/s.yaml:2: no applications"));
  EXPECT_EQ(SessionComplaint("applications:\n  - name: x\n"),
            "/specs/s.yaml:2: expected a command, an image or a network");
  EXPECT_THAT(SessionComplaint("applications:\n  - {command: x, image: y}\n"),
              HasSubstr("not both"));
  EXPECT_THAT(
      SessionComplaint("applications:\n  - {command: x, mounts: ['a:/b']}\n"),
      HasSubstr("'mounts' is for an image"));
}

TEST(SessionSpec, RefusesTwoApplicationsOfTheSameName) {
  EXPECT_EQ(SessionComplaint("applications:\n  - command: ./x a\n"
                             "  - command: ./x b\n"),
            "/specs/s.yaml:3: two applications are called 'x'; give each a "
            "name");
}

TEST(SessionSpec, ReadsANetworkWithTheOptionsOfMeteMeasure) {
  ApplicationSpec app = Parse(R"(
applications:
  - network: nets/a.onnx
    shape: x=1x3x8x8
    input: [sr=16000, "h=h.npy"]
    batch: 2
    threads: 3
    until: 1%
    max_duration: 20s
    warmup: 4
    seed: 9
    layers: true
    provider: CUDA
    optimization: basic
    inter_op_threads: 2
    spinning: off
    arena: on
    limits: {memory: 512Mi}
)")
                            .applications.at(0);
  ASSERT_TRUE(app.network);
  EXPECT_EQ(DisplayName(app), "a");
  EXPECT_EQ(*app.network,
            (NetworkOptions{.network = "/specs/nets/a.onnx",
                            .until = 0.01,
                            .max_duration = Seconds(20),
                            .warmup = 4,
                            .batch = 2,
                            .shapes = {"x=1x3x8x8"},
                            .inputs = {"sr=16000", "h=/specs/h.npy"},
                            .seed = 9,
                            .layers = true,
                            .engine = {.provider = "CUDA",
                                       .optimization = "basic",
                                       .inter_op_threads = 2,
                                       .spinning = false,
                                       .memory_arena = true}}));
  EXPECT_EQ(app.limits.threads, 3);
  EXPECT_EQ(app.limits.memory, Mebibytes(512));
}

TEST(SessionSpec, NetworkReplacesTheEndingOfTheDefaults) {
  SessionSpec spec = Parse(R"(
defaults: {until: 1%, batch: 2}
applications:
  - {network: a.onnx, iterations: 5}
  - {network: b.onnx}
  - {command: ./c}
)");
  EXPECT_EQ(spec.applications[0].network->iterations, 5u);
  EXPECT_FALSE(spec.applications[0].network->until);
  EXPECT_EQ(spec.applications[0].network->batch, 2);
  EXPECT_EQ(spec.applications[1].network->until, 0.01);
  EXPECT_FALSE(spec.applications[2].network);
}

TEST(SessionSpec, KeysOfNetworksAndCommandsDoNotMix) {
  auto complaint = [](const std::string& keys) {
    return SessionComplaint("applications:\n  - {" + keys + "}\n");
  };
  EXPECT_THAT(complaint("command: ./a, batch: 2"),
              HasSubstr("'batch' is for a network"));
  EXPECT_THAT(complaint("network: a.onnx, dataset: d"),
              HasSubstr("'dataset' is not for a network"));
  EXPECT_THAT(complaint("network: a.onnx, command: ./a"),
              HasSubstr("only one of them"));
  EXPECT_THAT(complaint("network: a.onnx, iterations: 3, until: 1%"),
              HasSubstr("only one of iterations, duration and until"));
  EXPECT_THAT(complaint("network: a.onnx, batch: 0"),
              HasSubstr("/specs/s.yaml:2: batch: 0 is not between"));
  EXPECT_THAT(complaint("network: a.onnx, spinning: maybe"),
              HasSubstr("'maybe' is not on or off"));
}

TEST(SessionSpec, NodesAndPathsAreNotEmpty) {
  for (const char* nothing : {"nodes: ''", "nodes: []", "dataset: ''"}) {
    const std::string key(nothing, std::string_view(nothing).find(':'));
    EXPECT_EQ(SessionComplaint("applications:\n  - command: x\n    " +
                               std::string(nothing) + "\n"),
              "/specs/s.yaml:3: " + key + ": is empty");
  }
}

}  // namespace
}  // namespace mete
