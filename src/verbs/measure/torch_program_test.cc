#include "measure/torch_program.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

class TorchProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& place : {beside_, in_path_}) {
      ASSERT_TRUE(MakeFolder(place).ok());
    }
  }
  static void Install(const std::filesystem::path& place) {
    ASSERT_TRUE(WriteFileAtomically(place / "mete-torch", "#!/bin/sh\n").ok());
    std::filesystem::permissions(place / "mete-torch",
                                 std::filesystem::perms::owner_all);
  }

  ScratchFolder folder_ = ScratchFolder::Create().value();
  std::filesystem::path beside_ = folder_.path() / "beside";
  std::filesystem::path in_path_ = folder_.path() / "path";
  TorchPlaces places_{.beside = beside_,
                      .path = ":/nowhere:" + in_path_.string()};
};

TEST_F(TorchProgramTest, IsFoundOnPath) {
  Install(in_path_);
  auto arguments = WithTorchFound({"mete-torch", "train"}, places_);
  ASSERT_TRUE(arguments.ok()) << arguments.error().message();
  EXPECT_EQ(arguments->at(0), (in_path_ / "mete-torch").string());
  EXPECT_EQ(arguments->at(1), "train");
}

TEST_F(TorchProgramTest, PrefersTheOneBesideMete) {
  Install(in_path_);
  Install(beside_);
  EXPECT_EQ(FindTorch(places_).value(), beside_ / "mete-torch");
}

TEST_F(TorchProgramTest, SaysWhatToInstall) {
  const std::string required =
      "mete-torch is not installed: apt install libtorch-dev libmatio-dev, "
      "then ./dev build";
  auto by_name = WithTorchFound({"mete-torch", "train"}, places_);
  ASSERT_FALSE(by_name.ok());
  EXPECT_EQ(by_name.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(by_name.error().message(), required);
  auto by_path = WithTorchFound({"./nowhere/mete-torch"}, places_);
  ASSERT_FALSE(by_path.ok());
  EXPECT_EQ(by_path.error().message(), required);
}

TEST_F(TorchProgramTest, LeavesOtherProgramsUnchanged) {
  EXPECT_EQ(WithTorchFound({"nowhere", "mete-torch"}, places_).value().at(0),
            "nowhere");
  EXPECT_TRUE(WithTorchFound({}, places_).value().empty());
}

TEST(WithTorchFound, LeavesAnEmptyCommandAlone) {
  EXPECT_TRUE(WithTorchFound({}, {})->empty());
}

}  // namespace
}  // namespace mete
