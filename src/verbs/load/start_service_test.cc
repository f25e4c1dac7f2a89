#include "load/start_service.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

// How a fake mete service behaves.
struct ServiceScript {
  int looks_until_ready = 0;  // before it writes its port; -1: never
  std::string port = "4711\n";
  std::optional<std::string> last_words{};  // it ends instead
};

// Every wait for a line takes as long as it may.
class ScriptedService final : public TestbedProcess {
 public:
  ScriptedService(ServiceScript script, std::string port_file, FakeClock& clock)
      : script_(std::move(script)),
        port_file_(std::move(port_file)),
        clock_(clock) {
    Look();
  }

  Status Send(const std::string&) override { return {}; }
  Result<std::string> Receive(Seconds at_most, std::stop_token stop) override {
    if (stop.stop_requested()) {
      return Error(ErrorCode::kInterrupted, "interrupted");
    }
    if (script_.last_words) return Unavailable("the process has ended");
    clock_.Advance(
        std::chrono::duration_cast<std::chrono::nanoseconds>(at_most));
    Look();
    return Error(ErrorCode::kTimeout, "no line");
  }
  ProcessEnding Ending() override { return {}; }
  const std::string& last_output() const override {
    static const std::string kNone;
    return script_.last_words ? *script_.last_words : kNone;
  }

 private:
  void Look() {
    if (script_.last_words || script_.looks_until_ready < 0) return;
    if (script_.looks_until_ready-- == 0) {
      std::ofstream(port_file_) << script_.port;
    }
  }

  ServiceScript script_;
  std::string port_file_;
  FakeClock& clock_;
};

// Starts a service that follows the script.
class StartServiceTest : public testing::Test {
 protected:
  Result<StartedService> Start(const ServiceScript& script,
                               std::stop_token stop = {}) {
    return StartService(
        {.arguments = {"tclf-rf", "--threads", "2"}, .patience = Seconds(10)},
        {.start_self = [&](const std::vector<std::string>& arguments)
             -> Result<std::unique_ptr<TestbedProcess>> {
           arguments_ = arguments;
           return std::unique_ptr<TestbedProcess>(
               std::make_unique<ScriptedService>(script, arguments.back(),
                                                 clock_));
         },
         .clock = clock_},
        std::move(stop));
  }

  FakeClock clock_;
  std::vector<std::string> arguments_;
};

TEST_F(StartServiceTest, WaitsForThePortThatTheServiceWrites) {
  auto service = Start({.looks_until_ready = 3});
  ASSERT_TRUE(service.ok()) << service.error().message();
  EXPECT_EQ(service->endpoint(), (Endpoint{.host = "127.0.0.1", .port = 4711}));
  EXPECT_EQ(
      std::vector(arguments_.begin(), arguments_.end() - 1),
      (std::vector<std::string>{"service", "tclf-rf", "--threads", "2",
                                "--listen", "127.0.0.1:0", "--port-file"}));
}

TEST_F(StartServiceTest, GivesUpWhenTheServiceIsNeverReady) {
  auto service = Start({.looks_until_ready = -1});
  ASSERT_FALSE(service.ok());
  EXPECT_EQ(service.error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(service.error().message(),
            "start the service of tclf-rf: it was not ready after 10.0 s");
}

TEST_F(StartServiceTest, ReportsTheLastWordsOfAServiceThatEnds) {
  auto service = Start(
      {.last_words = "loading\nmete: mete service: no network 'tclf-rf'\n"});
  ASSERT_FALSE(service.ok());
  EXPECT_EQ(service.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(service.error().message(),
            "start the service of tclf-rf: no network 'tclf-rf'");
  EXPECT_EQ(Start({.last_words = ""}).error().message(),
            "start the service of tclf-rf: it ended without a message");
}

TEST_F(StartServiceTest, StopsWaitingWhenInterrupted) {
  std::stop_source stop;
  stop.request_stop();
  auto service = Start({.looks_until_ready = -1}, stop.get_token());
  EXPECT_EQ(service.error().code(), ErrorCode::kInterrupted);
}

// A file that is not complete yet has no line end.
TEST_F(StartServiceTest, DoesNotTakeHalfAPort) {
  EXPECT_FALSE(Start({.port = "47"}).ok());
  EXPECT_FALSE(Start({.port = "x\n"}).ok());
}

}  // namespace
}  // namespace mete
