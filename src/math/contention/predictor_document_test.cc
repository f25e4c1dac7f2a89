#include "contention/predictor_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contention/pairwise_predictors.h"
#include "contention/test_pressure.h"

namespace mete {
namespace {

using testing::HasSubstr;

ContentionDocument Document() {
  return {.device = "board",
          .cores = 4,
          .trained_at = std::chrono::system_clock::time_point(
              std::chrono::seconds(1'700'000'000)),
          .seed = 7,
          .mixes = 12,
          .mete_version = "1.2",
          .errors = Json{{"seed", 7}},
          .predictor = std::make_shared<PressurePredictor>(
              RandomPressurePredictor(1, 2))};
}

TEST(ContentionDocument, IsTheSameAfterAFile) {
  const std::string text = ContentionDocumentText(Document());
  auto read = ParseContentionDocument(text);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->device, "board");
  EXPECT_EQ(ContentionDocumentText(*read), text);
  EXPECT_NE(read->pressure(), nullptr);
}

TEST(ContentionDocument, OtherMethodsHaveNoRowsForPlacement) {
  ContentionDocument document = Document();
  PairwiseCurves curves{.applications = {"a"}};
  curves.alone.resize(1);
  document.predictor = std::make_shared<PairwisePredictor>(
      PairwiseRule::kAgnostic, std::move(curves));
  auto read = ParseContentionDocument(ContentionDocumentText(document));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->predictor->method(), "agnostic");
  EXPECT_EQ(read->pressure(), nullptr);
}

TEST(ContentionDocument, OtherFilesAreRejected) {
  auto read = ParseContentionDocument("{\"format\": \"something\"}");
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message(),
              HasSubstr("this is not a file of mete train contention"));
  EXPECT_EQ(ParseContentionDocument("[]").error().code(), ErrorCode::kCorrupt);
}

TEST(ContentionDocument, AMethodOfALaterMeteIsNamed) {
  Json json = *ParseJson(ContentionDocumentText(Document()));
  json["method"] = "oracle";
  auto read = ParseContentionDocument(DumpJson(json));
  EXPECT_EQ(read.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(read.error().message(), HasSubstr("'oracle'"));
}

}  // namespace
}  // namespace mete
