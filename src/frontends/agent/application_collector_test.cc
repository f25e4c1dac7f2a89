#include "agent/application_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "agent/test_machine.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ApplicationsTest : public testing::Test {
 protected:
  void SendEvent(int process, const std::string& name, AppMetricKind kind,
                 double value) {
    book_.Take({.name = name,
                .kind = kind,
                .value = value,
                .at = clock_.Now(),
                .sender = process});
  }
  std::string Page() { return CollectPage(collector_); }

  FakeClock clock_;
  ApplicationBook book_{
      {.expiry = seconds(60),
       .origin_of =
           [](int process) {
             return AppOrigin{.app = "app-" + std::to_string(process % 1000),
                              .container = process >= 1000 ? "c0ffee" : ""};
           }},
      clock_};
  HookCounts counts_{.datagrams = 5, .malformed = 2};
  ApplicationCollector collector_{
      {.node = "edge-1", .book = book_, .counts = [this] { return counts_; }},
      clock_};
};

TEST_F(ApplicationsTest, ATimerHasAHistogramAndRecentQuantiles) {
  for (int i = 1; i <= 100; ++i) {
    clock_.Advance(milliseconds(10));
    SendEvent(1007, "infer", AppMetricKind::kTimer, i * 0.001);
  }
  clock_.Advance(seconds(1));
  const std::string labels =
      "{node=\"edge-1\",app=\"app-7\",container=\"c0ffee\",metric=\"infer\"";
  EXPECT_THAT(
      Page(),
      AllOf(HasSubstr("mete_app_events_total" + labels + "} 100\n"),
            HasSubstr("mete_app_duration_seconds_bucket" + labels +
                      ",le=\"0.025\"} 25\n"),
            HasSubstr("mete_app_duration_seconds_bucket" + labels +
                      ",le=\"+Inf\"} 100\n"),
            HasSubstr("mete_app_duration_seconds_count" + labels + "} 100\n"),
            HasSubstr("mete_app_recent_duration_seconds" + labels +
                      ",quantile=\"0.5\"} 0.0505\n"),
            HasSubstr("# TYPE mete_app_recent_duration_seconds summary\n")));
}

TEST_F(ApplicationsTest, ExportsTheLastValueOfANumber) {
  SendEvent(7, "queue", AppMetricKind::kNumber, 3);
  SendEvent(7, "queue", AppMetricKind::kNumber, 5);
  EXPECT_THAT(
      Page(),
      AllOf(HasSubstr(
                "mete_app_value{node=\"edge-1\",app=\"app-7\",container=\"\","
                "metric=\"queue\"} 5\n"),
            HasSubstr("mete_app_last_event_timestamp_seconds{node=\"edge-1\","
                      "app=\"app-7\","
                      "container=\"\",metric=\"queue\"} 1714566600\n"),
            HasSubstr("mete_apps{node=\"edge-1\"} 1\n"),
            HasSubstr("mete_agent_hook_refused_total{reason=\"malformed\"} "
                      "2\n")));
}

TEST_F(ApplicationsTest, ProcessesOfOneProgramAreOneApplication) {
  SendEvent(1007, "frame", AppMetricKind::kRate, 1);
  SendEvent(2007, "frame", AppMetricKind::kRate, 4);
  EXPECT_THAT(Page(), AllOf(HasSubstr("metric=\"frame\"} 5\n"),
                            HasSubstr("mete_apps{node=\"edge-1\"} 1\n")));
}

TEST_F(ApplicationsTest, ASilentApplicationExpires) {
  SendEvent(7, "queue", AppMetricKind::kNumber, 3);
  clock_.Advance(seconds(61));
  EXPECT_THAT(Page(), AllOf(Not(HasSubstr("app-7")),
                            HasSubstr("mete_apps{node=\"edge-1\"} 0\n")));
}

TEST_F(ApplicationsTest, CountsLostEventsByName) {
  SendEvent(7, "frame", AppMetricKind::kRate, 1);
  book_.TakeLoss({.name = "frame", .events = 3, .sender = 7});
  book_.TakeLoss({.name = "", .events = 2, .sender = 7});
  EXPECT_THAT(
      Page(),
      AllOf(HasSubstr("mete_app_dropped_events_total{node=\"edge-1\",app=\"app-"
                      "7\",container=\"\",metric=\"frame\"} 3"),
            HasSubstr("metric=\"\"} 2\n")));
}

