#include "contend/drive_load.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_http_channel.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Drives services that take 10 ms for each request.
struct LoadStage {
  FakeClock clock;
  std::optional<nanoseconds> service_time = milliseconds(10);

  Result<std::vector<TenantAnswers>> Drive(const MixLoad& load,
                                           std::stop_token stop = {}) {
    DriveLoad drive = DriveWithPoissonLoad(
        {.clock = clock,
         .open_channel = [this]() -> Result<std::unique_ptr<HttpChannel>> {
           return std::unique_ptr<HttpChannel>(
               std::make_unique<FakeHttpChannel>(
                   clock, FakeService{.service_time = [this] {
                     return service_time;
                   }}));
         }});
    return drive(load, std::move(stop));
  }
};

MixLoad TwoTenantsAt(double rate) {
  return {.tenants = {{.application = "a",
                       .instances = {{.host = "h", .port = 1}},
                       .rate = rate,
                       .seed = 1},
                      {.application = "b",
                       .instances = {{.host = "h", .port = 2},
                                     {.host = "h", .port = 3}},
                       .rate = 20,
                       .seed = 2}},
          .window = Seconds(20),
          .drain = Seconds(5)};
}

TEST(DriveWithPoissonLoad, AnswersForEveryTenantInOrder) {
  LoadStage stage;
  auto answers = stage.Drive(TwoTenantsAt(40));
  ASSERT_TRUE(answers.ok()) << answers.error().message();
  ASSERT_EQ(answers->size(), 2u);
  EXPECT_NEAR(static_cast<double>((*answers)[0].sent), 800, 120);
  EXPECT_NEAR(static_cast<double>((*answers)[1].sent), 400, 90);
  EXPECT_EQ((*answers)[0].answered, (*answers)[0].sent);
  EXPECT_GE((*answers)[0].sojourn.p50.value(), 0.01);
  EXPECT_EQ((*answers)[0].saturation, "");
}

TEST(DriveWithPoissonLoad, LabelsATenantThatCannotKeepUp) {
  LoadStage stage;
  auto answers = stage.Drive(TwoTenantsAt(200));
  ASSERT_TRUE(answers.ok());
  EXPECT_NE((*answers)[0].saturation, "");
  EXPECT_EQ((*answers)[1].saturation, "");
  EXPECT_LT((*answers)[0].answered, (*answers)[0].sent);
}

TEST(DriveWithPoissonLoad, CountsServicesThatNeverAnswer) {
  LoadStage stage;
  stage.service_time.reset();
  auto answers = stage.Drive(TwoTenantsAt(10));
  ASSERT_TRUE(answers.ok());
  EXPECT_EQ((*answers)[0].answered, 0u);
  EXPECT_GT((*answers)[0].sent, 0u);
  EXPECT_FALSE((*answers)[0].sojourn.p95);
}

TEST(DriveWithPoissonLoad, IsInterrupted) {
  LoadStage stage;
  std::stop_source stop;
  stop.request_stop();
  auto answers = stage.Drive(TwoTenantsAt(10), stop.get_token());
  ASSERT_FALSE(answers.ok());
  EXPECT_EQ(answers.error().code(), ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace mete
