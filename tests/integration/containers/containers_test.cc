// Runs images with real engines: the contract of launchers and the workloads of
// known cost, with Docker and, if installed, Podman.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/docker/container_actuator.h"
#include "adapters/docker/docker_engine.h"
#include "linux/cgroup_paths.h"
#include "net/http_server.h"
#include "support/json.h"
#include "tests/contracts/actuator_contract.h"
#include "tests/contracts/launcher_contract.h"
#include "tests/integration/containers/engine_server.h"
#include "tests/integration/known_workloads.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using Starter = Result<std::unique_ptr<EngineServer>> (*)();

// An engine shared by all tests of this program, since starting takes seconds.
struct SharedEngine {
  explicit SharedEngine(Starter start) : server(start()) {
    if (!server.ok()) {
      unavailable = server.error().message();
      return;
    }
    auto opened = DockerEngine::Open((*server)->endpoint());
    if (opened.ok()) {
      engine = *std::move(opened);
    } else {
      unavailable = opened.error().message();
    }
  }

  Result<std::unique_ptr<EngineServer>> server;
  std::shared_ptr<DockerEngine> engine;
  std::string unavailable;
};

SharedEngine& Docker() {
  static SharedEngine engine(&EngineServer::StartDocker);
  return engine;
}

SharedEngine& Podman() {
  static SharedEngine engine(&EngineServer::StartPodman);
  return engine;
}

LaunchRequest InImage(std::vector<std::string> command) {
  return {
      .command = std::move(command),
      .container = ContainerSettings{.image = kTestImage, .network = "none"}};
}

KnownSubject Known(SharedEngine& shared) {
  return {.unavailable = shared.unavailable,
          .launcher = shared.engine.get(),
          .base = InImage({"/bin/known_workload"})};
}
KnownSubject KnownInDocker() { return Known(Docker()); }
KnownSubject KnownInPodman() { return Known(Podman()); }

// A shell that is the first process of a container ignores SIGTERM unless it
// has a trap.
LauncherSubject Contract(SharedEngine& shared) {
  return {.unavailable = shared.unavailable,
          .launcher = shared.engine,
          .exits_with_3 = InImage({"sh", "-c", "exit 3"}),
          .says_hello = InImage({"sh", "-c", "echo hello; sleep 0.05"}),
          .sleeps =
              InImage({"sh", "-c", "trap 'exit 143' TERM; sleep 3600 & wait"}),
          .ignores_terminate = InImage({"sleep", "3600"}),
          .missing = InImage({"/nowhere/program"})};
}
LauncherSubject ContractInDocker() { return Contract(Docker()); }
LauncherSubject ContractInPodman() { return Contract(Podman()); }

INSTANTIATE_TEST_SUITE_P(Docker, LauncherContract,
                         testing::Values(&ContractInDocker));
INSTANTIATE_TEST_SUITE_P(Podman, LauncherContract,
                         testing::Values(&ContractInPodman));
INSTANTIATE_TEST_SUITE_P(Docker, KnownWorkloads,
                         testing::Values(&KnownInDocker));
INSTANTIATE_TEST_SUITE_P(Podman, KnownWorkloads,
                         testing::Values(&KnownInPodman));

// Starts a sleeping container with the engine's own command.
ActuatorSubject Sleeping(SharedEngine& shared, Json limits = Json::object()) {
  if (!shared.unavailable.empty()) return {.unavailable = shared.unavailable};
  auto api = std::make_shared<DockerApi>((*shared.server)->endpoint());
  limits["NetworkMode"] = "none";
  auto made = api->Create({{"Image", kTestImage},
                           {"Cmd", {"/bin/busybox", "sleep", "600"}},
                           {"HostConfig", limits}});
  if (!made.ok()) return {.unavailable = made.error().message()};
  Status started = api->Start(made->id);
  if (!started.ok()) return {.unavailable = started.error().message()};
  using Kind = ControlTarget::Kind;
  return {.actuator =
              std::make_shared<ContainerActuator>((*shared.server)->endpoint()),
          .target = {.kind = Kind::kContainer, .name = made->id},
          .missing = {.kind = Kind::kContainer, .name = "nobody"},
          .end = [api, id = made->id] {
            static_cast<void>(api->Unpause(id).ok());
            static_cast<void>(api->Remove(id).ok());
          }};
}
ActuatorSubject SleepingInDocker() { return Sleeping(Docker()); }
ActuatorSubject SleepingInPodman() { return Sleeping(Podman()); }
INSTANTIATE_TEST_SUITE_P(Docker, ActuatorContract,
                         testing::Values(&SleepingInDocker));
