#include "agent/snapshots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr MetricFamily kTurns{.name = "x_turns", .help = "How often."};

// Exports the number of its collections.
class Counting final : public Collector {
 public:
  std::string_view name() const override { return "counting"; }
  Status Collect(MetricBatch& batch) override {
    batch.Add(kTurns, ++turns_);
    return {};
  }

 private:
  int turns_ = 0;
};

// Hangs, as with a broken driver, until it is released.
class Hanging final : public Collector {
 public:
  explicit Hanging(std::shared_future<void> let_go)
      : let_go_(std::move(let_go)) {}
  std::string_view name() const override { return "hanging"; }
  Status Collect(MetricBatch& batch) override {
    let_go_.wait();
    batch.Add(kTurns, {{"of", "hanging"}}, 1);
    return {};
  }

 private:
  std::shared_future<void> let_go_;
};

class Failing final : public Collector {
 public:
  std::string_view name() const override { return "failing"; }
  Status Collect(MetricBatch&) override { return Unavailable("no such bus"); }
};

class SnapshotsTest : public testing::Test {
 protected:
  template <typename... Parts>
  static std::vector<std::unique_ptr<Collector>> Of(Parts... parts) {
    std::vector<std::unique_ptr<Collector>> collectors;
    (collectors.push_back(std::move(parts)), ...);
    return collectors;
  }
  SnapshotSettings Settings(milliseconds max_age, milliseconds patience) {
    return {.max_age = max_age,
            .patience = patience,
            .report = [this](const std::string& line) {
              reported_ += line + "\n";
            }};
  }

  SystemClock clock_;
  std::string reported_;
};

TEST_F(SnapshotsTest, ReusesARecentPage) {
  Snapshots snapshots(Of(std::make_unique<Counting>()),
                      Settings(std::chrono::hours(1), milliseconds(5000)),
                      clock_);
  EXPECT_THAT(snapshots.Page(MetricFormat::kText), HasSubstr("x_turns 1\n"));
  EXPECT_THAT(snapshots.Page(MetricFormat::kText), HasSubstr("x_turns 1\n"));
}

TEST_F(SnapshotsTest, ReadsAgainWhenThePageIsTooOld) {
  Snapshots snapshots(Of(std::make_unique<Counting>()),
                      Settings(milliseconds(-1), milliseconds(5000)), clock_);
  snapshots.Page(MetricFormat::kText);
  EXPECT_THAT(snapshots.Page(MetricFormat::kText), HasSubstr("x_turns 2\n"));
}

TEST_F(SnapshotsTest, AnswersWithoutACollectorThatHangs) {
  std::promise<void> let_go;
  Snapshots snapshots(Of(std::make_unique<Hanging>(let_go.get_future().share()),
                         std::make_unique<Counting>()),
                      Settings(milliseconds(-1), milliseconds(1000)), clock_);
  std::string page = snapshots.Page(MetricFormat::kText);
  EXPECT_THAT(
      page,
      AllOf(HasSubstr("mete_agent_collector_success{collector=\"hanging\"} 0"),
            HasSubstr(
                "mete_agent_collector_timeouts_total{collector=\"hanging\"} 1"),
            HasSubstr("mete_agent_collector_success{collector=\"counting\"} 1"),
            HasSubstr("x_turns 1\n"), Not(HasSubstr("of=\"hanging\""))));
  EXPECT_THAT(reported_,
              HasSubstr("collector hanging: did not finish in time"));
  let_go.set_value();
  // It may take a few pages until the late result has been discarded.
  for (int i = 0; i < 2000 && reported_.find("again") == reported_.npos; ++i) {
    page = snapshots.Page(MetricFormat::kText);
  }
  EXPECT_THAT(reported_, HasSubstr("collector hanging works again"));
  EXPECT_THAT(page, HasSubstr("x_turns{of=\"hanging\"} 1"));
}

TEST_F(SnapshotsTest, TheDestructorDoesNotWaitForAHangingThread) {
  std::promise<void> never;
  {
    Snapshots snapshots(
        Of(std::make_unique<Hanging>(never.get_future().share())),
        Settings(milliseconds(-1), milliseconds(1)), clock_);
    snapshots.Page(MetricFormat::kText);
  }
  SUCCEED() << "the destructor returned";
  never.set_value();
}

