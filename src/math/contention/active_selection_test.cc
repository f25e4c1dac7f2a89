#include "contention/active_selection.h"

#include <gtest/gtest.h>

#include "contention/test_simulation.h"

namespace mete {
namespace {

PressureCommittee::Request QuickCommittee() {
  return {.members = 4, .pressures = 1, .steps = 150};
}

double Disagreement(const PressureCommittee& committee,
                    std::vector<Tenant> tenants) {
  auto answer = committee.DisagreementOn(tenants);
  EXPECT_TRUE(answer.ok());
  return answer.ok() ? *answer : -1;
}

TEST(PressureCommittee, DisagreesMoreAboutWhatItHasNotSeen) {
  auto mixes = GroupByMix(Simulate({.random_mixes = 0, .window_s = 4}));
  PressureCommittee committee(mixes, QuickCommittee());
  const double seen =
      Disagreement(committee, {{.application = "cnn", .rate = 7.5}});
  const double unseen =
      Disagreement(committee, {{.application = "cnn", .rate = 7.5},
                               {.application = "graph", .rate = 20},
                               {.application = "encoder", .rate = 25}});
  EXPECT_GT(unseen, 2 * seen);
}

TEST(PressureCommittee, AsksWithoutAnyMeasurement) {
  PressureCommittee::Request request = QuickCommittee();
  request.applications = {"a"};
  PressureCommittee committee({}, request);
  EXPECT_GE(Disagreement(committee, {{.application = "a", .rate = 1}}), 0);
}

TEST(PressureCommittee, IsTheSameForTheSameSeed) {
  auto mixes = GroupByMix(Simulate({.random_mixes = 6, .window_s = 1}));
  std::vector<Tenant> tenants{{.application = "cnn", .rate = 5}};
  EXPECT_EQ(Disagreement(PressureCommittee(mixes, QuickCommittee()), tenants),
            Disagreement(PressureCommittee(mixes, QuickCommittee()), tenants));
}

TEST(PressureCommittee, DoesNotKnowOtherApplications) {
  PressureCommittee committee({}, QuickCommittee());
  std::vector<Tenant> tenants{{.application = "cnn", .rate = 5}};
  EXPECT_EQ(committee.DisagreementOn(tenants).error().code(),
            ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
