#include "watch/fit_annotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FitAnnotations, LeavesWhatFits) {
  LabelMap ours = {{"a", "123"}};
  EXPECT_THAT(FitAnnotations({{"b", "1"}, {"a", "12345678"}}, {"a"}, ours, 6),
              IsEmpty());
  EXPECT_EQ(ours.size(), 1u);
}

TEST(FitAnnotations, RemovesTheNamedKeysFirst) {
  LabelMap ours = {{"a", "1"}, {"b", "1"}, {"c", "12345"}};
  EXPECT_THAT(FitAnnotations({}, {"b", "a"}, ours, 8), ElementsAre("b"));
  EXPECT_EQ(ours.size(), 2u);
}

TEST(FitAnnotations, ThenTheLargest) {
  LabelMap ours = {{"a", "1"}, {"b", "123"}, {"c", "12"}};
  EXPECT_THAT(FitAnnotations({{"other", "x"}}, {}, ours, 8),
              ElementsAre("b", "c"));
}

TEST(FitAnnotations, RemovesEverythingWhenOthersFillTheObject) {
  LabelMap ours = {{"a", "1"}};
  EXPECT_THAT(FitAnnotations({{"other", "12345678"}}, {}, ours, 8),
              ElementsAre("a"));
}

}  // namespace
}  // namespace mete