TEST_F(ApplicationsTest, LimitsWhatUnknownSendersCanStore) {
  for (int process = 0; process < 2000; ++process) {
    for (int metric = 0; metric < 10; ++metric) {
      SendEvent(process % 1000, "m" + std::to_string(metric),
                AppMetricKind::kTimer, 1);
    }
  }
  size_t applications = 0;
  size_t metrics = 0;
  book_.ForEach([&](const LiveApplication& application) {
    ++applications;
    metrics += application.metrics.size();
  });
  EXPECT_EQ(applications, ApplicationBook::kMostApplications);
  EXPECT_EQ(metrics, ApplicationBook::kMostMetrics);
  EXPECT_GT(book_.dropped(), 0u);
}

TEST_F(ApplicationsTest, OneApplicationLeavesRoomForOthers) {
  for (int metric = 0; metric < 1000; ++metric) {
    SendEvent(7, "m" + std::to_string(metric), AppMetricKind::kTimer, 1);
  }
  SendEvent(8, "frame", AppMetricKind::kRate, 1);
  std::map<std::string, size_t> metrics;
  book_.ForEach([&](const LiveApplication& application) {
    metrics[application.origin.app] = application.metrics.size();
  });
  EXPECT_EQ(metrics["app-7"], ApplicationBook::kMostMetricsOfOne);
  EXPECT_EQ(metrics["app-8"], 1u);
}

