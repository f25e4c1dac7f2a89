// Tests the hook in real processes: their events arrive, and no failure of the
// receiver harms them.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <optional>
#include <set>

#include "adapters/hook/hook_wire.h"
#include "measure/app_metrics_collector.h"
#include "tests/integration/hook/hook_test_app.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class HookTest : public testing::Test {
 protected:
  std::unique_ptr<HookReceiver> Open(AppEventSink& sink) {
    auto opened = HookReceiver::Open({.folder = folder_.path()}, sink, clock_);
    CHECK(opened.ok()) << opened.error().message();
    return *std::move(opened);
  }
  std::string socket() const { return folder_.path() / "hook.sock"; }

  // Runs a command to its end with a receiver; returns its exit status.
  int Run(const std::vector<std::string>& command) {
    auto receiver = Open(heard_);
    HookTestApp app(command, socket());
    int status = app.Wait();
    receiver->Stop();
    return status;
  }
  int RunScenario(const std::string& scenario) {
    return Run({METE_HOOK_APP, scenario});
  }
  size_t Heard(const std::string& name) { return heard_.events()[name].size(); }

  ScratchFolder folder_ = *ScratchFolder::Create();
  SystemClock clock_;
  EventsByName heard_;
};

TEST_F(HookTest, AllEventsOfACProgramArrive) {
  ASSERT_EQ(Run({METE_HOOK_C_APP}), 0);
  EXPECT_EQ(Heard("frame"), 3u);
  EXPECT_EQ(Heard("decode"), 3u);
  EXPECT_EQ(Heard("frames"), 3u);
  EXPECT_EQ(Heard("queue"), 3u);
  ASSERT_EQ(Heard("tokens"), 1u);
  EXPECT_EQ(heard_.events()["tokens"][0].value, 12);
  EXPECT_EQ(heard_.events()["tokens"][0].kind, AppMetricKind::kRate);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(heard_.events()["queue"][i].value, i);
    // The inner timer ended first and was not longer.
    EXPECT_LE(heard_.events()["decode"][i].value,
              heard_.events()["frame"][i].value);
  }
  EXPECT_THAT(heard_.lost(), IsEmpty());
}

TEST_F(HookTest, AllEventsOfACppProgramArrive) {
  const auto before = clock_.Now();
  ASSERT_EQ(RunScenario("basics"), 0);
  EXPECT_EQ(Heard("step"), 10u);
  EXPECT_EQ(Heard("frame"), 10u);
  ASSERT_EQ(Heard("level"), 10u);
  EXPECT_EQ(heard_.events()["level"][9].value, 9);
  EXPECT_GE(heard_.events()["level"][0].at, before);
  EXPECT_LE(heard_.events()["level"][9].at, clock_.Now());
  EXPECT_THAT(heard_.lost(), IsEmpty());
}

TEST_F(HookTest, AllEventsOfManyThreadsAndNestedTimersArrive) {
  ASSERT_EQ(RunScenario("threads"), 0);
  EXPECT_EQ(Heard("step"), 2000u);
  EXPECT_EQ(Heard("frame"), 1000u);
  EXPECT_THAT(heard_.lost(), IsEmpty());
}

TEST_F(HookTest, TimersOfOneNameCanOverlapAndCrossThreads) {
  ASSERT_EQ(RunScenario("timers_travel"), 0);
  ASSERT_EQ(Heard("travel"), 2u);
  EXPECT_GE(heard_.events()["travel"][0].value, 0.030);
  EXPECT_LT(heard_.events()["travel"][1].value,
            heard_.events()["travel"][0].value);
}

TEST_F(HookTest, InvalidInputIsDroppedOrTruncatedAndCounted) {
  ASSERT_EQ(RunScenario("odd_input"), 0);
  EXPECT_EQ(Heard("number"), 1u);
  EXPECT_EQ(Heard("frame"), 0u);
  EXPECT_EQ(Heard(std::string(63, 'x')), 1u);
  EXPECT_EQ(Heard(std::string(62, 'y')), 1u);
  EXPECT_THAT(heard_.lost(), ElementsAre(Pair("", 2), Pair("number", 2)));
}

