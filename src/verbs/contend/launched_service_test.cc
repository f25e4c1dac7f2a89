#include "contend/launched_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_launcher.h"

namespace mete {
namespace {

using testing::HasSubstr;

TEST(FindServiceAddress, FindsTheAddressThatIsServed) {
  auto found = FindServiceAddress(
      "warning: see http://example.org:80 \nmete service: serving app on "
      "http://127.0.0.1:41234 "
      "(batch 1)\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->host, "127.0.0.1");
  EXPECT_EQ(found->port, 41234);
}

TEST(FindServiceAddress, WaitsForTheEndOfThePort) {
  EXPECT_FALSE(FindServiceAddress("serving on http://127.0.0.1:41"));
  EXPECT_FALSE(FindServiceAddress("no address\n"));
  EXPECT_FALSE(FindServiceAddress(""));
}

TEST(FindServiceAddress, SkipsWhatIsNoAddress) {
  auto found =
      FindServiceAddress("serving a on http://[ and http://127.0.0.1:9 \n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->port, 9);
}

TEST(FindServiceAddress, AnswersAnAddressThatListensEverywhereLocally) {
  EXPECT_EQ(FindServiceAddress("serving a on http://0.0.0.0:80 (")->host,
            "127.0.0.1");
}

class LaunchedServicesTest : public testing::Test {
 protected:
  std::unique_ptr<RunningService> Start(ApplicationScript script) {
    launcher_ = std::make_unique<FakeLauncher>(
        clock_, [script](const LaunchRequest&) { return script; });
    services_ = std::make_unique<LaunchedServices>(
        *launcher_, clock_, [](const std::string& application) {
          return LaunchRequest{.command = {"mete", "service", application}};
        });
    auto started = services_->Start("app", {});
    CHECK(started.ok()) << started.error().message();
    return *std::move(started);
  }

  FakeClock clock_;
  std::unique_ptr<FakeLauncher> launcher_;
  std::unique_ptr<LaunchedServices> services_;
};

TEST_F(LaunchedServicesTest, StartsTheCommandOfTheApplication) {
  Start({.length = std::nullopt});
  EXPECT_THAT(launcher_->log().starts.at(0).command,
              testing::ElementsAre("mete", "service", "app"));
}

TEST_F(LaunchedServicesTest, IsNotReadyBeforeItPrintsItsAddress) {
  auto service = Start({.length = std::nullopt, .output = "loading weights\n"});
  Status ready = service->AwaitReady(Seconds(30), {});
  ASSERT_FALSE(ready.ok());
  EXPECT_EQ(ready.error().code(), ErrorCode::kTimeout);
  EXPECT_THAT(ready.error().message(),
              HasSubstr("not ready after 30.0 s: loading weights"));
}

TEST_F(LaunchedServicesTest, ReportsTheLastWordsOfAServiceThatEnded) {
  auto service = Start(
      {.length = std::chrono::seconds(0), .output = "mete: no ONNX Runtime\n"});
  Status ready = service->AwaitReady(Seconds(30), {});
  ASSERT_FALSE(ready.ok());
  EXPECT_EQ(ready.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(ready.error().message(),
            "the service ended before it was ready: mete: no ONNX Runtime");
}

TEST_F(LaunchedServicesTest, StopsWaitingWhenAsked) {
  auto service = Start({.length = std::nullopt});
  std::stop_source stop;
  stop.request_stop();
  Status ready = service->AwaitReady(Seconds(30), stop.get_token());
  ASSERT_FALSE(ready.ok());
  EXPECT_EQ(ready.error().code(), ErrorCode::kInterrupted);
}

TEST_F(LaunchedServicesTest, AsksTheServiceToEndAndThenKillsIt) {
  Start({.length = std::nullopt, .heeds_terminate = false});
  EXPECT_EQ(launcher_->log().terminated, 1);
  EXPECT_EQ(launcher_->log().killed, 1);
}

}  // namespace
}  // namespace mete
