#include "load/run_load.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fakes/fake_http_channel.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

LoadTarget TargetAt(double rate, Seconds window, size_t replicas = 1) {
  LoadTarget target{
      .name = "app",
      .endpoints = {},
      .request = {.method = "POST", .target = "/infer"},
      .arrivals = *ConstantArrivals({.rate = rate, .window = window})};
  for (size_t i = 0; i < replicas; ++i) {
    target.endpoints.push_back({.host = "h", .port = static_cast<uint16_t>(i)});
  }
  return target;
}

// A load against fake services.
class RunLoadTest : public testing::Test {
 protected:
  std::vector<LoadSamples> Run(const LoadPlan& plan, FakeService service,
                               std::stop_token stop = {}) {
    auto ran =
        RunLoad(plan,
                {.clock = clock_,
                 .open_channel = [&]() -> Result<std::unique_ptr<HttpChannel>> {
                   auto made = std::make_unique<FakeHttpChannel>(
                       clock_, std::move(service));
                   channel_ = made.get();
                   return std::unique_ptr<HttpChannel>(std::move(made));
                 },
                 .progress =
                     [this](const LoadProgress& progress) {
                       if (on_progress_) on_progress_(progress);
                     }},
                std::move(stop));
    CHECK(ran.ok()) << ran.error().message();
    return *std::move(ran);
  }

  FakeClock clock_;
  FakeHttpChannel* channel_ = nullptr;  // valid during a load
  std::function<void(const LoadProgress&)> on_progress_;
};

FakeService Constant(nanoseconds time) {
  return {.service_time = [time] { return time; }};
}

TEST_F(RunLoadTest, SendsAtTheIntendedTimesAndRecordsTheAnswers) {
  auto results =
      Run({.targets = {TargetAt(10, Seconds(1))}}, Constant(milliseconds(30)));
  ASSERT_EQ(results.size(), 1u);
  ASSERT_EQ(results[0].samples.size(), 10u);
  EXPECT_EQ(results[0].name, "app");
  EXPECT_EQ(results[0].window, milliseconds(1000));
  for (size_t i = 0; i < 10; ++i) {
    const LoadSample& sample = results[0].samples[i];
    EXPECT_EQ(sample.fate, RequestFate::kAnswered);
    EXPECT_EQ(sample.intended, milliseconds(100) * i);
    EXPECT_EQ(sample.dispatched, sample.intended);
    EXPECT_EQ(sample.sent, sample.intended);
    EXPECT_EQ(sample.Sojourn(), Seconds(0.03));
    EXPECT_EQ(sample.timing.service, Seconds(0.03));
  }
}

// A closed loop would send the second request after the first answer and
// report 300 ms for each.
TEST_F(RunLoadTest, SlowServiceDoesNotDelayTheNextRequest) {
  auto results =
      Run({.targets = {TargetAt(10, Seconds(0.5))}, .drain = Seconds(2)},
          Constant(milliseconds(300)));
  for (size_t i = 0; i < 5; ++i) {
    const LoadSample& sample = results[0].samples[i];
    EXPECT_EQ(sample.sent, milliseconds(100) * i);
    // The i-th answer comes after i + 1 service times.
    EXPECT_EQ(sample.received, milliseconds(300) * (i + 1)) << i;
  }
}

TEST_F(RunLoadTest, CountsLatencyFromTheIntendedTimeWhenTheGeneratorIsLate) {
  bool once = false;
  on_progress_ = [&](const LoadProgress&) {
    if (!once) clock_.Advance(milliseconds(250));  // the machine was busy
    once = true;
  };
  auto results = Run({.targets = {TargetAt(10, Seconds(0.5))}},
                     Constant(milliseconds(10)));
  const LoadSample& late = results[0].samples[1];
  EXPECT_GT(late.dispatched, late.intended);
  EXPECT_EQ(late.Sojourn(), Seconds(*late.received - milliseconds(100)));
  EXPECT_GT(*late.Sojourn(), Seconds(0.1));
}

// After 16 requests in a row the generator looks for answers; here the
// sixteenth is the last one.
TEST_F(RunLoadTest, SendsTheLastRequestsInARowWhenTheGeneratorIsLate) {
  bool once = false;
  on_progress_ = [&](const LoadProgress&) {
    if (!once) clock_.Advance(milliseconds(200));
    once = true;
  };
  auto results = Run({.targets = {TargetAt(160, Seconds(0.1))}},
                     Constant(milliseconds(1)));
  ASSERT_EQ(results[0].samples.size(), 16u);
  for (const LoadSample& sample : results[0].samples) {
    EXPECT_EQ(sample.fate, RequestFate::kAnswered);
    EXPECT_EQ(sample.dispatched, milliseconds(200));
  }
}

