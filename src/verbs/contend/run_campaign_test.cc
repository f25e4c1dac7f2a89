#include "contend/run_campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "contend/campaign_text.h"
#include "contend/test_services.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Chooses the heaviest candidate and records how much it knew.
class HeaviestMix final : public MixChooser {
 public:
  explicit HeaviestMix(std::vector<size_t>& known) : known_(known) {}
  Result<size_t> Choose(const std::vector<Mix>& candidates,
                        const std::vector<MixObservation>& rows) override {
    known_.push_back(rows.size());
    return candidates.size() - 1;
  }

 private:
  std::vector<size_t>& known_;
};

class RunCampaignTest : public testing::Test {
 protected:
  RunCampaignTest() {
    request_.plan.kind = MixKind::kBaseline;
    request_.plan.applications = {"fast", "slow"};
    request_.plan.rates = {10};
    request_.timing = {
        .window = Seconds(2), .settle = Seconds(1), .drain = Seconds(2)};
    request_.folder = scratch_.path() / "campaign";
    // Measuring alone sends requests until two seconds have passed.
    script_.on_infer = [this] { clock_.Advance(std::chrono::seconds(1)); };
    drive_ = AnswerAll;
    clock_.StandStillInSleep();
    clock_.StepPerReading(std::chrono::milliseconds(10));
  }

  Result<ContendSummary> Run() {
    ContendDependencies needs{
        .runs = runs_,
        .host = host_,
        .clock = clock_,
        .draw_entropy = [this] { return RunEntropy{.low = ++drawn_}; },
        .open_starter =
            [this](const ServicePlace&, std::stop_token) {
              return Result<std::unique_ptr<ServiceStarter>>(
                  std::make_unique<TestStarter>(script_, log_));
            },
        .drive =
            [this](const MixLoad& load, std::stop_token stop) {
              loads_.push_back(load);
              return drive_(load, stop);
            },
        .open_chooser =
            [this](uint64_t) -> Result<std::unique_ptr<MixChooser>> {
          return std::unique_ptr<MixChooser>(
              std::make_unique<HeaviestMix>(known_rows_));
        },
        .campaigns_folder = scratch_.path()};
    return RunCampaign(
        request_, needs,
        {.progress =
             [this](const ContendProgress& progress) {
               steps_.push_back(progress.step);
             },
         .warn =
             [this](const std::string& line) { warnings_.push_back(line); }},
        stop_.get_token());
  }

  std::vector<::mete::Run> Stored() { return *runs_.ListRuns({}); }

  FakeClock clock_;
  FakeHost host_;
  MemoryRunStore runs_;
  ScratchFolder scratch_ = ScratchFolder::Create().value();
  ServiceScript script_;
  ServiceLog log_;
  DriveLoad drive_;
  std::vector<MixLoad> loads_;
  std::vector<size_t> known_rows_;
  std::vector<std::string> steps_;
  std::vector<std::string> warnings_;
  uint64_t drawn_ = 0;
  std::stop_source stop_;
  ContendRequest request_;
};

TEST_F(RunCampaignTest, StoresARunForEveryTenantOfEveryMix) {
  request_.plan.kind = MixKind::kPairwise;
  request_.plan.instances = {2};
  auto summary = Run();
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  EXPECT_EQ(summary->measured, 4u);
  EXPECT_THAT(summary->rows, SizeIs(8));
  ASSERT_THAT(Stored(), SizeIs(8));
  for (const auto& run : Stored()) {
    EXPECT_THAT(run.application()->service->co_runners, SizeIs(1));
  }
  EXPECT_EQ(log_.running, 0);
}

TEST_F(RunCampaignTest, LoadsEachTenantWithTheRateOfAllItsInstances) {
  request_.plan.kind = MixKind::kPairwise;
  request_.plan.applications = {"fast"};
  request_.plan.instances = {4};
  ASSERT_TRUE(Run().ok());
  ASSERT_THAT(loads_, SizeIs(1));
  ASSERT_THAT(loads_[0].tenants, SizeIs(2));
  EXPECT_EQ(loads_[0].tenants[0].rate, 10);
  EXPECT_EQ(loads_[0].tenants[1].rate, 40);
  EXPECT_THAT(loads_[0].tenants[1].instances, SizeIs(4));
  EXPECT_NE(loads_[0].tenants[0].seed, loads_[0].tenants[1].seed);
  EXPECT_EQ(loads_[0].window, Seconds(2));
}

TEST_F(RunCampaignTest, ChoosesRatesByTheTimesOfTheApplicationsAlone) {
  request_.plan.rates = {};
  script_.service_seconds = {{"fast", 0.001}, {"slow", 0.1}};
  auto summary = Run();
  ASSERT_TRUE(summary.ok());
  for (const MixLoad& load : loads_) {
    double seconds = script_.service_seconds.at(load.tenants[0].application);
    EXPECT_LE(load.tenants[0].rate * seconds, 0.5 + 1e-9);
  }
}

