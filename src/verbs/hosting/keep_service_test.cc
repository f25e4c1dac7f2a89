#include "hosting/keep_service.h"

#include <gmock/gmock.h>

#include "support/file.h"
#include "support/scratch_folder.h"
#include "tests/fakes/fake_launcher.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;

// A record, and a launcher whose application writes its port at once.
struct KeepStage {
  FakeClock clock;
  ScratchFolder scratch = ScratchFolder::Create().value();
  ServiceFiles files{scratch.path()};
  std::stop_source stop;
  std::optional<HostedService> seen;  // while it ran
  bool answers = true;
  std::string output = "hello\n";
  std::function<void()> before_answer = [] {};
  FakeLauncher* launcher = nullptr;
  Launchers launchers{
      {{WorkloadKind::kCommand, [this](std::stop_token) { return Make(); }},
       {WorkloadKind::kImage, [this](std::stop_token) { return Make(); }}}};

  Result<std::unique_ptr<Launcher>> Make() {
    auto made = std::make_unique<FakeLauncher>(
        clock, [this](const LaunchRequest&) { return Script(); });
    launcher = made.get();
    return std::unique_ptr<Launcher>(std::move(made));
  }
  ApplicationScript Script() {
    ApplicationScript script;
    script.length = std::nullopt;
    if (!answers) script.length = std::chrono::seconds(0);
    script.output = output;
    script.on_wait = [this] {
      std::exchange(before_answer, [] {})();
      if (!answers) return;
      ASSERT_TRUE(WriteFileAtomically(files.PortFile("a1"), "4000\n").ok());
      auto record = files.Read("a1");
      if (!record.ok() || record->url.empty()) return;
      seen = *record;
      stop.request_stop();
    };
    return script;
  }
  Status Keep(ServiceOrder order) {
    EXPECT_TRUE(files.Write({.id = "a1", .order = std::move(order)}).ok());
    return KeepService("a1",
                       {.launchers = launchers,
                        .root = SystemRoot(),
                        .program = "/usr/bin/mete",
                        .folder = scratch.path()},
                       stop.get_token());
  }
  Status KeepUntilItEnds(ServiceOrder order) {
    answers = false;
    return Keep(std::move(order));
  }
};

TEST(KeepService, WritesDownWhereTheServiceAnswers) {
  KeepStage stage;
  ASSERT_TRUE(stage.Keep({.app = "net", .network = "lenet5"}).ok());
  ASSERT_TRUE(stage.seen);
  EXPECT_EQ(stage.seen->url, "http://127.0.0.1:4000");
  EXPECT_EQ(stage.seen->state, HostedService::State::kRunning);
  EXPECT_FALSE(stage.seen->keeper.empty());
}

TEST(KeepService, StartsItUnderTheLimitsOfTheDevice) {
  KeepStage stage;
  ASSERT_TRUE(stage
                  .Keep({.app = "net",
                         .network = "/n.onnx",
                         .limits = {.memory = Mebibytes(64)}})
                  .ok());
  const LaunchRequest& launch = stage.launcher->log().starts.front();
  EXPECT_EQ(launch.limits.memory, Mebibytes(64));
  EXPECT_EQ(launch.command.front(), "/usr/bin/mete");
  EXPECT_THAT(launch.command, Contains("/n.onnx"));
}

TEST(KeepService, LeavesNothingWhenItIsStopped) {
  KeepStage stage;
  ASSERT_TRUE(stage.Keep({.app = "net", .network = "lenet5"}).ok());
  EXPECT_EQ(stage.launcher->log().terminated, 1);
  EXPECT_TRUE(FilesIn(stage.scratch.path())->empty());
}

TEST(KeepService, KeepsTheRecordAndTheOutputOfAServiceThatFails) {
  KeepStage stage;
  stage.answers = false;
  EXPECT_FALSE(stage.Keep({.app = "net", .network = "lenet5"}).ok());
  auto record = stage.files.Read("a1");
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->state, HostedService::State::kGone);
  EXPECT_EQ(ReadFile(stage.files.LogFile("a1")).value(), "hello\n");
}

TEST(KeepService, MountsOnlyTheNetworkAndItsFolderInAContainer) {
  KeepStage stage;
  ASSERT_TRUE(stage
                  .Keep({.app = "net",
                         .network = "/nets/n.onnx",
                         .launcher = "docker",
                         .image = "mete:1"})
                  .ok());
  const LaunchRequest& launch = stage.launcher->log().starts.front();
  ASSERT_TRUE(launch.container);
  ASSERT_EQ(launch.container->mounts.size(), 2u);
  EXPECT_TRUE(launch.container->mounts[1].read_only);
  EXPECT_EQ(launch.container->mounts[1].source, "/nets/n.onnx");
  EXPECT_EQ(launch.command.front(), "service");
}

// The records say which files and processes to remove: an image must not reach
// them, neither its own nor those of other services.
TEST(KeepService, ShowsAContainerNoRecords) {
  KeepStage stage;
  std::vector<std::string> shown;
  stage.before_answer = [&] {
    const LaunchRequest& launch = stage.launcher->log().starts.front();
    const auto& mount = launch.container->mounts.front();
    EXPECT_FALSE(mount.read_only);
    shown = {mount.source};
    const auto files = FilesIn(mount.source).value();
    for (const auto& file : files) shown.push_back(file.filename());
  };
  ASSERT_TRUE(stage
                  .Keep({.app = "net",
                         .network = "lenet5",
                         .launcher = "docker",
                         .image = "mete:1"})
                  .ok());
  EXPECT_THAT(shown, ElementsAre((stage.scratch.path() / "a1.run").string()));
}

// It could be a link to a file without end.
TEST(KeepService, ReadsNoPortFromAnythingButAShortFile) {
  KeepStage stage;
  stage.before_answer = [&] {
    stage.answers = false;
    const auto file = stage.files.PortFile("a1");
    const std::string text = "4000\n" + std::string(1000, ' ');
    ASSERT_TRUE(WriteFileAtomically(file, text).ok());
    stage.stop.request_stop();
  };
  Status kept = stage.Keep({.app = "net", .network = "lenet5"});
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.error().code(), ErrorCode::kInterrupted);
}

// A service that prints without end must not fill the disk.
TEST(KeepService, KeepsABoundedLog) {
  KeepStage stage;
  stage.output = std::string(kMostServiceLog.count - 1, 'x') + "yz\n";
  ASSERT_FALSE(stage.KeepUntilItEnds({.app = "net", .network = "n"}).ok());
  const std::string log = ReadFile(stage.files.LogFile("a1")).value();
  EXPECT_THAT(
      log, EndsWith("xy\nmete: the log has 8.0 MiB; the rest is not kept\n"));
}

TEST(KeepService, RefusesLaunchersItDoesNotKnow) {
  KeepStage stage;
  Status kept =
      stage.Keep({.app = "n", .network = "x", .launcher = "kubernetes"});
  EXPECT_EQ(kept.error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace mete
