#include "adapters/hook/hook_receiver.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <thread>

#include "adapters/hook/hook_wire_test_datagram.h"
#include "support/file.h"

namespace mete {
namespace {

// Collects events and lets a test wait for them.
class KeepingSink final : public AppEventSink {
 public:
  void Take(const AppEvent& event) override {
    std::lock_guard lock(mutex_);
    events_.push_back(event);
    changed_.notify_all();
  }
  void TakeLoss(const AppLoss& loss) override {
    std::lock_guard lock(mutex_);
    lost_[loss.name] += loss.events;
  }

  bool WaitForEvents(size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20),
                             [&] { return events_.size() >= count; });
  }
  std::vector<AppEvent> events() const {
    std::lock_guard lock(mutex_);
    return events_;
  }
  std::map<std::string, uint64_t> lost() const {
    std::lock_guard lock(mutex_);
    return lost_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<AppEvent> events_;
  std::map<std::string, uint64_t> lost_;
};

// Counts how often it is read.
class CountingClock final : public Clock {
 public:
  std::chrono::nanoseconds Now() const override {
    ++readings_;
    return clock_.Now();
  }
  std::chrono::system_clock::time_point Wall() const override {
    return clock_.Wall();
  }
  Seconds ProcessCpu() const override { return clock_.ProcessCpu(); }
  bool SleepFor(std::chrono::nanoseconds wait, std::stop_token stop) override {
    return clock_.SleepFor(wait, std::move(stop));
  }
  size_t readings() const { return readings_; }

 private:
  SystemClock clock_;
  mutable std::atomic<size_t> readings_ = 0;
};

// A receiver in its own folder.
class HookReceiverTest : public testing::Test {
 protected:
  HookReceiverTest() {
    auto opened = HookReceiver::Open(
        {.folder = folder_.path(),
         .warn =
             [this](const std::string& text) { warnings_.push_back(text); }},
        sink_, clock_);
    CHECK(opened.ok()) << opened.error().message();
    receiver_ = *std::move(opened);
  }

