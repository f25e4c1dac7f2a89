#include "ports/launchers.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

class IdleLauncher final : public Launcher {
 public:
  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest&) override {
    return Unsupported("it starts nothing");
  }
};

TEST(Launchers, AreMadeOnFirstUseAndOnce) {
  int made = 0;
  Launchers launchers(
      {{WorkloadKind::kCommand,
        [&](std::stop_token) -> Result<std::unique_ptr<Launcher>> {
          ++made;
          return std::unique_ptr<Launcher>(new IdleLauncher);
        }}});
  EXPECT_EQ(made, 0);
  Launcher* first = launchers.Find(WorkloadKind::kCommand).value();
  EXPECT_EQ(launchers.Find(WorkloadKind::kCommand).value(), first);
  EXPECT_EQ(made, 1);
}

TEST(Launchers, AskAgainAfterAFailure) {
  bool there = false;
  Launchers launchers(
      {{WorkloadKind::kImage,
        [&](std::stop_token) -> Result<std::unique_ptr<Launcher>> {
          if (!there) return Unavailable("no engine answers");
          return std::unique_ptr<Launcher>(new IdleLauncher);
        }}});
  auto failed = launchers.Find(WorkloadKind::kImage);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message(), "no engine answers");
  there = true;
  EXPECT_TRUE(launchers.Find(WorkloadKind::kImage).ok());
}

TEST(Launchers, PassTheStopOnToWhatConnects) {
  const LauncherFactory connect =
      [](std::stop_token stop) -> Result<std::unique_ptr<Launcher>> {
    if (!stop.stop_requested()) return Unavailable("no stop");
    return Error(ErrorCode::kInterrupted, "interrupted");
  };
  Launchers launchers({{WorkloadKind::kImage, connect}}, {{"far", connect}});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(
      launchers.Find(WorkloadKind::kImage, stop.get_token()).error().code(),
      ErrorCode::kInterrupted);
  EXPECT_EQ(launchers.Find("far", stop.get_token()).error().code(),
            ErrorCode::kInterrupted);
}

TEST(Launchers, AKindThatNothingRunsIsUnsupported) {
  Launchers launchers({});
  auto found = launchers.Find(WorkloadKind::kImage);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace mete
