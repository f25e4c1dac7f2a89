#include "cli/seed_list.h"

#include <gmock/gmock.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SeedList, TakesRangesAndSeedsAndEachSeedOnce) {
  EXPECT_THAT(*ParseSeedList("7"), ElementsAre(7));
  EXPECT_THAT(*ParseSeedList("3,1-3"), ElementsAre(3, 1, 2));
}

TEST(SeedList, RefusesWhatIsNoRange) {
  for (const char* text : {"", "3-1", "1-", "-1", "1-2-3", "x"}) {
    EXPECT_FALSE(ParseSeedList(text).ok()) << text;
  }
}

TEST(SeedList, RefusesMoreThanTenThousandSeeds) {
  EXPECT_TRUE(ParseSeedList("1-10000").ok());
  for (const char* text : {"1-10001", "1-10000,20000"}) {
    auto seeds = ParseSeedList(text);
    ASSERT_FALSE(seeds.ok()) << text;
    EXPECT_THAT(seeds.error().message(), HasSubstr("more than 10000 seeds"));
  }
}

}  // namespace
}  // namespace mete
