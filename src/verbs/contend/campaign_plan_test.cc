#include "contend/campaign_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace mete {
namespace {

using ::testing::HasSubstr;

const KnownApplications kTwo{
    {"fast", {.service_time = Seconds{0.001}, .memory = Mebibytes(50)}},
    {"slow", {.service_time = Seconds{0.1}, .memory = Mebibytes(200)}}};

CampaignRequest Request(MixKind kind) {
  return {.kind = kind, .applications = {"fast", "slow"}};
}

double Load(const Mix& mix) {
  double load = 0;
  for (const Tenant& tenant : mix.tenants) {
    load += tenant.instances * tenant.rate *
            kTwo.at(tenant.application).service_time.count();
  }
  return load;
}

std::string Describe(const std::vector<Mix>& mixes) {
  std::string text;
  for (const Mix& mix : mixes) {
    text += mix.id + ":" + std::to_string(mix.seed);
    for (const Tenant& tenant : mix.tenants) {
      text += " " + tenant.application + std::to_string(tenant.instances) +
              "@" + std::to_string(tenant.rate);
    }
    text += "\n";
  }
  return text;
}

TEST(PlanCampaign, BaselinesRunEachApplicationAloneAtEveryRate) {
  CampaignRequest request = Request(MixKind::kBaseline);
  request.rates = {5, 10};
  auto mixes = PlanCampaign(request, kTwo);
  ASSERT_TRUE(mixes.ok());
  ASSERT_EQ(mixes->size(), 4U);
  EXPECT_EQ(mixes->front().id, "baseline-001");
  EXPECT_EQ(mixes->front().tenants.size(), 1U);
  EXPECT_EQ(mixes->front().tenants[0].application, "fast");
  EXPECT_EQ(mixes->front().tenants[0].rate, 5);
  EXPECT_EQ(mixes->back().tenants[0].application, "slow");
  EXPECT_EQ(mixes->back().tenants[0].rate, 10);
}

TEST(PlanCampaign, ChoosesRatesByTheServiceTimeIfNoneAreGiven) {
  auto mixes = PlanCampaign(Request(MixKind::kBaseline), kTwo);
  ASSERT_TRUE(mixes.ok());
  EXPECT_DOUBLE_EQ(mixes->front().tenants[0].rate, 50);  // 5 % of 1 ms
  EXPECT_DOUBLE_EQ(mixes->back().tenants[0].rate, 5);    // 50 % of 100 ms
}

TEST(PlanCampaign, PairsEveryVictimWithEveryAggressor) {
  CampaignRequest request = Request(MixKind::kPairwise);
  request.instances = {1, 4};
  request.rates = {3, 2};
  auto mixes = PlanCampaign(request, kTwo);
  ASSERT_TRUE(mixes.ok());
  EXPECT_EQ(mixes->size(), 2U * 2 * 2 * 2);
  for (const Mix& mix : *mixes) {
    ASSERT_EQ(mix.tenants.size(), 2U);
    EXPECT_EQ(mix.tenants[0].instances, 1);
    EXPECT_EQ(mix.tenants[0].rate, 2);  // the lowest
  }
}

TEST(PlanCampaign, CountsWhatItPlans) {
  for (MixKind kind :
       {MixKind::kBaseline, MixKind::kPairwise, MixKind::kRandom}) {
    CampaignRequest request = Request(kind);
    request.mixes = 7;
    auto mixes = PlanCampaign(request, kTwo);
    ASSERT_TRUE(mixes.ok());
    EXPECT_EQ(mixes->size(), CountMixes(request)) << MixKindName(kind);
  }
}

TEST(PlanCampaign, RandomMixesCoverLightAndHeavyLoads) {
  CampaignRequest request = Request(MixKind::kRandom);
  request.mixes = 200;
  request.cores = 2;
  auto mixes = PlanCampaign(request, kTwo);
  ASSERT_TRUE(mixes.ok());
  int light = 0;
  int heavy = 0;
  std::set<size_t> sizes;
  for (const Mix& mix : *mixes) {
    EXPECT_GE(Load(mix), 0.2);
    EXPECT_LE(Load(mix), 2.2);
    light += Load(mix) < 0.6 ? 1 : 0;
    heavy += Load(mix) > 1.8 ? 1 : 0;
    sizes.insert(mix.tenants.size());
  }
  EXPECT_GT(light, 20);
  EXPECT_GT(heavy, 20);
  EXPECT_EQ(sizes, (std::set<size_t>{1, 2}));
}

TEST(PlanCampaign, GivesEveryRandomTenantAShareOfTheLoad) {
  CampaignRequest request = Request(MixKind::kRandom);
  request.mixes = 100;
  auto mixes = PlanCampaign(request, kTwo);
  ASSERT_TRUE(mixes.ok());
  for (const Mix& mix : *mixes) {
    for (const Tenant& tenant : mix.tenants) {
      double own = tenant.instances * tenant.rate *
                   kTwo.at(tenant.application).service_time.count();
      EXPECT_GT(own, 0.1 * Load(mix));
    }
  }
}

TEST(PlanCampaign, IsTheSameForTheSameSeedOnly) {
  CampaignRequest request = Request(MixKind::kRandom);
  request.mixes = 5;
  std::string first = Describe(*PlanCampaign(request, kTwo));
  EXPECT_EQ(Describe(*PlanCampaign(request, kTwo)), first);
  request.seed = 2;
  EXPECT_NE(Describe(*PlanCampaign(request, kTwo)), first);
}

TEST(PlanCampaign, BeginsALongerCampaignWithTheSameMixes) {
  CampaignRequest request = Request(MixKind::kRandom);
  request.mixes = 3;
  std::string three = Describe(*PlanCampaign(request, kTwo));
  request.mixes = 9;
  EXPECT_THAT(Describe(*PlanCampaign(request, kTwo)),
              ::testing::StartsWith(three));
}

TEST(PlanCampaign, LeavesOutMixesBeyondTheMemoryBudget) {
  CampaignRequest request = Request(MixKind::kBaseline);
  request.memory_budget = Mebibytes(199);
  auto mixes = PlanCampaign(request, kTwo);
  ASSERT_TRUE(mixes.ok());
  for (const Mix& mix : *mixes) {
    EXPECT_EQ(mix.tenants[0].application, "fast");
  }
  request.memory_budget = Mebibytes(200);
  EXPECT_EQ(PlanCampaign(request, kTwo)->size(), CountMixes(request));
}

TEST(PlanCampaign, HasNoBudgetForApplicationsOfUnknownMemory) {
  KnownApplications known = kTwo;
  known.at("slow").memory.reset();
  CampaignRequest request = Request(MixKind::kBaseline);
  EXPECT_TRUE(PlanCampaign(request, known).ok());
  request.memory_budget = Mebibytes(200);
  auto mixes = PlanCampaign(request, known);
  ASSERT_FALSE(mixes.ok());
  EXPECT_EQ(mixes.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(mixes.error().message(),
              HasSubstr("requires the memory of slow"));
}

TEST(PlanCampaign, DrawsRandomMixesUntilTheyFitTheBudget) {
  CampaignRequest request = Request(MixKind::kRandom);
  request.mixes = 50;
  request.memory_budget = Mebibytes(250);
  auto mixes = PlanCampaign(request, kTwo);
  ASSERT_TRUE(mixes.ok());
  ASSERT_EQ(mixes->size(), 50U);
  for (const Mix& mix : *mixes) {
    uint64_t bytes = 0;
    for (const Tenant& tenant : mix.tenants) {
      bytes += static_cast<uint64_t>(tenant.instances) *
               kTwo.at(tenant.application).memory->count;
    }
    EXPECT_LE(bytes, Mebibytes(250).count);
  }
}

TEST(PlanCampaign, RejectsABudgetThatNothingFits) {
  for (MixKind kind : {MixKind::kBaseline, MixKind::kRandom}) {
    CampaignRequest request = Request(kind);
    request.mixes = 3;
    request.memory_budget = Mebibytes(49);
    auto mixes = PlanCampaign(request, kTwo);
    ASSERT_FALSE(mixes.ok());
    EXPECT_EQ(mixes.error().code(), ErrorCode::kUnsupported);
    EXPECT_THAT(mixes.error().message(), HasSubstr("memory budget"));
  }
}

TEST(PlanCampaign, RejectsRatesAndInstancesThatAreNotPositive) {
  CampaignRequest request = Request(MixKind::kBaseline);
  request.rates = {1, 0};
  EXPECT_FALSE(PlanCampaign(request, kTwo).ok());
  request.rates = {};
  request.instances = {0};
  EXPECT_FALSE(PlanCampaign(request, kTwo).ok());
  request.instances = {};
  EXPECT_FALSE(PlanCampaign(request, kTwo).ok());
}

TEST(PlanCampaign, NeedsTheServiceTimeOfEveryApplication) {
  CampaignRequest request = Request(MixKind::kBaseline);
  request.applications.push_back("stranger");
  auto mixes = PlanCampaign(request, kTwo);
  ASSERT_FALSE(mixes.ok());
  EXPECT_THAT(mixes.error().message(), HasSubstr("stranger"));
}

TEST(MixKind, HasNamesThatCanBeRead) {
  EXPECT_EQ(*ParseMixKind("pairwise"), MixKind::kPairwise);
  EXPECT_EQ(MixKindName(MixKind::kActive), "active");
  EXPECT_FALSE(ParseMixKind("").ok());
}

}  // namespace
}  // namespace mete
