// Thousands of malformed datagrams and messages: the receiver keeps running and
// leaks nothing.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "adapters/hook/hook_receiver.h"
#include "adapters/hook/hook_wire_test_datagram.h"
#include "support/file.h"
#include "tests/fakes/hostile_bytes.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

constexpr int kTimes = 10'000;

// Waits for an event by name.
class ForgetfulSink final : public AppEventSink {
 public:
  void Take(const AppEvent& event) override {
    if (event.name == "last words") seen_ = true;
  }
  void TakeLoss(const AppLoss&) override {}

  bool SawLastWords() const {
    return Until([&] { return seen_.load(); });
  }

 private:
  std::atomic<bool> seen_ = false;
};

Descriptor ConnectTo(const std::filesystem::path& path, int type) {
  Descriptor made(socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  CHECK(connect(made.number(), reinterpret_cast<sockaddr*>(&address),
                sizeof address) == 0);
  return made;
}

// Waits while the queue is full.
void Send(const Descriptor& to, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t sent = send(to.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

class HostileApplications : public testing::Test {
 protected:
  HostileApplications() {
    auto opened = HookReceiver::Open({.folder = folder_.path()}, sink_, clock_);
    CHECK(opened.ok()) << opened.error().message();
    receiver_ = *std::move(opened);
  }

  template <typename Act>
  static void ExpectFlat(Act act) {
    const size_t descriptors = OpenDescriptors();
    act(kTimes / 2);  // until every buffer has reached its size
    // A leak grows in every round. On a busy machine one round may grow without
    // a leak: the receiver lags, and more connections are open at a time.
    uint64_t least_growth = UINT64_MAX;
    for (int round = 0; round < 3; ++round) {
      const uint64_t before = ResidentBytes();
      act(kTimes);
      const uint64_t after = ResidentBytes();
      least_growth =
          std::min(least_growth, after > before ? after - before : 0);
    }
    if (kMemoryIsMeaningful) {
      EXPECT_LT(least_growth, uint64_t{1} << 20);
    }
    // The receiver closes slightly later than the application.
    EXPECT_TRUE(Until([&] { return OpenDescriptors() <= descriptors; }));
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  SystemClock clock_;
  ForgetfulSink sink_;
  std::unique_ptr<HookReceiver> receiver_;
};

TEST_F(HostileApplications, MaySendMalformedDatagrams) {
  HostileBytes hostile(
      3, {Encode(TestDatagram{.records = {{}, {.kind = 1, .name = "timer"}}}),
          Encode(TestDatagram{.sequence = 9,
                              .records = {{.kind = 4, .name = "lost"}}}),
          Encode(TestDatagram{.records = {{.later_fields = "more"}}}),
          Encode(TestDatagram{.version = 2})});
  ExpectFlat([&](int times) {
    Descriptor app = ConnectTo(receiver_->path(), SOCK_DGRAM);
    for (int i = 0; i < times; ++i) Send(app, hostile.Next());
  });
  Send(ConnectTo(receiver_->path(), SOCK_DGRAM),
       Encode(TestDatagram{.session = 6, .records = {{.name = "last words"}}}));
  EXPECT_TRUE(sink_.SawLastWords());
  EXPECT_GT(receiver_->counts().malformed, 1000u);
}

TEST_F(HostileApplications, MayWriteAnythingIntoTheStream) {
  HostileBytes hostile(
      4, {"{\"fps\": {\"value\": 30, \"timestamp\": 1714566600.5}}\n\n",
          "{\"a\": {\"value\": 1}, \"b\": {\"value\": -2e9}}\n\n",
          "{\"deep\": {\"value\": [[[[[[[[{}]]]]]]]]}}\n\n", "{}\n\n"});
  ExpectFlat([&](int times) {
    for (int i = 0; i < times;) {
      Descriptor app = ConnectTo(receiver_->legacy_path(), SOCK_STREAM);
      for (int end = i + 50; i < end; ++i) Send(app, hostile.Next());
    }
  });
  Send(ConnectTo(receiver_->legacy_path(), SOCK_STREAM),
       "{\"last words\": {\"value\": 1}}\n\n");
  EXPECT_TRUE(sink_.SawLastWords());
  EXPECT_GT(receiver_->counts().malformed, 1000u);
}

}  // namespace
}  // namespace mete