TEST_F(RunCampaignTest, ResumesWithTheMixesThatAreMissing) {
  request_.plan.rates = {10, 20};
  size_t mixes = 0;
  drive_ = [&](const MixLoad& load, std::stop_token stop) {
    if (++mixes == 3) stop_.request_stop();
    return AnswerAll(load, stop);
  };
  auto first = Run();
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_TRUE(first->interrupted);
  EXPECT_EQ(log_.running, 0);
  size_t before = Stored().size();
  ASSERT_LT(before, 4u);

  stop_ = std::stop_source();
  log_.started.clear();
  auto second = Run();
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->found, before);
  EXPECT_EQ(second->found + second->measured, 4u);
  EXPECT_THAT(second->rows, SizeIs(4));
  EXPECT_THAT(Stored(), SizeIs(4));
}

TEST_F(RunCampaignTest, AFinishedCampaignStartsNothing) {
  ASSERT_TRUE(Run().ok());
  log_.started.clear();
  auto again = Run();
  ASSERT_TRUE(again.ok());
  EXPECT_THAT(log_.started, IsEmpty());
  EXPECT_EQ(again->found, 2u);
}

TEST_F(RunCampaignTest, StoresRunsThatAKilledMeteHadOnlyWrittenToTheFolder) {
  ASSERT_TRUE(Run().ok());
  runs_ = MemoryRunStore();
  ASSERT_TRUE(Run().ok());
  EXPECT_THAT(Stored(), SizeIs(2));
}

TEST_F(RunCampaignTest, RefusesAFolderOfACampaignWithOtherSettings) {
  ASSERT_TRUE(Run().ok());
  request_.timing.window = Seconds(3);
  auto other = Run();
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(other.error().message(),
              HasSubstr("window_seconds is 2.0 there, not 3.0"));
  request_.timing.window = Seconds(2);
  request_.plan.seed = 5;
  EXPECT_FALSE(Run().ok());
}

TEST_F(RunCampaignTest, CampaignsOfAllKindsShareAFolderAndATable) {
  ASSERT_TRUE(Run().ok());
  request_.plan.kind = MixKind::kRandom;
  request_.plan.mixes = 3;
  auto summary = Run();
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  EXPECT_EQ(summary->measured, 3u);
  EXPECT_GE(summary->rows.size(), 5u);
  EXPECT_EQ(summary->rows.front().kind, MixKind::kBaseline);
  EXPECT_EQ(summary->rows.back().kind, MixKind::kRandom);
}

TEST_F(RunCampaignTest, TriesAMixAgainWithFreshServices) {
  size_t calls = 0;
  drive_ = [&](const MixLoad& load,
               std::stop_token stop) -> Result<std::vector<TenantAnswers>> {
    if (++calls == 1) return Unavailable("connection refused");
    return AnswerAll(load, stop);
  };
  auto summary = Run();
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->measured, 2u);
  EXPECT_EQ(summary->failed, 0u);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(RunCampaignTest, LeavesOutAMixThatFailsTwiceAndMeasuresItNextTime) {
  drive_ = [](const MixLoad& load,
              std::stop_token stop) -> Result<std::vector<TenantAnswers>> {
    if (load.tenants[0].application == "slow") return Unavailable("refused");
    return AnswerAll(load, stop);
  };
  auto summary = Run();
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->measured, 1u);
  EXPECT_EQ(summary->failed, 1u);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("is left out: refused")));
  drive_ = AnswerAll;
  EXPECT_EQ(Run()->measured, 1u);
}

TEST_F(RunCampaignTest, EndsAfterThreeFailedMixesInARow) {
  request_.plan.rates = {1, 2, 3, 4};
  drive_ = [](const MixLoad&,
              std::stop_token) -> Result<std::vector<TenantAnswers>> {
    return Unavailable("refused");
  };
  auto summary = Run();
  ASSERT_FALSE(summary.ok());
  EXPECT_THAT(summary.error().message(), HasSubstr("3 mixes failed in a row"));
  EXPECT_THAT(loads_, SizeIs(6));
  EXPECT_EQ(log_.running, 0);
}

TEST_F(RunCampaignTest, EndsIfAnApplicationNeverGetsReady) {
  script_.ready = [](const std::string& application, size_t) -> Status {
    if (application == "fast") return {};
    return Error(ErrorCode::kTimeout, "the service is not ready after 120 s");
  };
  auto summary = Run();
  ASSERT_FALSE(summary.ok());
  EXPECT_EQ(summary.error().message(),
            "slow: the service is not ready after 120 s");
  EXPECT_THAT(loads_, IsEmpty());
  EXPECT_EQ(log_.running, 0);
}

TEST_F(RunCampaignTest, ReplacesServicesWithRequestsThatNobodyWaitsFor) {
  request_.plan.applications = {"fast"};
  request_.plan.rates = {10, 20};
  drive_ = [](const MixLoad& load, std::stop_token stop) {
    auto answers = AnswerAll(load, stop);
    (*answers)[0].answered = 0;
    (*answers)[0].saturation = "requests piled up";
    return answers;
  };
  auto summary = Run();
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->saturated, 2u);
  // One alone, which the first mix uses, and one for the second mix.
  EXPECT_THAT(log_.started, ElementsAre("fast", "fast"));
}