// The sixteenth request is one of the second target, whose next one is due
// long after that of the first.
TEST_F(RunLoadTest, DoesNotWaitForOneTargetWhileARequestOfAnotherIsDue) {
  bool once = false;
  on_progress_ = [&](const LoadProgress&) {
    if (!once) clock_.Advance(std::chrono::microseconds(13'500));
    once = true;
  };
  auto results = Run(
      {.targets = {TargetAt(1000, Seconds(0.1)), TargetAt(75, Seconds(0.1))}},
      Constant(std::chrono::seconds(1)));
  EXPECT_EQ(results[0].samples[13].dispatched,
            std::chrono::microseconds(13'500));
  EXPECT_EQ(results[0].samples[14].dispatched, milliseconds(14));
}

TEST_F(RunLoadTest, WaitsForStragglersAndMarksWhatIsStillMissing) {
  LoadPlan plan{.targets = {TargetAt(10, Seconds(1))}, .drain = Seconds(0.5)};
  // Ten requests of 250 ms are done after 2.5 s; the drain ends at 1.5 s.
  auto results = Run(plan, Constant(milliseconds(250)));
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(results[0].samples[i].fate,
              i < 6 ? RequestFate::kAnswered : RequestFate::kUnanswered)
        << i;
  }
  EXPECT_EQ(results[0].drained, milliseconds(1500));
}

TEST_F(RunLoadTest, DrainsForAnotherWindowByDefaultAndNoLongerThanNeeded) {
  auto quick =
      Run({.targets = {TargetAt(10, Seconds(1))}}, Constant(milliseconds(120)));
  EXPECT_EQ(quick[0].drained, milliseconds(1200));
  auto never = Run({.targets = {TargetAt(10, Seconds(1))}},
                   {.service_time = [] { return std::nullopt; }});
  EXPECT_EQ(never[0].drained, milliseconds(2000));
  EXPECT_EQ(never[0].samples[0].fate, RequestFate::kUnanswered);
}

TEST_F(RunLoadTest, LoadsSeveralServicesInOneWindow) {
  LoadPlan plan{
      .targets = {TargetAt(10, Seconds(1)), TargetAt(40, Seconds(0.5))}};
  plan.targets[1].name = "other";
  auto results = Run(plan, Constant(milliseconds(5)));
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].samples.size(), 10u);
  EXPECT_EQ(results[1].name, "other");
  EXPECT_EQ(results[1].samples.size(), 20u);
  // Each has its own server, so they do not queue behind each other.
  for (const LoadSamples& result : results) {
    for (const LoadSample& sample : result.samples) {
      EXPECT_EQ(sample.Sojourn(), Seconds(0.005));
    }
  }
}

TEST_F(RunLoadTest, ReplicasShareTheLoadAtRandomAndRepeatably) {
  LoadTarget target = TargetAt(1000, Seconds(1), 4);
  auto replicas = [&](uint64_t seed) {
    target.seed = seed;
    auto results = Run({.targets = {target}}, Constant(milliseconds(1)));
    std::vector<uint32_t> chosen;
    for (const auto& sample : results[0].samples) {
      chosen.push_back(sample.replica);
    }
    return chosen;
  };
  auto once = replicas(1);
  EXPECT_EQ(once, replicas(1));
  EXPECT_NE(once, replicas(2));
  for (uint32_t replica = 0; replica < 4; ++replica) {
    // 1000 draws of 1/4: within five standard deviations.
    EXPECT_NEAR(
        static_cast<double>(std::count(once.begin(), once.end(), replica)), 250,
        69);
  }
}

TEST_F(RunLoadTest, ReplicasInTurnGetEveryNthRequest) {
  LoadTarget target = TargetAt(10, Seconds(1), 3);
  target.choice = ReplicaChoice::kInTurn;
  auto results = Run({.targets = {target}}, Constant(milliseconds(1)));
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(results[0].samples[i].replica, i % 3);
  }
}

TEST_F(RunLoadTest, KeepsErrorsOfTheServiceApart) {
  FakeService service = Constant(milliseconds(1));
  service.status = 500;
  auto results = Run({.targets = {TargetAt(10, Seconds(1))}}, service);
  EXPECT_EQ(results[0].samples[0].fate, RequestFate::kFailed);
  EXPECT_EQ(results[0].samples[0].status, 500);
  EXPECT_FALSE(results[0].samples[0].Sojourn().has_value());
}

TEST_F(RunLoadTest, InterruptionKeepsWhatWasMeasured) {
  std::stop_source stop;
  on_progress_ = [&](const LoadProgress& progress) {
    if (progress.elapsed >= std::chrono::seconds(3)) stop.request_stop();
  };
  auto results = Run({.targets = {TargetAt(10, Seconds(60))}},
                     Constant(milliseconds(20)), stop.get_token());
  const LoadSamples& result = results[0];
  EXPECT_TRUE(result.interrupted);
  EXPECT_LT(result.window, std::chrono::seconds(4));
  EXPECT_EQ(result.samples[20].fate, RequestFate::kAnswered);
  EXPECT_EQ(result.samples[599].fate, RequestFate::kNotSent);
  for (const LoadSample& sample : result.samples) {
    EXPECT_NE(sample.fate, RequestFate::kUnanswered);
  }
}

TEST_F(RunLoadTest, RefusesPlansWithoutTargetsOrEndpoints) {
  LoadDependencies dependencies{.clock = clock_, .open_channel = {}};
  EXPECT_EQ(RunLoad({}, dependencies, {}).error().message(), "nothing to load");
  LoadTarget target = TargetAt(1, Seconds(1), 0);
  EXPECT_EQ(RunLoad({.targets = {target}}, dependencies, {}).error().message(),
            "app has no endpoint");
}

}  // namespace
}  // namespace mete