INSTANTIATE_TEST_SUITE_P(Podman, ActuatorContract,
                         testing::Values(&SleepingInPodman));

// Lowers the memory limit and restores it.
void LowersMemory(SharedEngine& shared) {
  constexpr double kMebi = 1048576;
  ActuatorSubject subject = Sleeping(shared, {{"Memory", 64 << 20}});
  if (!subject.unavailable.empty()) GTEST_SKIP() << subject.unavailable;
  auto handle = subject.actuator->Find(subject.target, ControlKnob::kMemory);
  ASSERT_TRUE(handle.ok()) << handle.error().message();
  EXPECT_EQ(*subject.actuator->Read(*handle), 64 * kMebi);
  Status lowered = subject.actuator->Write(*handle, 32 * kMebi);
  EXPECT_TRUE(lowered.ok()) << lowered.error().message();
  EXPECT_EQ(*subject.actuator->Read(*handle), 32 * kMebi);
  Status returned = subject.actuator->Write(*handle, 64 * kMebi);
  EXPECT_TRUE(returned.ok()) << returned.error().message();
  EXPECT_EQ(*subject.actuator->Read(*handle), 64 * kMebi);
  subject.end();
}
TEST(ContainerMemory, IsLoweredAndReturnedInDocker) { LowersMemory(Docker()); }
TEST(ContainerMemory, IsLoweredAndReturnedInPodman) { LowersMemory(Podman()); }

TEST(ContainerMemory, ALimitThatDockerCannotRemoveIsRejected) {
  ActuatorSubject subject = Sleeping(Docker());
  if (!subject.unavailable.empty()) GTEST_SKIP() << subject.unavailable;
  auto handle = subject.actuator->Find(subject.target, ControlKnob::kMemory);
  ASSERT_FALSE(handle.ok());
  EXPECT_EQ(handle.error().code(), ErrorCode::kUnsupported);
  subject.end();
}

// Docker keeps a limit for the next start.
TEST(ContainerCpus, OfAStoppedContainerAreRestored) {
  ActuatorSubject subject = Sleeping(Docker());
  if (!subject.unavailable.empty()) GTEST_SKIP() << subject.unavailable;
  Actuator& actuator = *subject.actuator;
  auto handle = actuator.Find(subject.target, ControlKnob::kCpus);
  ASSERT_TRUE(handle.ok()) << handle.error().message();
  ASSERT_TRUE(actuator.Write(*handle, 0.5).ok());
  DockerApi api((*Docker().server)->endpoint());
  ASSERT_TRUE(api.Signal(handle->place, "KILL").ok());
  ASSERT_TRUE(api.AwaitEnd(handle->place, {}).ok());
  EXPECT_FALSE(actuator.HasEnded(*handle));
  auto limit = actuator.Read(*handle);
  ASSERT_TRUE(limit.ok()) << limit.error().message();
  EXPECT_EQ(*limit, 0.5);
  Status returned = actuator.Write(*handle, std::nullopt);
  EXPECT_TRUE(returned.ok()) << returned.error().message();
  ASSERT_TRUE(api.Start(handle->place).ok());
  EXPECT_EQ(*actuator.Read(*handle), std::nullopt);
  subject.end();
}

// Tests that do not depend on the kind of engine. They use Docker.
class Containers : public testing::Test {
 protected:
  void SetUp() override {
    if (!Docker().unavailable.empty()) GTEST_SKIP() << Docker().unavailable;
  }

  DockerEngine& engine() { return *Docker().engine; }

  // Returns the output of a container after it has ended.
  std::string CaptureOutput(LaunchRequest request) {
    std::string text;  // read after the engine's thread has ended
    request.output = [&](std::string_view part) { text += part; };
    auto started = engine().Start(request);
    if (!started.ok()) return started.error().message();
    EXPECT_TRUE((*started)->Wait(std::chrono::seconds(20)));
    (*started)->Kill();
    return text;
  }

  std::vector<OwnedContainer> Left() {
    return *DockerApi((*Docker().server)->endpoint()).Owned("dev.mete.owner");
  }
};

TEST_F(Containers, SeesItsMountsAndVariables) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(WriteFileAtomically(folder->path() / "file", "content\n").ok());
  LaunchRequest request =
      InImage({"sh", "-c",
               "/bin/busybox cat /data/file; echo $MODE $GIVEN; "
               "(echo x > /data/new) 2>/dev/null || echo read-only"});
  request.container->mounts = {
      {.source = folder->path(), .target = "/data", .read_only = true}};
  request.environment = {{"GIVEN", "value"}};
  EXPECT_EQ(CaptureOutput(request), "content\nimage value\nread-only\n");
}

