#include "watch/incremental_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

// A server with samples by time, on the second.
class SampleServer final : public MetricHistory {
 public:
  using Samples = std::map<int64_t, double>;
  std::map<std::string, Samples> series;  // by the value of label "s"
  std::optional<Error> broken;
  std::vector<HistoryQuery> asked;

  std::string name() const override { return "samples"; }
  std::vector<Result<HistorySet>> Ask(const std::vector<HistoryQuery>& queries,
                                      std::stop_token) override {
    asked = queries;
    std::vector<Result<HistorySet>> answers;
    for (const HistoryQuery& query : queries) answers.push_back(Answer(query));
    return answers;
  }

 private:
  Result<HistorySet> Answer(const HistoryQuery& query) const {
    if (broken) return *broken;
    HistorySet set;
    const auto step = std::chrono::duration_cast<seconds>(query.step);
    for (const auto& [name, samples] : series) {
      HistorySeries one{.labels = {{"s", name}}};
      for (WallTime time = query.from; time <= query.to; time += step) {
        auto found = samples.find(
            std::chrono::duration_cast<seconds>(time.time_since_epoch())
                .count());
        if (found == samples.end()) continue;
        one.times.push_back(time);
        one.values.push_back(found->second);
      }
      if (!one.times.empty()) set.push_back(std::move(one));
    }
    return set;
  }
};

HistoryQuery Query(int64_t from, int64_t to, int64_t step = 1) {
  return {.promql = "q",
          .from = WallTime(seconds(from)),
          .to = WallTime(seconds(to)),
          .step = seconds(step)};
}

// Ten seconds of overlap in a window of a hundred.
class IncrementalHistoryTest : public testing::Test {
 protected:
  void SetUp() override { Fill("a", 0, 2000); }

  void Fill(const std::string& name, int64_t from, int64_t to) {
    for (int64_t t = from; t <= to; ++t) {
      server_.series[name][t] = static_cast<double>(t);
    }
  }
  // The values of series "a" in a window of a hundred seconds.
  std::vector<double> Ask(int64_t to) {
    auto answers = history_.Ask({Query(to - 99, to)}, {});
    EXPECT_TRUE(answers[0].ok());
    if (!answers[0].ok() || answers[0]->empty()) return {};
    EXPECT_EQ(answers[0]->front().times.size(),
              answers[0]->front().values.size());
    return answers[0]->front().values;
  }
  double Asked() const {
    return Seconds(server_.asked[0].to - server_.asked[0].from).count() + 1;
  }

  SampleServer server_;
  IncrementalHistory history_{
      server_, {.overlap = seconds(10), .refresh = std::chrono::hours(1)}};
};

TEST_F(IncrementalHistoryTest, AsksOnlyForWhatIsNewAndTheOverlap) {
  EXPECT_EQ(Ask(1000).size(), 100u);
  EXPECT_EQ(Asked(), 100);
  std::vector<double> values = Ask(1030);
  EXPECT_EQ(Asked(), 40);
  ASSERT_EQ(values.size(), 100u);
  EXPECT_EQ(values.front(), 931);
  EXPECT_EQ(values.back(), 1030);
}

TEST_F(IncrementalHistoryTest, ALateSampleWithinTheOverlapArrives) {
  server_.series["a"].erase(995);
  server_.series["a"][996] = -1;
  EXPECT_EQ(Ask(1000).size(), 99u);
  Fill("a", 995, 996);
  std::vector<double> values = Ask(1005);
  ASSERT_EQ(values.size(), 100u);
  EXPECT_EQ(values[100 - 11], 995);
  EXPECT_EQ(values[100 - 10], 996);
}

TEST_F(IncrementalHistoryTest, APointThatTheServerWithdrawsIsGone) {
  Ask(1000);
  server_.series["a"].erase(998);
  EXPECT_EQ(Ask(1001).size(), 99u);
}

TEST_F(IncrementalHistoryTest, ARefreshFindsSamplesThatWereVeryLate) {
  IncrementalHistory history(server_,
                             {.overlap = seconds(10), .refresh = seconds(40)});
  auto ask = [&](int64_t to) {
    return history.Ask({Query(to - 99, to)}, {})[0]->front().values.size();
  };
  server_.series["a"].erase(950);
  EXPECT_EQ(ask(1000), 99u);
  Fill("a", 950, 950);
  EXPECT_EQ(ask(1010), 99u);
  EXPECT_EQ(Asked(), 20);
  EXPECT_EQ(ask(1040), 100u);
  EXPECT_EQ(Asked(), 100);
  EXPECT_EQ(ask(1045), 100u);
  EXPECT_EQ(Asked(), 15);
}

TEST_F(IncrementalHistoryTest, ALostServerIsAskedForAllThatItMissed) {
  Ask(1000);
  server_.broken = Unavailable("down");
  for (int64_t to : {1015, 1030, 1045}) {
    EXPECT_EQ(history_.Ask({Query(to - 99, to)}, {})[0].error().code(),
              ErrorCode::kUnavailable);
  }
  server_.broken.reset();
  EXPECT_EQ(Ask(1060).size(), 100u);
  EXPECT_EQ(Asked(), 70);
}

