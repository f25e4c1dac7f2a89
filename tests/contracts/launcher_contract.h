// The tests that every Launcher must pass, including the fake. A test file
// includes this and instantiates the suite with a function that makes one.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <mutex>
#include <string>

#include "ports/launcher.h"

namespace mete {

// A launcher and requests for applications that behave in a known way.
struct LauncherSubject {
  std::string unavailable;  // why the tests are skipped; empty: they run
  std::shared_ptr<Launcher> launcher;
  LaunchRequest exits_with_3;
  LaunchRequest says_hello;         // writes "hello\n" and ends
  LaunchRequest sleeps;             // for an hour; ends on SIGTERM
  LaunchRequest ignores_terminate;  // for an hour
  LaunchRequest missing;            // a program that does not exist
  std::shared_ptr<void> owner;      // owns what the launcher borrows
};

class LauncherContract : public testing::TestWithParam<LauncherSubject (*)()> {
 protected:
  void SetUp() override {
    if (!subject_.unavailable.empty()) GTEST_SKIP() << subject_.unavailable;
  }

  std::unique_ptr<RunningApplication> Start(const LaunchRequest& request) {
    auto started = subject_.launcher->Start(request);
    EXPECT_TRUE(started.ok()) << started.error().message();
    return *std::move(started);
  }

  static constexpr std::chrono::seconds kLong{20};
  LauncherSubject subject_ = GetParam()();
};

TEST_P(LauncherContract, ReportsTheExitCode) {
  auto application = Start(subject_.exits_with_3);
  ASSERT_TRUE(application->Wait(kLong));
  EXPECT_EQ(application->Outcome().exit_code, 3);
  EXPECT_FALSE(application->Outcome().signal.has_value());
  EXPECT_EQ(application->Outcome().oom_kills, 0u);
}

TEST_P(LauncherContract, StartsAPreparedApplication) {
  auto prepared = subject_.launcher->Prepare(subject_.exits_with_3, {}, {});
  ASSERT_TRUE(prepared.ok()) << prepared.error().message();
  EXPECT_TRUE(Start(subject_.exits_with_3)->Wait(kLong));
}

TEST_P(LauncherContract, ForwardsTheOutput) {
  std::mutex mutex;
  std::string text;
  LaunchRequest request = subject_.says_hello;
  request.output = [&](std::string_view part) {
    std::lock_guard lock(mutex);
    text += part;
  };
  auto application = Start(request);
  ASSERT_TRUE(application->Wait(kLong));
  application->Kill();
  std::lock_guard lock(mutex);
  EXPECT_EQ(text, "hello\n");
}

TEST_P(LauncherContract, AMissingProgramIsNotFound) {
  auto started = subject_.launcher->Start(subject_.missing);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kNotFound);
}

TEST_P(LauncherContract, WaitReturnsInTimeWhileItRuns) {
  auto application = Start(subject_.sleeps);
  EXPECT_FALSE(application->Wait(std::chrono::milliseconds(20)));
  EXPECT_FALSE(application->Wait(std::chrono::nanoseconds(0)));
}

TEST_P(LauncherContract, TerminateEndsAnApplication) {
  auto application = Start(subject_.sleeps);
  application->Terminate();
  ASSERT_TRUE(application->Wait(kLong));
  EXPECT_EQ(application->Outcome().signal, SIGTERM);
}

TEST_P(LauncherContract, KillEndsAnApplicationThatIgnoresTerminate) {
  auto application = Start(subject_.ignores_terminate);
  EXPECT_FALSE(application->Wait(std::chrono::milliseconds(300)));
  application->Terminate();
  EXPECT_FALSE(application->Wait(std::chrono::milliseconds(100)));
  application->Kill();
  EXPECT_TRUE(application->Wait(std::chrono::nanoseconds(0)));
  EXPECT_EQ(application->Outcome().signal, SIGKILL);
}

TEST_P(LauncherContract, KillAfterTheEndKeepsTheOutcome) {
  auto application = Start(subject_.exits_with_3);
  ASSERT_TRUE(application->Wait(kLong));
  application->Kill();
  EXPECT_EQ(application->Outcome().exit_code, 3);
}

TEST_P(LauncherContract, ALifetimeIsNotLongerThanTheWatch) {
  auto before = std::chrono::steady_clock::now();
  auto application = Start(subject_.says_hello);
  ASSERT_TRUE(application->Wait(kLong));
  auto watched = std::chrono::steady_clock::now() - before;
  auto lifetime = application->Outcome().lifetime;
  if (!lifetime) GTEST_SKIP() << "this launcher does not report lifetimes";
  EXPECT_GT(lifetime->count(), 0);
  EXPECT_LE(*lifetime, watched);
}

TEST_P(LauncherContract, CountsCpuTime) {
  auto application = Start(subject_.exits_with_3);
  ASSERT_TRUE(application->Wait(kLong));
  application->Kill();
  ASSERT_TRUE(application->Usage().cpu.has_value());
  EXPECT_GE(application->Usage().cpu->count(), 0);
}

}  // namespace mete