TEST_F(RunCampaignTest, ActiveCampaignsAskForEveryMixWithWhatIsKnown) {
  request_.plan.kind = MixKind::kActive;
  request_.plan.mixes = 3;
  auto summary = Run();
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  ASSERT_THAT(known_rows_, SizeIs(3));
  EXPECT_EQ(known_rows_[0], 0u);
  EXPECT_GE(known_rows_[1], 1u);
  EXPECT_GT(known_rows_[2], known_rows_[1]);
  std::set<std::string> names;
  for (const MixObservation& row : summary->rows) names.insert(row.mix);
  EXPECT_THAT(names, ElementsAre("active-001", "active-002", "active-003"));
  known_rows_.clear();
  request_.plan.mixes = 4;
  EXPECT_EQ(Run()->measured, 1u);
  EXPECT_THAT(known_rows_, SizeIs(1));
}

TEST_F(RunCampaignTest, EndsIfTheStoreIsFull) {
  runs_.SaveDevice({.id = "fake-device", .name = "fake"}).ok();
  runs_.save_failure = Unavailable("disk full");
  auto summary = Run();
  ASSERT_FALSE(summary.ok());
  EXPECT_THAT(summary.error().message(), HasSubstr("disk full"));
  EXPECT_THAT(loads_, SizeIs(1));
}

TEST_F(RunCampaignTest, ReportsTheTimeLeftOnceAMixIsMeasured) {
  ASSERT_TRUE(Run().ok());
  EXPECT_THAT(steps_, SizeIs(4));
  EXPECT_EQ(steps_[0], "measure fast alone");
  EXPECT_THAT(steps_[2], HasSubstr("baseline-00"));
}

TEST(OrderedPlan, ShufflesAndLimitsPairsByTheSeed) {
  KnownApplications known{{"a", {Seconds(0.01), {}}},
                          {"b", {Seconds(0.01), {}}}};
  CampaignRequest request{.kind = MixKind::kPairwise,
                          .applications = {"a", "b"}};
  auto all = OrderedPlan(request, std::nullopt, known);
  auto some = OrderedPlan(request, 7, known);
  ASSERT_TRUE(all.ok());
  ASSERT_THAT(*some, SizeIs(7));
  for (size_t i = 0; i < 7; ++i) EXPECT_EQ((*some)[i].id, (*all)[i].id);
  EXPECT_NE((*all)[0].id + (*all)[1].id, "pairwise-001pairwise-002");
}

TEST_F(RunCampaignTest, AnOutlineOfAnUnknownCampaignHasNoMixes) {
  request_.plan.rates = {};
  auto outline = OutlineCampaign(request_, 2);
  ASSERT_TRUE(outline.ok());
  EXPECT_EQ(outline->count, 8u);
  EXPECT_THAT(outline->mixes, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(request_.folder));
  EXPECT_THAT(OutlineText(*outline), HasSubstr("8 mixes, about"));
}

TEST_F(RunCampaignTest, DoesNotTakeAnUnknownMemoryForNone) {
  script_.memory.reset();
  request_.plan.memory_budget = Mebibytes(1);
  auto summary = Run();
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  EXPECT_THAT(summary->infeasible, HasSubstr("requires the memory of fast"));
  EXPECT_THAT(loads_, IsEmpty());
}

TEST_F(RunCampaignTest, AnOutlineOfAnEmptyFolderHasNothingMeasured) {
  ASSERT_TRUE(MakeFolder(request_.folder).ok());
  auto outline = OutlineCampaign(request_, 2);
  ASSERT_TRUE(outline.ok()) << outline.error().message();
  EXPECT_EQ(outline->measured, 0u);
}

TEST_F(RunCampaignTest, AnOutlineCountsWhatIsMeasured) {
  ASSERT_TRUE(Run().ok());
  auto outline = OutlineCampaign(request_, 2);
  ASSERT_TRUE(outline.ok());
  EXPECT_EQ(outline->measured, 2u);
  EXPECT_THAT(outline->mixes, SizeIs(2));
  EXPECT_THAT(OutlineText(*outline),
              HasSubstr("2 mixes, 2 of them measured before, about 0 s"));
}

TEST_F(RunCampaignTest, AFolderIsMeasuredIntoByOneMeteOnly) {
  auto first = CampaignFolder::Open(request_.folder);
  ASSERT_TRUE(first.ok());
  auto second = CampaignFolder::Open(request_.folder);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
  EXPECT_TRUE(OutlineCampaign(request_, 2).ok());
}

TEST_F(RunCampaignTest, TheTableCanBeReadBack) {
  auto summary = Run();
  ASSERT_TRUE(summary.ok());
  auto rows = ParseMixCsv(MixTableCsv(summary->rows));
  ASSERT_TRUE(rows.ok()) << rows.error().message();
  EXPECT_THAT(*rows, SizeIs(2));
}

}  // namespace
}  // namespace mete