  static Descriptor ConnectTo(const std::filesystem::path& path, int type) {
    Descriptor made(socket(AF_UNIX, type, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(path.native(), address.sun_path);
    CHECK(connect(made.number(), reinterpret_cast<sockaddr*>(&address),
                  sizeof(address)) == 0)
        << path.native();
    return made;
  }
  Descriptor Datagrams() { return ConnectTo(receiver_->path(), SOCK_DGRAM); }
  Descriptor Stream() {
    return ConnectTo(receiver_->legacy_path(), SOCK_STREAM);
  }
  static void Send(const Descriptor& to, std::string_view bytes) {
    EXPECT_EQ(send(to.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              ssize_t(bytes.size()));
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  CountingClock clock_;
  KeepingSink sink_;
  std::vector<std::string> warnings_;  // read after Stop()
  std::unique_ptr<HookReceiver> receiver_;
};

TEST_F(HookReceiverTest, ProcessesWhatWasSentBeforeItStops) {
  Descriptor app = Datagrams();
  for (uint64_t i = 0; i < 8; ++i) {
    Send(app, Encode(TestDatagram{.sequence = i,
                                  .records = {{.value = double(i)}}}));
  }
  receiver_->Stop();
  ASSERT_EQ(sink_.events().size(), 8u);
  EXPECT_EQ(sink_.events().back().value, 7);
  EXPECT_EQ(receiver_->counts().datagrams, 8u);
  EXPECT_TRUE(sink_.lost().empty());
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(HookReceiverTest, ReceivesWhileItRuns) {
  Descriptor app = Datagrams();
  Send(app, Encode(TestDatagram{.records = {{}}}));
  EXPECT_TRUE(sink_.WaitForEvents(1));
}

// Reported by the kernel: the pid inside a datagram is ignored.
TEST_F(HookReceiverTest, IdentifiesTheSendingProcess) {
  Send(Datagrams(), Encode(TestDatagram{.pid = 77, .records = {{}}}));
  Send(Stream(), R"({"fps": {"value": 30}})"
                 "\n\n");
  ASSERT_TRUE(sink_.WaitForEvents(2));
  for (const AppEvent& event : sink_.events()) {
    EXPECT_EQ(event.sender, getpid()) << event.name;
  }
}

TEST_F(HookReceiverTest, ReportsLossesBySenderAndByName) {
  Descriptor app = Datagrams();
  Send(app, Encode(TestDatagram{.sequence = 0, .records = {{}, {}}}));
  Send(app, Encode(TestDatagram{
                .sequence = 7,
                .records = {{.kind = 4, .name = "frame", .value = 30}}}));
  receiver_->Stop();
  EXPECT_EQ(sink_.lost(),
            (std::map<std::string, uint64_t>{{"", 5}, {"frame", 30}}));
}

TEST_F(HookReceiverTest, CountsMalformedDatagramsAndWarnsOnce) {
  Descriptor app = Datagrams();
  Send(app, "rubbish");
  Send(app, "more rubbish");
  Send(app, Encode(TestDatagram{.records = {{}}}));
  receiver_->Stop();
  EXPECT_EQ(receiver_->counts().malformed, 2u);
  EXPECT_EQ(sink_.events().size(), 1u);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0],
            "an application sends malformed datagrams (not a hook datagram); "
            "they are dropped and counted");
}

TEST_F(HookReceiverTest, CountsAnOversizedDatagram) {
  Descriptor app = Datagrams();
  Send(app, std::string(65537, 'x'));
  receiver_->Stop();
  EXPECT_EQ(receiver_->counts().oversized, 1u);
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(HookReceiverTest, ReceivesFromSeveralWaapApplications) {
  Descriptor one = Stream(), two = Stream();
  Send(one, R"({"fps": {"value": 30, "time)");
  Send(two, "{\"ram\": {\"value\": 1}}\n\n{\"ram\": {\"value\": 2}}\n\n");
  ASSERT_TRUE(sink_.WaitForEvents(2));
  Send(one, "stamp\": 5}}\n\n");
  ASSERT_TRUE(sink_.WaitForEvents(3));
  auto events = sink_.events();
  EXPECT_EQ(events[0].name, "ram");
  EXPECT_EQ(events[1].value, 2);
  EXPECT_EQ(events[2].name, "fps");
  EXPECT_EQ(events[2].value, 30);
  EXPECT_EQ(events[2].kind, AppMetricKind::kNumber);
}

TEST_F(HookReceiverTest, TakesALastMessageWithoutBlankLine) {
  {
    Descriptor app = Stream();
    Send(app, "{\"n\": {\"value\": 4}}");
  }
  receiver_->Stop();
  ASSERT_EQ(sink_.events().size(), 1u);
  EXPECT_EQ(sink_.events()[0].value, 4);
}

TEST_F(HookReceiverTest, CountsBadMessagesAsLossesAndWarnsOnce) {
  Descriptor app = Stream();
  Send(app, "{\n\n[]\n\n{\"n\": {\"value\": 4}}\n\n");
  receiver_->Stop();
  EXPECT_EQ(receiver_->counts().messages, 3u);
  EXPECT_EQ(receiver_->counts().malformed, 2u);
  EXPECT_EQ(sink_.lost(), (std::map<std::string, uint64_t>{{"", 2}}));
  EXPECT_EQ(sink_.events().size(), 1u);
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(HookReceiverTest, DropsAnEndlessMessageAndTakesTheNext) {
  Descriptor app = Stream();
  const std::string part(32768, 'x');
  for (int i = 0; i < 64; ++i) Send(app, part);
  Send(app, "\n\n{\"n\": {\"value\": 4}}\n\n");
  ASSERT_TRUE(sink_.WaitForEvents(1));
  receiver_->Stop();
  EXPECT_EQ(receiver_->counts().oversized, 1u);
  EXPECT_EQ(sink_.lost(), (std::map<std::string, uint64_t>{{"", 1}}));
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("65536 bytes"), std::string::npos);
}

TEST_F(HookReceiverTest, RemovesControlCharactersFromWarnings) {
  Descriptor app = Stream();
  Send(app, "{\"\\u001b[2J" + std::string(500, 'x') + "\": 1}\n\n");
  receiver_->Stop();
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0].find('\x1b'), std::string::npos);
  EXPECT_LT(warnings_[0].size(), 300u);
}

TEST_F(HookReceiverTest, RejectsConnectionsBeyondItsLimit) {
  std::vector<Descriptor> apps;
  for (size_t i = 0; i < HookReceiver::kMostConnections + 3; ++i) {
    apps.push_back(Stream());
  }
  Send(apps[0], "{\"n\": {\"value\": 4}}\n\n");
  receiver_->Stop();
  EXPECT_EQ(receiver_->counts().refused, 3u);
  EXPECT_EQ(sink_.events().size(), 1u);
}

TEST_F(HookReceiverTest, AClosedConnectionMakesRoom) {
  for (size_t i = 0; i < HookReceiver::kMostConnections * 2; ++i) {
    Descriptor app = Stream();
    Send(app, "{\"n\": {\"value\": 4}}\n\n");
    ASSERT_TRUE(sink_.WaitForEvents(i + 1)) << i;
  }
}

TEST_F(HookReceiverTest, StopsTwiceAndLeavesNoFile) {
  const auto path = receiver_->path(), legacy = receiver_->legacy_path();
  EXPECT_TRUE(std::filesystem::exists(path));
  receiver_->Stop();
  receiver_->Stop();
  receiver_.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(legacy));
}

TEST_F(HookReceiverTest, RejectsASecondReceiverInTheFolder) {
  auto second = HookReceiver::Open({.folder = folder_.path()}, sink_, clock_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
}

TEST_F(HookReceiverTest, ShortensTheDetailsOfAWarning) {
  Send(Stream(), "{\"" + std::string(500, 'x') + "\": 1}\n\n");
  receiver_->Stop();
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_LT(warnings_[0].size(), 260u);
  EXPECT_GT(warnings_[0].size(), 200u);
}

TEST_F(HookReceiverTest, ASingleByteAtTheEndIsNoMessage) {
  Send(Stream(), R"({"a": {"value": 1}})"
                 "\n\n\n");
  ASSERT_TRUE(sink_.WaitForEvents(1));
  receiver_->Stop();
  EXPECT_EQ(receiver_->counts().messages, 1u);
  EXPECT_EQ(receiver_->counts().malformed, 0u);
}

TEST_F(HookReceiverTest, CountsMessagesDatagramsAndLosses) {
  {
    Descriptor stream = Stream();
    Send(stream, "{}\n\nnonsense\n\n" + std::string(2'000'000, 'x'));
    Send(stream, "\n\n");
  }
  receiver_->Stop();
  HookReceiverCounts counts = receiver_->counts();
  EXPECT_EQ(counts.messages, 2u);
  EXPECT_EQ(counts.malformed, 1u);
  EXPECT_EQ(counts.oversized, 1u);
  EXPECT_EQ(counts.datagrams, 0u);
  EXPECT_EQ(counts.refused, 0u);
  EXPECT_EQ(sink_.lost(), (std::map<std::string, uint64_t>{{"", 2}}));
}

TEST_F(HookReceiverTest, ReadsMoreThanOneTurnOfDatagrams) {
  Descriptor app = Datagrams();
  for (uint64_t i = 0; i < 3000; ++i) {
    Send(app, Encode(TestDatagram{.sequence = i, .records = {{}}}));
  }
  EXPECT_TRUE(sink_.WaitForEvents(3000));
}

// It reads the clock once whenever it wakes up and once for each datagram.
TEST_F(HookReceiverTest, SleepsUntilSomethingArrives) {
  constexpr size_t kDatagrams = 300;
  Descriptor app = Datagrams();
  for (size_t i = 0; i < kDatagrams; ++i) {
    Send(app, Encode(TestDatagram{.sequence = i, .records = {{}}}));
    ASSERT_TRUE(sink_.WaitForEvents(i + 1));
  }
  receiver_->Stop();
  EXPECT_LE(clock_.readings(), 2 * kDatagrams + 4);
}

// The thread sanitizer notices an access without the lock.
TEST_F(HookReceiverTest, CountsCanBeReadWhileItReceives) {
  std::jthread reader([this](const std::stop_token& stop) {
    HookReceiverCounts before;
    while (!stop.stop_requested()) {
      const HookReceiverCounts now = receiver_->counts();
      EXPECT_GE(now.datagrams, before.datagrams);
      EXPECT_LE(now.malformed, now.datagrams);
      before = now;
    }
  });
  Descriptor app = Datagrams();
  for (size_t i = 0; i < 200; ++i) Send(app, "rubbish");
  Send(app, Encode(TestDatagram{.records = {{}}}));
  EXPECT_TRUE(sink_.WaitForEvents(1));
}

}  // namespace
}  // namespace mete