TEST_F(SnapshotsTest, ReportsOnceWhyACollectorFails) {
  Snapshots snapshots(Of(std::make_unique<Failing>()),
                      Settings(milliseconds(-1), milliseconds(5000)), clock_);
  snapshots.Page(MetricFormat::kText);
  EXPECT_THAT(
      snapshots.Page(MetricFormat::kText),
      HasSubstr("mete_agent_collector_success{collector=\"failing\"} 0"));
  EXPECT_EQ(reported_, "collector failing: no such bus\n");
}

TEST(SnapshotAgeTest, APageOfExactlyTheMaximumAgeIsUsedAgain) {
  FakeClock clock;
  std::vector<std::unique_ptr<Collector>> collectors;
  collectors.push_back(std::make_unique<Counting>());
  Snapshots snapshots(
      std::move(collectors),
      {.max_age = milliseconds(500), .patience = std::chrono::seconds(60)},
      clock);
  snapshots.Page(MetricFormat::kText);
  clock.Advance(milliseconds(500));
  EXPECT_THAT(snapshots.Page(MetricFormat::kText), HasSubstr("x_turns 1\n"));
  clock.Advance(milliseconds(1));
  const std::string page = snapshots.Page(MetricFormat::kText);
  EXPECT_THAT(page, HasSubstr("x_turns 2\n"));
  EXPECT_THAT(page, HasSubstr("mete_agent_snapshots_total 2\n"));
  EXPECT_THAT(page, HasSubstr("mete_agent_collector_timeouts_total{"
                              "collector=\"counting\"} 0\n"));
  EXPECT_THAT(
      page, HasSubstr("mete_agent_snapshot_timestamp_seconds 1714566600.501"));
}

TEST_F(SnapshotsTest, ASecondCallerWaitsForTheFirst) {
  std::promise<void> let_go;
  Snapshots snapshots(
      Of(std::make_unique<Hanging>(let_go.get_future().share())),
      Settings(std::chrono::hours(1), milliseconds(60'000)), clock_);
  auto page = [&] { return snapshots.Page(MetricFormat::kText); };
  auto first = std::async(std::launch::async, page);
  auto second = std::async(std::launch::async, page);
  EXPECT_EQ(second.wait_for(milliseconds(50)), std::future_status::timeout);
  let_go.set_value();
  EXPECT_EQ(first.get(), second.get());
}

// Says when it is destroyed.
class Ending final : public Collector {
 public:
  explicit Ending(std::promise<void> ended) : ended_(std::move(ended)) {}
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  ~Ending() override { ended_.set_value(); }
  std::string_view name() const override { return "ending"; }
  Status Collect(MetricBatch&) override { return {}; }

 private:
  std::promise<void> ended_;
};

TEST(CollectorThreadTest, TheThreadEndsWithItsOwner) {
  std::promise<void> ended;
  auto destroyed = ended.get_future();
  { CollectorThread thread(std::make_unique<Ending>(std::move(ended))); }
  EXPECT_EQ(destroyed.wait_for(std::chrono::seconds(60)),
            std::future_status::ready);
}

TEST(CollectorThreadTest, TakesNothingThatWasNotAskedFor) {
  CollectorThread thread(std::make_unique<Counting>());
  EXPECT_FALSE(thread.state().success);
  EXPECT_EQ(thread.state().timeouts, 0u);
  thread.Take(std::chrono::steady_clock::now());
  EXPECT_FALSE(thread.state().success);
  EXPECT_FALSE(thread.state().took);
  EXPECT_EQ(thread.state().timeouts, 1u);
  thread.Ask();
  thread.Take(std::chrono::steady_clock::now() + std::chrono::seconds(60));
  EXPECT_TRUE(thread.state().success);
  EXPECT_TRUE(thread.state().took);
  EXPECT_THAT(WriteMetricPage({&thread.batch()}, MetricFormat::kText),
              HasSubstr("x_turns 1\n"));
}

TEST(CollectorThreadTest, AResultIsTakenOnce) {
  CollectorThread thread(std::make_unique<Counting>());
  thread.Ask();
  const auto later =
      std::chrono::steady_clock::now() + std::chrono::seconds(60);
  thread.Take(later);
  ASSERT_TRUE(thread.state().success);
  thread.Take(std::chrono::steady_clock::now());
  EXPECT_FALSE(thread.state().success);
  EXPECT_EQ(WriteMetricPage({&thread.batch()}, MetricFormat::kText), "");
}

}  // namespace
}  // namespace mete