// A server that restarts with an empty disk.
TEST_F(IncrementalHistoryTest, KeepsWhatTheServerLost) {
  IncrementalHistory history(server_,
                             {.overlap = seconds(10), .refresh = seconds(10)});
  (void)history.Ask({Query(901, 1000)}, {});
  server_.series.clear();
  Fill("a", 1005, 2000);
  auto values = history.Ask({Query(921, 1020)}, {})[0]->front().values;
  EXPECT_EQ(Asked(), 100);
  // 921 to 990, and 1005 to 1020: what was asked for again is gone.
  EXPECT_EQ(values.size(), 86u);
}

TEST_F(IncrementalHistoryTest, GapsStayGaps) {
  server_.series["a"].clear();
  Fill("a", 900, 950);
  Fill("a", 980, 2000);
  EXPECT_EQ(Ask(1000).size(), 71u);
  EXPECT_EQ(Ask(1020).size(), 71u);
  EXPECT_EQ(Ask(1060).size(), 81u);
  EXPECT_EQ(Ask(1090).size(), 100u);
}

TEST_F(IncrementalHistoryTest, ForgetsASeriesThatLeftTheWindow) {
  Fill("b", 0, 1000);
  EXPECT_EQ(history_.Ask({Query(901, 1000)}, {})[0]->size(), 2u);
  EXPECT_EQ(history_.Ask({Query(991, 1090)}, {})[0]->size(), 2u);
  EXPECT_EQ(history_.Ask({Query(1001, 1100)}, {})[0]->size(), 1u);
}

TEST_F(IncrementalHistoryTest, AnotherStepOrWindowIsAnotherQuery) {
  Ask(1000);
  auto coarse = history_.Ask({Query(901, 1001, 2)}, {});
  EXPECT_EQ(coarse[0]->front().values.size(), 51u);
  EXPECT_EQ(Asked(), 101);
  EXPECT_EQ(Ask(1002).size(), 100u);
  EXPECT_EQ(Asked(), 100) << "the first window was forgotten";
  EXPECT_EQ(history_.Ask({Query(803, 1002)}, {})[0]->front().values.size(),
            200u);
}

TEST_F(IncrementalHistoryTest, BeginsAgainWhenTheClockJumps) {
  Ask(1000);
  EXPECT_THAT(Ask(500), testing::Contains(401));
  EXPECT_EQ(Asked(), 100);
  EXPECT_EQ(Ask(1500).front(), 1401);
  EXPECT_EQ(Asked(), 100);
}

TEST_F(IncrementalHistoryTest, ARejectedQueryIsForgotten) {
  Ask(1000);
  server_.broken = InvalidInput("parse error");
  EXPECT_FALSE(history_.Ask({Query(902, 1001)}, {})[0].ok());
  server_.broken.reset();
  Ask(1002);
  EXPECT_EQ(Asked(), 100);
}

TEST_F(IncrementalHistoryTest, AnswersAQueryForOnePoint) {
  auto ask = [this](int64_t at) {
    return history_.Ask({Query(at, at)}, {})[0]->front().values;
  };
  EXPECT_THAT(ask(1000), ElementsAre(1000));
  EXPECT_THAT(ask(1000), ElementsAre(1000));
  EXPECT_THAT(ask(1030), ElementsAre(1030));
  server_.series.clear();
  EXPECT_THAT(*history_.Ask({Query(1031, 1031)}, {})[0], IsEmpty());
}

// Whatever happens within the overlap, the answers are those of the server.
TEST_F(IncrementalHistoryTest, AnswersLikeTheServer) {
  std::mt19937 random(7);
  server_.series.clear();
  int64_t now = 1000;
  for (int round = 0; round < 300; ++round) {
    const int64_t before = now;
    now += random() % 12;
    for (const char* name : {"a", "b", "c"}) {
      auto& samples = server_.series[name];
      // Series come and go, samples are missing, and late ones arrive.
      if (round / 30 % 3 == name[0] - 'a') continue;
      for (int64_t t = before - 8; t <= now; ++t) {
        if (random() % 3 == 0) samples[t] = static_cast<double>(random() % 100);
      }
    }
    const HistoryQuery query = Query(now - 99, now);
    auto expected = server_.Ask({query}, {});
    auto answered = history_.Ask({query}, {});
    ASSERT_EQ(answered[0]->size(), expected[0]->size()) << round;
    for (size_t i = 0; i < expected[0]->size(); ++i) {
      ASSERT_EQ(answered[0]->at(i).labels, expected[0]->at(i).labels);
      ASSERT_EQ(answered[0]->at(i).times, expected[0]->at(i).times) << round;
      ASSERT_EQ(answered[0]->at(i).values, expected[0]->at(i).values);
    }
  }
}

}  // namespace
}  // namespace mete
