#include "agent/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;

constexpr const char* kPage = METE_REFERENCE "/metrics.md";

// Below its introduction, the page is the output of `mete-agent
// --list-metrics`.
TEST(CatalogueTest, TheReferencePageMatchesTheCatalogue) {
  auto page = ReadFile(kPage);
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_THAT(*page, HasSubstr(CatalogueMarkdown(MetricCatalogue())))
      << "put the output of mete-agent --list-metrics into " << kPage;
}

TEST(CatalogueTest, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const MetricChapter& chapter : MetricCatalogue()) {
    for (const MetricFamily* family : chapter.families) {
      EXPECT_TRUE(names.insert(family->name).second) << family->name;
    }
  }
  EXPECT_GT(names.size(), 50u);
}

TEST(CatalogueTest, NamesFollowPrometheusRules) {
  for (const MetricChapter& chapter : MetricCatalogue()) {
    for (const MetricFamily* family : chapter.families) {
      const bool counter = family->kind == MetricKind::kCounter;
      EXPECT_EQ(family->name.ends_with("_total"), counter) << family->name;
      EXPECT_TRUE(family->help.ends_with('.')) << family->name;
      EXPECT_EQ(family->help.find('|'), std::string_view::npos)
          << family->name << ": it would break the table";
    }
  }
}

}  // namespace
}  // namespace mete
