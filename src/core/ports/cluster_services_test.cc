#include "ports/cluster_services.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster_services.h"

namespace mete {
namespace {

class AwaitServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(services_.Apply({.name = "web", .image = "app:1"}, {}).ok());
  }
  Result<ClusterServiceStatus> Await(std::stop_token stop = {}) {
    return AwaitService(services_, clock_, "web", patience_, stop);
  }

  FakeClock clock_;
  FakeClusterServices services_;
  ServicePatience patience_;
};

TEST_F(AwaitServiceTest, ReturnsWhenAllInstancesServe) {
  services_.ReadyAfter(5);
  auto status = Await();
  ASSERT_TRUE(status.ok()) << status.error().message();
  EXPECT_TRUE(status->Available());
  EXPECT_EQ(clock_.Now(), std::chrono::seconds(4));
}

TEST_F(AwaitServiceTest, AMissingImageEndsItAtOnce) {
  services_.Break("web", NotFound("ImagePullBackOff: no such image"));
  auto status = Await();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(status.error().message(),
            "start service web: ImagePullBackOff: no such image");
  EXPECT_EQ(clock_.Now(), std::chrono::seconds(0));
}

TEST_F(AwaitServiceTest, WaitsForANodeForAWhile) {
  services_.Break("web", Unsupported("no node fits"));
  auto status = Await();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(clock_.Now(), std::chrono::seconds(30));
}

TEST_F(AwaitServiceTest, TheTimeoutNamesTheProgress) {
  services_.ReadyAfter(100000);
  auto status = Await();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kTimeout);
  EXPECT_NE(status.error().message().find("0 of 1 instances serve"),
            std::string::npos)
      << status.error().message();
}

TEST_F(AwaitServiceTest, StopInterruptsIt) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(Await(stop.get_token()).error().code(), ErrorCode::kInterrupted);
}

TEST_F(AwaitServiceTest, AnUnknownServiceIsNotFound) {
  ASSERT_TRUE(services_.Remove("web", {}).ok());
  EXPECT_EQ(Await().error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
