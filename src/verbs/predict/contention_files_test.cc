#include "predict/contention_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contention/test_pressure.h"
#include "support/file.h"
#include "support/sha256.h"

namespace mete {
namespace {

using testing::HasSubstr;

ContentionDocument DocumentOf(const std::string& device) {
  return {.device = device,
          .errors = Json::object(),
          .predictor = std::make_shared<PressurePredictor>(
              RandomPressurePredictor(1, 2))};
}

class ContentionFilesTest : public testing::Test {
 protected:
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(ContentionFilesTest, WithoutAPredictorSaysWhatToDo) {
  auto loaded = LoadContentionPredictor(folder.path() / "none", "");
  EXPECT_EQ(loaded.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(loaded.error().message(), HasSubstr("mete train contention"));
}

TEST_F(ContentionFilesTest, TheOnlyPredictorNeedsNoName) {
  ASSERT_TRUE(SaveContentionPredictor(folder.path(), DocumentOf("a/b")).ok());
  auto loaded = LoadContentionPredictor(folder.path(), "");
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  EXPECT_EQ(loaded->device, "a/b");
}

TEST_F(ContentionFilesTest, SeveralDevicesAreListed) {
  ASSERT_TRUE(SaveContentionPredictor(folder.path(), DocumentOf("one")).ok());
  ASSERT_TRUE(SaveContentionPredictor(folder.path(), DocumentOf("two")).ok());
  EXPECT_EQ(LoadContentionPredictor(folder.path(), "two")->device, "two");
  auto loaded = LoadContentionPredictor(folder.path(), "");
  EXPECT_EQ(loaded.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(loaded.error().message(), HasSubstr("one"));
  EXPECT_THAT(loaded.error().message(), HasSubstr("two"));
  loaded = LoadContentionPredictor(folder.path(), "three");
  EXPECT_THAT(loaded.error().message(), HasSubstr("'three'"));
}

TEST_F(ContentionFilesTest, OtherFilesOfTheFolderAreIgnored) {
  for (const char* name :
       {"latency-full.json", "contention-x.csv", "contention", "x.json"}) {
    ASSERT_TRUE(WriteFileAtomically(folder.path() / name, "{").ok());
  }
  EXPECT_EQ(LoadContentionPredictor(folder.path(), "").error().code(),
            ErrorCode::kUnavailable);
  ASSERT_TRUE(SaveContentionPredictor(folder.path(), DocumentOf("one")).ok());
  EXPECT_EQ(LoadContentionPredictor(folder.path(), "")->device, "one");
}

TEST_F(ContentionFilesTest, AFolderThatCannotBeMadeIsNamed) {
  const auto file = folder.path() / "file";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  auto saved = SaveContentionPredictor(file, DocumentOf("one"));
  ASSERT_FALSE(saved.ok());
  EXPECT_THAT(saved.error().message(), HasSubstr(file.string()));
}

TEST_F(ContentionFilesTest, OneBrokenFileOfSeveralIsNamed) {
  auto path = SaveContentionPredictor(folder.path(), DocumentOf("one"));
  ASSERT_TRUE(SaveContentionPredictor(folder.path(), DocumentOf("two")).ok());
  ASSERT_TRUE(WriteFileAtomically(*path, "{").ok());
  auto loaded = LoadContentionPredictor(folder.path(), "");
  EXPECT_EQ(loaded.error().code(), ErrorCode::kCorrupt);
}

TEST_F(ContentionFilesTest, ABrokenFileIsNamed) {
  auto path = SaveContentionPredictor(folder.path(), DocumentOf("one"));
  ASSERT_TRUE(WriteFileAtomically(*path, "{").ok());
  auto loaded = LoadContentionPredictor(folder.path(), "one");
  EXPECT_EQ(loaded.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(loaded.error().message(), HasSubstr(path->string()));
}

TEST_F(ContentionFilesTest, AFileIsNamedAfterTheHashOfItsDevice) {
  auto saved = SaveContentionPredictor(folder.path(), DocumentOf("a/b"));
  ASSERT_TRUE(saved.ok()) << saved.error().message();
  EXPECT_EQ(saved->filename(),
            "contention-" + ComputeSha256("a/b").substr(0, 12) + ".json");
}

}  // namespace
}  // namespace mete
