#include "hosting/detached_services.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "support/file.h"
#include "support/scratch_folder.h"
#include "support/spawn.h"
#include "support/text.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::HasSubstr;

// Calls a function whenever somebody sleeps.
class ObservedClock final : public Clock {
 public:
  ObservedClock(FakeClock& fake, const std::function<void()>& on_sleep)
      : fake_(fake), on_sleep_(on_sleep) {}
  std::chrono::nanoseconds Now() const override { return fake_.Now(); }
  std::chrono::system_clock::time_point Wall() const override {
    return fake_.Wall();
  }
  Seconds ProcessCpu() const override { return fake_.ProcessCpu(); }
  bool SleepFor(std::chrono::nanoseconds wait, std::stop_token stop) override {
    on_sleep_();
    return fake_.SleepFor(wait, std::move(stop));
  }

 private:
  FakeClock& fake_;
  const std::function<void()>& on_sleep_;
};

// A recorded /proc in which tests decide what runs, and real processes that
// must or must not get a signal.
struct DetachedStage {
  FakeClock fake;
  std::function<void()> on_sleep = [] {};
  ObservedClock clock{fake, on_sleep};
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
    return Record(process, start, state);
  }
  std::string Record(pid_t pid, const std::string& start, char state) {
    std::string stat = fmt::format("{} (mete) {}", pid, state);
    for (int i = 0; i < 18; ++i) stat += " 0";
    Put(fmt::format("/proc/{}/stat", pid), stat + " " + start + " 0\n");
    struct stat space {};
    EXPECT_EQ(::stat(root.Locate("/proc/self/ns/pid").c_str(), &space), 0);
    return fmt::format("{}-777-{}", pid, space.st_ino);
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

// It would write its record after that was removed, and serve on.
TEST(DetachedServices, AStopWaitsForAKeeperThatIsStarting) {
  DetachedStage stage;
  const std::string tag = stage.Run("777");
  int sleeps = 0;
  stage.on_sleep = [&] {
    if (++sleeps != 4) return;
    HostedService service = stage.files.Read("a1").value();
    service.keeper = tag;
    service.boot = "boot-1";
    ASSERT_TRUE(stage.files.Write(service).ok());
  };
  std::stop_source stop;
  stop.request_stop();
  auto service =
      stage.Services().Start({.app = "net", .network = "n"}, stop.get_token());
  EXPECT_EQ(service.error().code(), ErrorCode::kInterrupted);
  EXPECT_TRUE(stage.GotSignal(SIGTERM));
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

// A damaged record must not choose a process: only pid, start and namespace
// together identify the keeper.
TEST(DetachedServices, StopDoesNotTouchTheProcessOfADamagedRecord) {
  DetachedStage stage;
  const std::vector<std::string> parts = SplitAt(stage.Run("777"), '-');
  const std::string pid = parts[0];
  for (const std::string& tag :
       {pid, pid + "-" + parts[2], pid + "-777-1-" + parts[2],
        pid + "--" + parts[2], "x-777-" + parts[2]}) {
    ASSERT_TRUE(
        stage.files.Write({.id = "a1", .keeper = tag, .boot = "boot-1"}).ok());
    EXPECT_EQ(stage.Services().List({})->front().state,
              HostedService::State::kGone)
        << tag;
    EXPECT_TRUE(stage.Services().Stop("a1", {}).ok()) << tag;
    ASSERT_EQ(waitpid(stage.process, nullptr, WNOHANG), 0) << tag;
  }
}

// The record is all that is known of a keeper that still runs.
TEST(DetachedServices, StopKeepsTheRecordIfTheKeeperCannotBeReached) {
  DetachedStage stage;
  std::promise<pid_t> started;
  std::stop_source end;
  // No handle exists for a thread that is not the first of its process.
  std::jthread other([&] {
    started.set_value(gettid());
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait(lock, end.get_token(),
                                       [] { return false; });
  });
  const std::string tag = stage.Record(started.get_future().get(), "777", 'S');
  ASSERT_TRUE(
      stage.files.Write({.id = "a1", .keeper = tag, .boot = "boot-1"}).ok());
  EXPECT_FALSE(stage.Services().Stop("a1", {}).ok());
  EXPECT_TRUE(stage.files.Read("a1").ok());
  stage.keeper = [&](HostedService& service) {
    service.keeper = tag;
    service.boot = "boot-1";
  };
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(stage.Services()
                   .Start({.app = "net", .network = "n"}, stop.get_token())
                   .ok());
  EXPECT_TRUE(stage.files.Read("a1").ok());
  end.request_stop();
}

TEST(DetachedServices, StopEndsNothingWhileItCannotTellWhoseProcessItIs) {
  DetachedStage stage;
  const std::string tag = stage.Run("777");
  const auto file =
      stage.root.Locate(fmt::format("/proc/{}/stat", stage.process));
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);  // cannot be read
  ASSERT_TRUE(
      stage.files.Write({.id = "a1", .keeper = tag, .boot = "boot-1"}).ok());
  EXPECT_EQ(stage.Services().Stop("a1", {}).error().code(),
            ErrorCode::kUnavailable);
  EXPECT_TRUE(stage.files.Read("a1").ok());
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