TEST_F(Containers, AMountOfAMissingFolderIsRejectedAndCreatesNothing) {
  LaunchRequest request = InImage({"true"});
  request.container->mounts = {{.source = "/nowhere", .target = "/data"}};
  auto started = engine().Start(request);
  ASSERT_FALSE(started.ok());
  EXPECT_THAT(started.error().message(),
              testing::HasSubstr("bind source path does not exist"));
  EXPECT_TRUE(Left().empty());
}

TEST_F(Containers, MountingTheEnginesSocketIsRejected) {
  std::filesystem::path socket = (*Docker().server)->endpoint().socket;
  for (const auto& source : {socket, socket.parent_path()}) {
    LaunchRequest request = InImage({"true"});
    request.container->mounts = {{.source = source, .target = "/s"}};
    auto started = engine().Start(request);
    ASSERT_FALSE(started.ok()) << source;
    EXPECT_EQ(started.error().code(), ErrorCode::kPermissionDenied);
  }
}

TEST_F(Containers, AMissingImageIsNotFound) {
  auto fetched = engine().Prepare(
      {.container = ContainerSettings{.image = "mete-nowhere:1"},
       .pull = PullPolicy::kNever},
      {}, {});
  ASSERT_FALSE(fetched.ok());
  EXPECT_EQ(fetched.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(fetched.error().message(),
            "image mete-nowhere:1: not present, and pulling is disabled");
}

TEST_F(Containers, ALocalImageHasAnId) {
  auto fetched = engine().Prepare(InImage({"true"}), {}, {});
  ASSERT_TRUE(fetched.ok()) << fetched.error().message();
  EXPECT_EQ(fetched->sha256.size(), 64u);
  EXPECT_EQ(fetched->engine.name, "docker");
}

TEST_F(Containers, AreRemovedAtTheEnd) {
  CaptureOutput(InImage({"true"}));
  EXPECT_TRUE(Left().empty());
  for (const CgroupMount& mount : FindCgroupMounts(SystemRoot())) {
    for (const std::string& name : SystemRoot().Names(mount.point)) {
      EXPECT_FALSE(name.starts_with("mete-app-" + std::to_string(getpid())))
          << mount.point / name;
    }
  }
}

// Starts a child that runs a container and is killed itself.
TEST_F(Containers, OfAKilledMeteAreRemovedByTheNext) {
  Endpoint endpoint = (*Docker().server)->endpoint();
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto mine = DockerEngine::Open(endpoint);
    auto application = (*mine)->Start(InImage({"sleep", "3600"}));
    kill(getpid(), application.ok() ? SIGKILL : SIGABRT);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  ASSERT_EQ(Left().size(), 1u);
  auto next = DockerEngine::Open(endpoint);
  ASSERT_TRUE(next.ok()) << next.error().message();
  EXPECT_TRUE(Left().empty());
}

// The engine's runtime, which needs some MiB, works in the container's cgroup
// before it becomes the program.
TEST_F(Containers, ThePeakIsNotThatOfTheirStart) {
  auto application = engine().Start(InImage({"sleep", "0.3"}));
  ASSERT_TRUE(application.ok()) << application.error().message();
  EXPECT_FALSE((*application)->Wait(std::chrono::milliseconds(100)));
  (*application)->Usage();  // a sample
  ASSERT_TRUE((*application)->Wait(std::chrono::seconds(20)));
  (*application)->Kill();
  ASSERT_TRUE((*application)->Usage().memory_peak);
  EXPECT_LT(*(*application)->Usage().memory_peak, Mebibytes(1));
  EXPECT_THAT((*application)->notes(), testing::IsEmpty());
}

TEST_F(Containers, ThePeakOfAProgramThatNoSampleShowsIsUnknown) {
  auto application = engine().Start(InImage({"true"}));
  ASSERT_TRUE(application.ok()) << application.error().message();
  ASSERT_TRUE((*application)->Wait(std::chrono::seconds(20)));
  (*application)->Kill();
  EXPECT_FALSE((*application)->Usage().memory_peak);
  EXPECT_THAT((*application)->notes(),
              testing::ElementsAre(testing::HasSubstr("peak is unknown")));
}

TEST_F(Containers, WithoutVisibleCgroupsTheEngineProvidesTheMetrics) {
  auto nothing = ScratchFolder::Create();
  auto engine = DockerEngine::Open((*Docker().server)->endpoint(),
                                   SystemRoot(nothing->path()));
  ASSERT_TRUE(engine.ok()) << engine.error().message();
  auto application =
      (*engine)->Start(InImage({"/bin/known_workload", "burn", "1500"}));
  ASSERT_TRUE(application.ok()) << application.error().message();
  EXPECT_FALSE((*application)->Wait(std::chrono::milliseconds(500)));
  ResourceUsage usage = (*application)->Usage();
  EXPECT_EQ((*application)->Accounting(), "engine statistics");
  ASSERT_TRUE(usage.cpu.has_value());
  EXPECT_GT(usage.cpu->count(), 0.1);
  EXPECT_TRUE(usage.memory.has_value());
  ASSERT_TRUE((*application)->Wait(std::chrono::seconds(20)));
  // The last sample is kept, since an ended container has no metrics.
  EXPECT_GT((*application)->Usage().cpu->count(), 0.1);
}

// Tests everything together: flags, data set, hook sockets, store.
TEST_F(Containers, AreLimitedAndRestoredByTheController) {
  ScratchFolder folder = *ScratchFolder::Create();
  setenv("HOME", folder.path().c_str(), 1);
  setenv("METE_STATE", folder.path().c_str(), 1);
  setenv("DOCKER_HOST", (*Docker().server)->endpoint().Text().c_str(), 1);
  ActuatorSubject subject = Sleeping(Docker());
  auto gauge = *HttpServer::Start(
      {.listen = {.host = "127.0.0.1"}}, [](const HttpRequest&) {
        return HttpReply{{.status = 200, .body = "gauge 20\n"}};
      });
  ASSERT_TRUE(
      WriteFileAtomically(
          folder.path() / "slo.yaml",
          fmt::format("every: 200ms\nagents: http://{}\nrules:\n"
                      "  - {{name: r, series: gauge, below: 10, for: 0s, "
                      "actions: [{{limit: {{container: {}, cpus: 0.5}}}}, "
                      "{{pause: {{container: {}}}}}]}}\n",
                      gauge->endpoint().Authority(), subject.target.name,
                      subject.target.name))
          .ok());
  auto cpus = *subject.actuator->Find(subject.target, ControlKnob::kCpus);
  auto pause = *subject.actuator->Find(subject.target, ControlKnob::kPause);
  MeteProgram program(
      folder.path() / "store.db",
      {"control", "--act", "--config", (folder.path() / "slo.yaml").string()});
  EXPECT_TRUE(Until([&] { return *subject.actuator->Read(pause) == 1; }));
  EXPECT_EQ(*subject.actuator->Read(cpus), 0.5);
  EXPECT_EQ(program.End(SIGINT), 0);
  EXPECT_EQ(*subject.actuator->Read(pause), 0);
  EXPECT_EQ(*subject.actuator->Read(cpus), std::nullopt);
  subject.end();
}

TEST_F(Containers, AreMeasuredByTheProgram) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::create_directories(folder.path() / "data");
  ASSERT_TRUE(
      WriteFileAtomically(folder.path() / "data" / "file", "content\n").ok());
  setenv("HOME", folder.path().c_str(), 1);
  setenv("METE_STATE", folder.path().c_str(), 1);
  setenv("DOCKER_HOST", (*Docker().server)->endpoint().Text().c_str(), 1);
  MeteProgram program(
      folder.path() / "store.db",
      {"measure", "--image", kTestImage, "--docker-arg", "--network none",
       "--dataset", (folder.path() / "data").string(), "--out",
       (folder.path() / "out").string(), "--", "sh", "-c",
       "/bin/busybox cat $METE_DATASET/file; "
       "[ -S $METE_HOOK_SOCKET ] && [ -S /metrics/live_metrics.sock ] && "
       "echo sockets"});
  EXPECT_EQ(program.Wait(), 0);
  EXPECT_EQ(*ReadFile(folder.path() / "out" / "app.log"), "content\nsockets\n");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / "samples.csv"));
  EXPECT_TRUE(Left().empty());
}

TEST(NoEngine, IsAnErrorThatSaysWhatToDo) {
  auto engine = DockerEngine::Open({.socket = "/nowhere/docker.sock"});
  ASSERT_FALSE(engine.ok());
  EXPECT_EQ(engine.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(engine.error().message(),
            "container engine: connect unix:///nowhere/docker.sock: no such "
            "file or directory; is docker or podman running? Set "
            "DOCKER_HOST to use another");
}

}  // namespace
}  // namespace mete