TEST_F(HookTest, TooManyNamesAreDroppedAndCounted) {
  ASSERT_EQ(RunScenario("many_names"), 0);
  uint64_t heard = 0;
  for (const auto& [name, events] : heard_.events()) heard += events.size();
  EXPECT_GE(heard, 200u);
  EXPECT_LE(heard, 255u);
  EXPECT_EQ(heard + heard_.lost()[""], 1000u);
}

TEST_F(HookTest, AForkedChildIsASeparateSender) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP()
      << "the thread sanitizer kills forked children that start threads";
#endif
  ASSERT_EQ(RunScenario("fork"), 0);
  EXPECT_EQ(Heard("child"), 30u);
  ASSERT_EQ(Heard("parent"), 2u);
  EXPECT_EQ(heard_.events()["parent"][1].value, 2);
  // Shared sequences would look like gaps.
  EXPECT_THAT(heard_.lost(), IsEmpty());
}

TEST_F(HookTest, FlushSendsAllEventsBeforeAnAbruptExit) {
  ASSERT_EQ(RunScenario("flush_then_end"), 0);
  EXPECT_EQ(Heard("frame"), 1u);
}

TEST_F(HookTest, NeverWritesToDescriptorsOfTheProgram) {
  EXPECT_EQ(RunScenario("closes_descriptors"), 0);
}

TEST_F(HookTest, SignalHandlersCanRecord) {
  ASSERT_EQ(RunScenario("signals"), 0);
  ASSERT_EQ(Heard("signals"), 1u);
  EXPECT_EQ(double(Heard("signal") + heard_.lost()["signal"]),
            heard_.events()["signals"][0].value);
}

TEST_F(HookTest, SignalsAreDeliveredToTheProgramsOwnThreads) {
  EXPECT_EQ(RunScenario("takes_no_signals"), 0);
}

TEST_F(HookTest, PreservesErrno) {
  EXPECT_EQ(RunScenario("keeps_errno"), 0);
  EXPECT_EQ(Heard("frame") + heard_.lost()["frame"], 5001u);
}

TEST_F(HookTest, ALibraryThatUsesItCanBeUnloaded) {
  EXPECT_EQ(Run({METE_HOOK_APP, "plugin", METE_HOOK_PLUGIN}), 0);
  EXPECT_EQ(Heard("from_plugin"), 3u);
}

TEST_F(HookTest, WorksWithoutAReceiver) {
  for (const std::string& nobody :
       {std::string(), std::string("/nowhere/hook.sock"), socket(),
        std::string(folder_.path()), std::string(500, 'x')}) {
    HookTestApp app({METE_HOOK_APP, "basics"}, nobody);
    EXPECT_EQ(app.Wait(), 0) << nobody;
  }
}

TEST_F(HookTest, FindsAReceiverThatStartsLateOrRestarts) {
  HookTestApp app({METE_HOOK_APP, "until_told"}, socket());
  app.WaitUntilReady();
  for (int i = 0; i < 2; ++i) {
    EventsByName heard;
    auto receiver = Open(heard);
    EXPECT_TRUE(heard.WaitFor("frame", 10)) << "receiver " << i;
    receiver.reset();
    EXPECT_THAT(heard.lost(), IsEmpty()) << "receiver " << i;
  }
  EXPECT_EQ(app.Wait(), 0);
}

// A socket that is bound but only read on request.
class SilentReceiver {
 public:
  explicit SilentReceiver(const std::string& path)
      : socket_(*ListeningSocket::Bind({.path = path, .type = SOCK_DGRAM})) {}

