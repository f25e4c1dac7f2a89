#include "contention/pressure_predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contention/test_pressure.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

constexpr size_t kPredictors = 40;

// Calls `check` with random predictors and the tenants of random mixes.
template <typename Check>
void ForRandomMixes(Check check) {
  for (uint64_t seed = 0; seed < kPredictors; ++seed) {
    PressurePredictor predictor =
        RandomPressurePredictor(seed, 1 + seed % kMostPressures);
    Random random(seed + 1000);
    for (int mix = 0; mix < 10; ++mix) check(predictor, random);
  }
}

double TimeOf(const TenantTimes& times, size_t label) {
  return times.times[label]->time.count();
}

TEST(PressurePredictor, TwoTenantsOfTwoInstancesAreOneOfFour) {
  ForRandomMixes([](const PressurePredictor& predictor, Random& random) {
    std::vector<Tenant> others = RandomTenants(random);
    std::vector<Tenant> merged = others;
    std::vector<Tenant> split = others;
    merged.push_back({.application = "beta", .instances = 4, .rate = 7});
    split.push_back({.application = "beta", .instances = 2, .rate = 7});
    split.push_back({.application = "beta", .instances = 2, .rate = 7});
    auto one = predictor.Predict(merged);
    auto two = predictor.Predict(split);
    for (size_t tenant = 0; tenant < merged.size(); ++tenant) {
      for (const TimeLabel& label : AllTimeLabels()) {
        double expected = TimeOf((*one)[tenant], IndexOf(label));
        EXPECT_NEAR(TimeOf((*two)[tenant], IndexOf(label)), expected,
                    1e-9 * expected);
      }
    }
  });
}

TEST(PressurePredictor, MoreLoadNeverPredictsLessTime) {
  ForRandomMixes([](const PressurePredictor& predictor, Random& random) {
    std::vector<Tenant> tenants = RandomTenants(random);
    auto before = predictor.Predict(tenants);
    Tenant& changed = tenants[random.Below(tenants.size())];
    if (random.Below(2) == 0) {
      changed.instances += 1;
    } else {
      changed.rate *= 1 + random.Uniform();
    }
    tenants.push_back({.application = "alpha", .rate = 1});
    auto after = predictor.Predict(tenants);
    for (size_t tenant = 0; tenant < before->size(); ++tenant) {
      for (const TimeLabel& label : AllTimeLabels()) {
        double least = TimeOf((*before)[tenant], IndexOf(label));
        EXPECT_GE(TimeOf((*after)[tenant], IndexOf(label)), least * (1 - 1e-12))
            << ToString(label);
      }
    }
  });
}

TEST(PressurePredictor, QuantilesDoNotCross) {
  ForRandomMixes([](const PressurePredictor& predictor, Random& random) {
    auto answer = predictor.Predict(RandomTenants(random));
    for (const TenantTimes& tenant : *answer) {
      for (size_t kind = 0; kind < kTimeKinds; ++kind) {
        for (size_t s = 2; s < kTimeStatistics; ++s) {
          size_t label = kind * kTimeStatistics + s;
          EXPECT_GE(TimeOf(tenant, label), TimeOf(tenant, label - 1));
        }
      }
    }
  });
}

TEST(PressurePredictor, ARegionContainsExactlyTheSumsThatMeetTheObjective) {
  ForRandomMixes([](const PressurePredictor& predictor, Random& random) {
    std::vector<Tenant> tenants = RandomTenants(random);
    auto answer = predictor.Predict(tenants);
    PressureVector sum = *predictor.SumOf(tenants);
    for (size_t i = 0; i < tenants.size(); ++i) {
      for (const TimeLabel& label : AllTimeLabels()) {
        const PredictedTime& time = *(*answer)[i].Get(label);
        Seconds end = time.high.value_or(time.time);
        const bool stable = !(*answer)[i].saturated;
        for (double factor : {0.5, 0.99999, 1.00001, 2.0}) {
          auto region =
              predictor.RegionOf({.application = tenants[i].application,
                                  .rate = tenants[i].rate,
                                  .label = label,
                                  .limit = end * factor},
                                 Margin::kUpperEnd);
          EXPECT_EQ(region->Contains(sum), stable && factor > 1)
              << ToString(label) << " x " << factor;
        }
      }
    }
  });
}

TEST(PressurePredictor, WithoutMarginTheTimeItselfHasToMeetTheObjective) {
  PressurePredictor predictor = RandomPressurePredictor(1, 2);
  std::vector<Tenant> tenants{{.application = "beta", .rate = 3}};
  PressureVector sum = *predictor.SumOf(tenants);
  PredictedTime time = *(*predictor.Predict(tenants))[0].Get({});
  TimeObjective objective{
      .application = "beta", .rate = 3, .limit = time.time * 1.01};
  EXPECT_TRUE(predictor.RegionOf(objective, Margin::kNone)->Contains(sum));
  EXPECT_FALSE(predictor.RegionOf(objective, Margin::kUpperEnd)->Contains(sum));
}

