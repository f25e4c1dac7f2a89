#include "contend/choose_by_disagreement.h"

#include <gtest/gtest.h>

#include "contention/test_simulation.h"

namespace mete {
namespace {

TEST(DisagreementChooser, PrefersAMixUnlikeThoseMeasured) {
  auto rows = Simulate({.random_mixes = 0, .window_s = 3});
  Mix known{.tenants = {{.application = "cnn", .rate = 7.5}}};
  Mix unlike{.tenants = {{.application = "cnn", .rate = 7.5},
                         {.application = "graph", .rate = 20},
                         {.application = "encoder", .rate = 25}}};
  DisagreementChooser chooser(1);
  auto chosen = chooser.Choose({known, unlike, known}, rows);
  ASSERT_TRUE(chosen.ok()) << chosen.error().message();
  EXPECT_EQ(*chosen, 1u);
}

TEST(DisagreementChooser, ChoosesWithoutAnyRow) {
  Mix mix{.tenants = {{.application = "cnn", .rate = 5}}};
  auto chosen = DisagreementChooser(1).Choose({mix, mix}, {});
  ASSERT_TRUE(chosen.ok()) << chosen.error().message();
  EXPECT_LT(*chosen, 2u);
}

}  // namespace
}  // namespace mete
