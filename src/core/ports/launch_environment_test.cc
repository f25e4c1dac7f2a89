#include "ports/launch_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

TEST(EnvironmentFor, LimitsLibraryThreadsToTheQuota) {
  LaunchRequest request{.limits = {.cpus = Millicores{1500}}};
  EXPECT_THAT(EnvironmentFor(request, {"PATH=/bin"}),
              Contains("OMP_NUM_THREADS=2"));
}

TEST(EnvironmentFor, AGivenValueOverridesTheHintAndTheBase) {
  LaunchRequest request{.environment = {{"OMP_NUM_THREADS", "7"}},
                        .limits = {.cpus = Millicores{500}}};
  auto entries = EnvironmentFor(request, {"OMP_NUM_THREADS=3"});
  EXPECT_THAT(entries, Contains("OMP_NUM_THREADS=7"));
  EXPECT_THAT(entries, Not(Contains("OMP_NUM_THREADS=3")));
}

TEST(EnvironmentFor, AddsNothingWithoutLimits) {
  EXPECT_THAT(EnvironmentFor({}, {"PATH=/bin"}), ElementsAre("PATH=/bin"));
}

}  // namespace
}  // namespace mete
