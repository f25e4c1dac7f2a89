#include "adapters/onnxruntime/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;

TEST(OrtLibrary, IsSearchedNextToTheProgramThenInTheSystem) {
  auto candidates = OrtLibraryCandidates("");
  ASSERT_EQ(candidates.size(), 3u);
  EXPECT_EQ(candidates[0].filename(), "libonnxruntime.so.1");
  EXPECT_EQ(candidates[0].parent_path().filename(), "lib");
  EXPECT_EQ(candidates[1], "libonnxruntime.so.1");
  EXPECT_EQ(candidates[2], "libonnxruntime.so");
}

TEST(OrtLibrary, AnOverrideIsTheOnlyCandidate) {
  auto candidates = OrtLibraryCandidates("/opt/ort.so");
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(candidates[0], "/opt/ort.so");
}

TEST(OrtLibrary, FailureListsEveryPlaceAndAdvice) {
  auto library = OpenOrtLibrary({"/nowhere/a.so", "/nowhere/b.so"});
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(library.error().message(), HasSubstr("/nowhere/a.so"));
  EXPECT_THAT(library.error().message(), HasSubstr("/nowhere/b.so"));
  EXPECT_THAT(library.error().message(), HasSubstr("METE_ONNXRUNTIME="));
}

TEST(OrtLibrary, RejectsALibraryThatIsTooOldAndNamesItsVersion) {
  auto library = OpenOrtLibrary({METE_TEST_OLD_ONNXRUNTIME});
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(library.error().message(), HasSubstr("is ONNX Runtime 1.2.3"));
  EXPECT_THAT(library.error().message(), HasSubstr("1.17 or newer"));
}

TEST(OrtLibrary, RejectsAnotherLibrary) {
  auto library = OpenOrtLibrary({"libm.so.6"});
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(library.error().message(), HasSubstr("not ONNX Runtime"));
}

}  // namespace
}  // namespace mete