TEST(PressurePredictor, SojournTimesOfSaturatedTenantsAreOnlyBounds) {
  size_t saturated = 0;
  size_t stable = 0;
  ForRandomMixes([&](const PressurePredictor& predictor, Random& random) {
    std::vector<Tenant> tenants = RandomTenants(random);
    auto answer = predictor.Predict(tenants);
    for (size_t i = 0; i < tenants.size(); ++i) {
      const TenantTimes& times = (*answer)[i];
      const double busy =
          tenants[i].rate * TimeOf(times, 0);  // label 0: mean service time
      const double most = predictor.parts().network.stable_utilisation;
      EXPECT_EQ(times.saturated, busy > most);
      (times.saturated ? saturated : stable) += 1;
      for (const TimeLabel& label : AllTimeLabels()) {
        const PredictedTime& time = *times.Get(label);
        EXPECT_EQ(time.at_least,
                  times.saturated && label.kind == TimeKind::kSojourn);
        EXPECT_EQ(time.high.has_value(), time.low && !time.at_least);
      }
    }
  });
  EXPECT_GT(saturated, 100u);
  EXPECT_GT(stable, 100u);
}

TEST(PressurePredictor, AnInstanceDoesNotSlowItself) {
  ForRandomMixes([](const PressurePredictor& predictor, Random& random) {
    const double rate = 1 + 9 * random.Uniform();
    auto alone = predictor.Predict({{{.application = "beta", .rate = rate}}});
    auto idle =
        predictor.TimesUnder("beta", rate, *predictor.PressureOf("beta", rate));
    auto pair = predictor.Predict(
        {{{.application = "beta", .instances = 2, .rate = rate}}});
    const ServiceHead& head =
        predictor.parts().network.applications[1].service[0];
    // Without others, only the pieces' constants and the own demand are left.
    double stress = 0;
    for (const PressurePiece& piece : head.pieces) {
      stress = std::max(
          stress, piece.constant +
                      piece.own * predictor.parts().network.DemandOf(1, rate));
    }
    const double gamma = predictor.parts().network.gamma;
    EXPECT_NEAR(std::log(TimeOf((*alone)[0], 0)),
                head.offset + std::log1p(gamma * stress) / gamma, 1e-9);
    EXPECT_EQ(TimeOf(*idle, 0), TimeOf((*alone)[0], 0));
    EXPECT_GE(TimeOf((*pair)[0], 0), TimeOf((*alone)[0], 0));
  });
}

TEST(PressurePredictor, AnUnknownApplicationIsNamedWithTheKnownOnes) {
  PressurePredictor predictor = RandomPressurePredictor(1, 2);
  auto answer = predictor.Predict({{{.application = "delta", .rate = 1}}});
  EXPECT_EQ(answer.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(answer.error().message(), HasSubstr("'delta'"));
  EXPECT_THAT(answer.error().message(), HasSubstr("alpha, beta, gamma"));
}

TEST(PressurePredictor, TenantsWithoutLoadAreRejected) {
  PressurePredictor predictor = RandomPressurePredictor(1, 2);
  for (const Tenant& tenant :
       {Tenant{.application = "alpha", .instances = 0, .rate = 1},
        Tenant{.application = "alpha", .rate = 0},
        Tenant{.application = "alpha", .rate = -1}}) {
    auto answer = predictor.Predict({{tenant}});
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code(), ErrorCode::kInvalidInput);
  }
  EXPECT_FALSE(predictor.Predict({}).ok());
}

TEST(PressurePredictor, IsTheSameAfterAFile) {
  Random random(5);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    PressurePredictor predictor = RandomPressurePredictor(seed, 1 + seed % 4);
    Json json = predictor.ToJson();
    auto read = PressurePredictor::FromJson(*ParseJson(DumpJson(json)));
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read->ToJson(), json);
    std::vector<Tenant> tenants = RandomTenants(random);
    EXPECT_EQ(TimeOf((*predictor.Predict(tenants))[0], 7),
              TimeOf((*read->Predict(tenants))[0], 7));
  }
}

TEST(PressurePredictor, RejectsDocumentsThatBreakItsPromises) {
  Json good = RandomPressurePredictor(3, 2).ToJson();
  std::vector<Json> bad(10, good);
  bad[0]["applications"][0]["weights"][0][1] = -0.1;
  bad[1]["applications"][1]["service"][2]["pieces"][0]["slope"][1] = -1;
  bad[2]["sojourn"][0]["values"][3] = -100;
  bad[3]["pressures"] = 9;
  bad[4]["gamma"] = 0;
  bad[5]["applications"][1]["name"] = "alpha";
  bad[6]["applications"][0].erase("service");
  bad[7]["stable_utilisation"] = 0;
  bad[8]["stable_utilisation"] = 1.1;
  bad[9]["largest_slowdown"] = 0.9;
  for (const Json& json : bad) {
    auto read = PressurePredictor::FromJson(json);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace mete