TEST_F(ApplicationsTest, CutsLongNamesAndReplacesInvalidBytes) {
  SendEvent(7, std::string(60'000, 'x'), AppMetricKind::kNumber, 1);
  SendEvent(7, "a\xFF", AppMetricKind::kNumber, 2);
  SendEvent(7, "a\xFE", AppMetricKind::kNumber, 3);  // the same on the page
  std::string page = Page();
  EXPECT_LT(page.size(), 8000u);
  // Two events of one metric, whose last value is 3.
  EXPECT_THAT(
      page,
      HasSubstr("mete_app_events_total{node=\"edge-1\",app=\"app-7\",container="
                "\"\",metric=\"a\xEF\xBF\xBD\"} 2\n"));
  EXPECT_THAT(
      page,
      HasSubstr("mete_app_value{node=\"edge-1\",app=\"app-7\",container=\"\","
                "metric=\"a\xEF\xBF\xBD\"} 3\n"));
}

TEST_F(ApplicationsTest, TwoKindsUnderOneNameAreKeptApart) {
  SendEvent(7, "step", AppMetricKind::kTimer, 0.5);
  SendEvent(7, "step", AppMetricKind::kRate, 2);
  EXPECT_THAT(Page(), AllOf(HasSubstr("metric=\"step\"} 1\n"),
                            HasSubstr("metric=\"step.rate\"} 2\n")));
}

TEST_F(ApplicationsTest, ExportsNoUnnamedLossWithoutOne) {
  SendEvent(7, "frame", AppMetricKind::kRate, 1);
  EXPECT_THAT(Page(), Not(HasSubstr("metric=\"\"")));
}

TEST_F(ApplicationsTest, AnApplicationHeardExactlyAMinuteAgoIsKept) {
  SendEvent(7, "queue", AppMetricKind::kNumber, 3);
  clock_.Advance(seconds(60));
  EXPECT_THAT(Page(), HasSubstr("app-7"));
}

TEST_F(ApplicationsTest, ExpiredApplicationsMakeRoom) {
  for (int process = 0; process < 300; ++process) {
    SendEvent(process, "m", AppMetricKind::kNumber, 1);
  }
  const uint64_t dropped = book_.dropped();
  EXPECT_EQ(dropped, 300 - ApplicationBook::kMostApplications);
  clock_.Advance(seconds(61));
  for (int process = 500; process < 500 + 256; ++process) {
    SendEvent(process, "a", AppMetricKind::kNumber, 1);
    SendEvent(process, "b", AppMetricKind::kNumber, 1);
  }
  size_t metrics = 0;
  book_.ForEach([&](const LiveApplication& application) {
    metrics += application.metrics.size();
  });
  EXPECT_EQ(metrics, ApplicationBook::kMostMetrics);
  EXPECT_EQ(book_.dropped(), dropped);
}

TEST_F(ApplicationsTest, NumbersAreReusedAndOrderThePage) {
  SendEvent(9, "m", AppMetricKind::kNumber, 1);
  clock_.Advance(seconds(40));
  SendEvent(8, "m", AppMetricKind::kNumber, 1);
  clock_.Advance(seconds(40));
  SendEvent(7, "m", AppMetricKind::kNumber, 1);
  std::vector<std::pair<size_t, std::string>> seen;
  book_.ForEach([&](const LiveApplication& application) {
    seen.emplace_back(application.number, application.origin.app);
  });
  EXPECT_THAT(seen, testing::ElementsAre(testing::Pair(1, "app-7"),
                                         testing::Pair(2, "app-8")));
}

TEST_F(ApplicationsTest, AThirdKindUnderOneNameKeepsItsSuffix) {
  SendEvent(7, "step", AppMetricKind::kRate, 2);
  SendEvent(7, "step", AppMetricKind::kTimer, 0.5);
  SendEvent(7, "step", AppMetricKind::kNumber, 4);
  SendEvent(7, "step", AppMetricKind::kNumber, 6);
  const std::string page = Page();
  EXPECT_THAT(page, HasSubstr("metric=\"step.timer\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("metric=\"step.number\"} 6\n"));
}

TEST_F(ApplicationsTest, QuantilesAndSumsAreThoseOfTheTimer) {
  for (int i = 1; i <= 3; ++i) {
    SendEvent(7, "infer", AppMetricKind::kTimer, i);
  }
  const std::string page = Page();
  const std::string labels =
      "{node=\"edge-1\",app=\"app-7\",container=\"\",metric=\"infer\"";
  EXPECT_THAT(page,
              HasSubstr("mete_app_duration_seconds_sum" + labels + "} 6\n"));
  EXPECT_THAT(page, HasSubstr("mete_app_recent_duration_seconds_sum" + labels +
                              "} 6\n"));
  EXPECT_THAT(page, HasSubstr("mete_app_recent_duration_seconds_count" +
                              labels + "} 3\n"));
  EXPECT_THAT(page, HasSubstr(",quantile=\"0.95\"} "));
  EXPECT_THAT(page, HasSubstr(",quantile=\"0.99\"} 3\n"));
}

TEST_F(ApplicationsTest, ExportsEveryCountOfTheReceiver) {
  counts_ = {.datagrams = 11,
             .messages = 12,
             .malformed = 13,
             .oversized = 14,
             .refused = 15};
  const std::string page = Page();
  for (const char* line :
       {"mete_agent_hook_datagrams_total 11\n",
        "mete_agent_hook_messages_total 12\n", "{reason=\"malformed\"} 13\n",
        "{reason=\"oversized\"} 14\n", "{reason=\"connections\"} 15\n",
        "{reason=\"applications\"} 0\n"}) {
    EXPECT_THAT(page, HasSubstr(line));
  }
}

TEST_F(ApplicationsTest, ExportsWhenTheLastEventWasSent) {
  clock_.Advance(seconds(100));
  SendEvent(7, "queue", AppMetricKind::kNumber, 3);
  clock_.Advance(seconds(5));
  EXPECT_THAT(Page(),
              HasSubstr("container=\"\",metric=\"queue\"} 1714566700\n"));
}

TEST_F(ApplicationsTest, AnEventWithoutANameIsDropped) {
  SendEvent(7, "", AppMetricKind::kNumber, 1);
  book_.ForEach([](const LiveApplication& application) {
    EXPECT_TRUE(application.metrics.empty());
    EXPECT_EQ(application.dropped, 1u);
  });
}

TEST_F(ApplicationsTest, ATimerThatWasSilentHasTotalsButNoQuantiles) {
  SendEvent(7, "infer", AppMetricKind::kTimer, 1);
  clock_.Advance(seconds(59));
  EXPECT_THAT(Page(), AllOf(HasSubstr("mete_app_recent_duration_seconds_count"),
                            Not(HasSubstr("quantile="))));
}

TEST_F(ApplicationsTest, MakesRoomOnceASecond) {
  clock_.Advance(seconds(10));
  for (int process = 0; process < 256; ++process) {
    SendEvent(process, "m", AppMetricKind::kNumber, 1);
  }
  clock_.Advance(seconds(60));
  SendEvent(500, "m", AppMetricKind::kNumber, 1);  // all were heard at 10 s
  EXPECT_EQ(book_.dropped(), 1u);
  clock_.Advance(milliseconds(999));
  SendEvent(501, "m", AppMetricKind::kNumber, 1);
  EXPECT_EQ(book_.dropped(), 2u);
  clock_.Advance(milliseconds(1));
  SendEvent(502, "m", AppMetricKind::kNumber, 1);
  EXPECT_EQ(book_.dropped(), 2u);
}

TEST_F(ApplicationsTest, CountsLossesOfApplicationsThatFoundNoRoom) {
  for (int process = 0; process < 256; ++process) {
    SendEvent(process, "m", AppMetricKind::kNumber, 1);
  }
  book_.TakeLoss({.name = "m", .events = 4, .sender = 500});
  EXPECT_EQ(book_.dropped(), 4u);
}

// All processes are one program, whose origin is looked up.
class OneProgramTest : public testing::Test {
 protected:
  void SendFrom(int process) {
    book_.Take({.name = "m",
                .kind = AppMetricKind::kRate,
                .value = 1,
                .at = clock_.Now(),
                .sender = process});
  }
  double Events() {
    double events = 0;
    book_.ForEach([&](const LiveApplication& application) {
      events += application.metrics.at("m").events();
    });
    return events;
  }

  FakeClock clock_;
  std::atomic<int> lookups_ = 0;
  ApplicationBook book_{{.expiry = seconds(60),
                         .origin_of =
                             [this](int) {
                               ++lookups_;
                               return AppOrigin{.app = "one"};
                             }},
                        clock_};
};

TEST_F(OneProgramTest, LooksUpTheOriginOfAProcessOnce) {
  SendFrom(1);
  SendFrom(1);
  EXPECT_EQ(lookups_, 1);
}

TEST_F(OneProgramTest, LooksUpAProcessAgainOnlyAfterItExpired) {
  SendFrom(1);
  clock_.Advance(seconds(60));
  SendFrom(2);  // expires what was heard more than 60 s ago
  SendFrom(1);
  EXPECT_EQ(lookups_, 2);
  clock_.Advance(seconds(61));
  SendFrom(3);
  SendFrom(1);
  EXPECT_EQ(lookups_, 4);
}

TEST_F(OneProgramTest, KeepsABoundedNumberOfProcesses) {
  for (int process = 1; process <= 2049; ++process) SendFrom(process);
  EXPECT_EQ(Events(), 2048);
  EXPECT_EQ(book_.dropped(), 1u);
}

TEST_F(OneProgramTest, CountsTheEventsOfAllThreads) {
  constexpr int kThreads = 4;
  constexpr int kEvents = 20'000;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, i] {
        for (int event = 0; event < kEvents; ++event) {
          SendFrom(i * 256 + event % 256);
        }
      });
    }
  }
  EXPECT_EQ(Events(), kThreads * kEvents);
}

// Whether `call` returns on another thread while a reader looks at the book.
bool ReturnsWhileRead(ApplicationBook& book,
                      const std::function<void()>& call) {
  std::future<void> called;
  bool returned = false;
  book.ForEach([&](const LiveApplication&) {
    called = std::async(std::launch::async, call);
    returned = called.wait_for(milliseconds(30)) == std::future_status::ready;
  });
  called.wait();
  return returned;
}

TEST_F(OneProgramTest, WritersAndReadersExcludeEachOther) {
  SendFrom(1);
  EXPECT_FALSE(ReturnsWhileRead(book_, [this] { SendFrom(1); }));
  EXPECT_FALSE(ReturnsWhileRead(
      book_, [this] { book_.TakeLoss({.events = 1, .sender = 1}); }));
  EXPECT_FALSE(ReturnsWhileRead(book_, [this] { book_.dropped(); }));
  EXPECT_FALSE(ReturnsWhileRead(
      book_, [this] { book_.ForEach([](const LiveApplication&) {}); }));
}

}  // namespace
}  // namespace mete