  // Returns the next datagram; absent if none arrives within ten seconds.
  std::optional<HookDatagram> Next() {
    timeval patience{.tv_sec = 10, .tv_usec = 0};
    setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &patience,
               sizeof(patience));
    fcntl(socket_.number(), F_SETFL, 0);
    std::vector<char> buffer(65536);
    ssize_t got = recv(socket_.number(), buffer.data(), buffer.size(), 0);
    if (got < 0) return std::nullopt;
    auto datagram = ParseHookDatagram({buffer.data(), size_t(got)},
                                      std::chrono::nanoseconds::max());
    CHECK(datagram.ok()) << datagram.error().message();
    return *datagram;
  }

 private:
  ListeningSocket socket_;
};

TEST_F(HookTest, AFullQueueDropsAndCountsEveryEvent) {
  SilentReceiver receiver(socket());
  HookTestApp app({METE_HOOK_APP, "burst"}, socket());
  app.WaitUntilReady();  // 100,000 events, none read yet
  uint64_t events = 0, dropped = 0;
  while (events + dropped < 100000) {
    auto datagram = receiver.Next();
    if (!datagram) break;
    events += datagram->events.size();
    for (const AppLoss& loss : datagram->losses) {
      EXPECT_EQ(loss.name, "burst");
      dropped += loss.events;
    }
  }
  EXPECT_EQ(events + dropped, 100000u);
  EXPECT_GE(events, 4096u);
  EXPECT_GT(dropped, 0u);
  EXPECT_EQ(app.Wait(), 0);
}

TEST_F(HookTest, AReceiverThatNeverReadsDoesNotDelayTheExit) {
  SilentReceiver receiver(socket());
  HookTestApp app({METE_HOOK_APP, "burst"}, socket());
  EXPECT_EQ(app.Wait(), 0);
}

TEST_F(HookTest, FilesInTwoLanguagesShareOneSender) {
  SilentReceiver receiver(socket());
  HookTestApp app({METE_HOOK_APP, "two_languages"}, socket());
  ASSERT_EQ(app.Wait(), 0);
  std::set<uint64_t> sessions;
  std::vector<std::string> names;
  while (names.size() < 2) {
    auto datagram = receiver.Next();
    ASSERT_TRUE(datagram.has_value());
    sessions.insert(datagram->header.session);
    for (const AppEvent& event : datagram->events) names.push_back(event.name);
  }
  EXPECT_THAT(names, ElementsAre("from_cc", "from_c"));
  EXPECT_EQ(sessions.size(), 1u);
}

// WaAP lost most events of such an application and reported the inverse of a
// latency as its rate.
class PacedTest : public HookTest {
 protected:
  void ExpectThirtyHertz(const std::vector<std::string>& command) {
    AppMetricsCollector collector;
    auto receiver = Open(collector);
    HookTestApp app(command, socket());
    ASSERT_EQ(app.Wait(), 0);
    receiver->Stop();
    AppMetrics metrics = collector.Summarise();
    ASSERT_EQ(metrics.size(), 2u);
    for (const char* name : {"inference", "frame"}) {
      ASSERT_TRUE(metrics.contains(name)) << name;
      const AppMetric& metric = metrics.at(name);
      EXPECT_EQ(metric.count, 61u) << name;
      EXPECT_EQ(metric.dropped, 0u) << name;
      ASSERT_TRUE(metric.rate_hz.has_value()) << name;
      EXPECT_NEAR(*metric.rate_hz, 30, 1) << name;
    }
    EXPECT_EQ(metrics.at("inference").kind, AppMetricKind::kTimer);
    EXPECT_TRUE(metrics.at("inference").p99.has_value());
  }
};

TEST_F(PacedTest, ThirtyFramesASecondAreThirtyHertz) {
  ExpectThirtyHertz({METE_HOOK_APP, "paced"});
}

TEST_F(PacedTest, ThirtyFramesASecondInPythonAreThirtyHertz) {
  if (std::system("python3 -c '' >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "python3 is not installed";
  }
  ExpectThirtyHertz({"python3", METE_HOOK_PYTHON_APP, "paced"});
}

}  // namespace
}  // namespace mete
