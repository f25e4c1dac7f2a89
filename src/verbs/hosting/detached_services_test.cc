#include "hosting/detached_services.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support/file.h"
#include "support/scratch_folder.h"
#include "support/spawn.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::HasSubstr;

// A recorded /proc in which tests decide what runs, and real processes that
// must or must not get a signal.
struct DetachedStage {
  FakeClock clock;
  ScratchFolder scratch = ScratchFolder::Create().value();
  SystemRoot root{scratch.path() / "root"};
  std::filesystem::path folder = scratch.path() / "services";
  ServiceFiles files{folder};
  std::function<void(HostedService&)> keeper = [](HostedService&) {};
  pid_t process = 0;

  DetachedStage() {
    Put("/proc/sys/kernel/random/boot_id", "boot-1\n");
    Put("/proc/self/ns/pid", "");
  }
  ~DetachedStage() {
    if (process == 0) return;
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  void Put(const std::string& path, const std::string& text) {
    const auto file = root.Locate(path);
    ASSERT_TRUE(MakeFolder(file.parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(file, text).ok());
  }
  // A process with this start time and state in the recorded /proc.
  std::string Run(const std::string& start, char state = 'S') {
    process = Spawn({.arguments = {"sleep", "100"}}).value();
    std::string stat = fmt::format("{} (mete) {}", process, state);
    for (int i = 0; i < 18; ++i) stat += " 0";
    Put(fmt::format("/proc/{}/stat", process), stat + " " + start + " 0\n");
    struct stat space {};
    EXPECT_EQ(::stat(root.Locate("/proc/self/ns/pid").c_str(), &space), 0);
    return fmt::format("{}-777-{}", process, space.st_ino);
  }
  DetachedServices Services() {
    return DetachedServices(
        {.clock = clock,
         .root = root,
         .start_keeper =
             [this](const std::string& id, const std::filesystem::path&) {
               HostedService service = files.Read(id).value();
               keeper(service);
               return files.Write(service);
             },
         .draw_id = [] { return std::string("a1"); },
         .folder = folder});
  }
  bool GotSignal(int signal) {
    int status = 0;
    if (waitpid(process, &status, WNOHANG) != process) return false;
    process = 0;
    return WIFSIGNALED(status) && WTERMSIG(status) == signal;
  }
};

TEST(DetachedServices, ReturnWhenTheServiceAnswers) {
  DetachedStage stage;
  const std::string tag = stage.Run("777");
  stage.keeper = [&](HostedService& service) {
    service.keeper = tag;
    service.boot = "boot-1";
    service.state = HostedService::State::kRunning;
    service.url = "http://127.0.0.1:1";
  };
  auto service = stage.Services().Start({.app = "net", .network = "n"}, {});
  ASSERT_TRUE(service.ok()) << service.error().message();
  EXPECT_EQ(service->url, "http://127.0.0.1:1");
}

TEST(DetachedServices, GiveTheReasonFromTheLogAndLeaveNothing) {
  DetachedStage stage;
  stage.keeper = [&](HostedService& service) {
    service.state = HostedService::State::kGone;
    ASSERT_TRUE(
        WriteFileAtomically(stage.files.LogFile("a1"), "x\nno memory\n").ok());
  };
  auto service = stage.Services().Start({.app = "net", .network = "n"}, {});
  ASSERT_FALSE(service.ok());
  EXPECT_THAT(service.error().message(), HasSubstr("start net: no memory"));
  EXPECT_TRUE(FilesIn(stage.folder)->empty());
}

TEST(DetachedServices, GiveUpOnAKeeperThatNeverStarts) {
  DetachedStage stage;
  auto service = stage.Services().Start({.app = "net", .network = "n"}, {});
  EXPECT_EQ(service.error().code(), ErrorCode::kTimeout);
  EXPECT_THAT(service.error().message(), HasSubstr("did not start in 20 s"));
  EXPECT_TRUE(FilesIn(stage.folder)->empty());
}

TEST(DetachedServices, StopEndsTheKeeper) {
  DetachedStage stage;
  const std::string tag = stage.Run("777");
  ASSERT_TRUE(
      stage.files.Write({.id = "a1", .keeper = tag, .boot = "boot-1"}).ok());
  ASSERT_TRUE(stage.Services().Stop("a1", {}).ok());
  EXPECT_TRUE(stage.GotSignal(SIGTERM));
  EXPECT_TRUE(FilesIn(stage.folder)->empty());
}

TEST(DetachedServices, StopDoesNotTouchAProcessThatGotThePidLater) {
  DetachedStage stage;
  const std::string tag = stage.Run("888");  // started later than the keeper
  ASSERT_TRUE(
      stage.files.Write({.id = "a1", .keeper = tag, .boot = "boot-1"}).ok());
  EXPECT_TRUE(stage.Services().Stop("a1", {}).ok());
  EXPECT_EQ(kill(stage.process, 0), 0);
  EXPECT_EQ(waitpid(stage.process, nullptr, WNOHANG), 0);
}

TEST(DetachedServices, StopDoesNotTouchProcessesOfAnotherBoot) {
  DetachedStage stage;
  const std::string tag = stage.Run("777");
  ASSERT_TRUE(
      stage.files.Write({.id = "a1", .keeper = tag, .boot = "boot-0"}).ok());
  EXPECT_TRUE(stage.Services().Stop("a1", {}).ok());
  EXPECT_EQ(waitpid(stage.process, nullptr, WNOHANG), 0);
}

TEST(DetachedServices, StopDoesNotTouchPidsOfAnotherNamespace) {
  DetachedStage stage;
  stage.Run("777");
  const std::string tag = fmt::format("{}-777-1", stage.process);
  ASSERT_TRUE(
      stage.files.Write({.id = "a1", .keeper = tag, .boot = "boot-1"}).ok());
  EXPECT_EQ(stage.Services().Stop("a1", {}).error().code(),
            ErrorCode::kUnsupported);
  EXPECT_EQ(waitpid(stage.process, nullptr, WNOHANG), 0);
}

TEST(DetachedServices, ListSaysWhichAreGone) {
  DetachedStage stage;
  ASSERT_TRUE(stage.files
                  .Write({.id = "a1",
                          .state = HostedService::State::kRunning,
                          .url = "http://127.0.0.1:1",
                          .keeper = "1-2-3",
                          .boot = "boot-0"})
                  .ok());
  auto all = stage.Services().List({});
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all->size(), 1u);
  EXPECT_EQ(all->front().state, HostedService::State::kGone);
  EXPECT_EQ(all->front().url, "");
}

// As in a container whose first process does not wait for its children.
TEST(DetachedServices, AreGoneIfTheirKeeperIsAZombie) {
  DetachedStage stage;
  const std::string tag = stage.Run("777", 'Z');
  ASSERT_TRUE(stage.files
                  .Write({.id = "a1",
                          .state = HostedService::State::kRunning,
                          .keeper = tag,
                          .boot = "boot-1"})
                  .ok());
  auto all = stage.Services().List({});
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->front().state, HostedService::State::kGone);
}

TEST(DetachedServices, StopOfAnUnknownServiceIsNotFound) {
  DetachedStage stage;
  EXPECT_EQ(stage.Services().Stop("zz", {}).error().code(),
            ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
