#include "contend/campaign_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;

// A campaign that somebody else made.
class CampaignFolderTest : public testing::Test {
 protected:
  void Put(const std::string& name, const std::string& text) {
    const auto file = scratch_.path() / name;
    ASSERT_TRUE(MakeFolder(file.parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(file, text).ok());
  }
  CampaignFolder Open() {
    return CampaignFolder::Open(scratch_.path()).value();
  }
  static std::string Complaint(const Status& status) {
    return status.ok() ? "" : status.error().message();
  }

  ScratchFolder scratch_ = ScratchFolder::Create().value();
  CampaignSetup setup_{.device_id = "d1", .launcher = "process"};
};

TEST_F(CampaignFolderTest, NamesAFileThatIsNoObject) {
  for (const char* text : {"[1]", "5", "\"x\"", "null"}) {
    Put("campaign.json", text);
    CampaignFolder folder = Open();
    EXPECT_THAT(Complaint(folder.KeepSetup(setup_)),
                HasSubstr("campaign.json: expected an object"))
        << text;
    EXPECT_FALSE(folder.ReadApplications().ok());
    EXPECT_FALSE(folder.KeepApplications({{"app", {}}}).ok());
  }
}

TEST_F(CampaignFolderTest, RefusesImpossibleFactsOfApplications) {
  for (const char* facts :
       {R"("service_time_seconds":-1)", R"("service_time_seconds":1e300)",
        R"("service_time_seconds":1,"memory_bytes":-5)",
        R"("service_time_seconds":1,"memory_bytes":1e30)",
        R"("service_time_seconds":1,"memory_bytes":18446744073709551615)"}) {
    Put("campaign.json",
        std::string(R"({"applications":{"app":{)") + facts + "}}}");
    auto known = Open().ReadApplications();
    ASSERT_FALSE(known.ok()) << facts;
    EXPECT_EQ(known.error().code(), ErrorCode::kCorrupt);
    EXPECT_THAT(known.error().message(), HasSubstr("app: impossible")) << facts;
  }
}

TEST_F(CampaignFolderTest, NamesApplicationsThatAreNoObject) {
  for (const char* applications : {"5", "[]", R"({"app":5})"}) {
    Put("campaign.json",
        std::string(R"({"applications":)") + applications + "}");
    EXPECT_THAT(Complaint(Open().KeepApplications({{"app", {}}})),
                HasSubstr("campaign.json"))
        << applications;
  }
}

// A mix may be a link to a device or to a pipe, which have no end.
TEST_F(CampaignFolderTest, ReadsRegularFilesOfAMixOnly) {
  Put("mixes/m1/other", "");
  std::filesystem::create_symlink("/dev/null",
                                  scratch_.path() / "mixes/m1/mix.json");
  auto mixes = Open().ReadMixes();
  ASSERT_FALSE(mixes.ok());
  EXPECT_THAT(mixes.error().message(), HasSubstr("is not a regular file"));
}

TEST_F(CampaignFolderTest, LeavesOutMixesThatWereNotFinished) {
  Put("mixes/m1/tenant-0.csv", "index\n");
  auto mixes = Open().ReadMixes();
  ASSERT_TRUE(mixes.ok()) << mixes.error().message();
  EXPECT_TRUE(mixes->empty());
}

TEST_F(CampaignFolderTest, NamesTheMixThatIsDamaged) {
  Put("mixes/m1/mix.json", R"({"mix":5})");
  auto mixes = Open().ReadMixes();
  ASSERT_FALSE(mixes.ok());
  EXPECT_EQ(mixes.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(mixes.error().message(), HasSubstr("mixes/m1/mix.json"));
}

TEST_F(CampaignFolderTest, SaysHowTheSetupDiffers) {
  CampaignFolder folder = Open();
  ASSERT_TRUE(folder.KeepSetup(setup_).ok());
  ASSERT_TRUE(folder.KeepSetup(setup_).ok());
  setup_.launcher = "docker";
  EXPECT_THAT(Complaint(folder.KeepSetup(setup_)),
              HasSubstr(R"(launcher is "process" there, not "docker")"));
  setup_.launcher = "process";
  setup_.image = "mete:1";
  EXPECT_THAT(Complaint(folder.KeepSetup(setup_)),
              HasSubstr(R"(image is not set there, not "mete:1")"));
}

TEST_F(CampaignFolderTest, IsLockedWhileItIsOpen) {
  CampaignFolder folder = Open();
  auto second = CampaignFolder::Open(scratch_.path());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
}

TEST_F(CampaignFolderTest, KeepsAnUnknownMemoryUnknown) {
  CampaignFolder folder = Open();
  ASSERT_TRUE(
      folder.KeepApplications({{"a", {.service_time = Seconds(1)}}}).ok());
  auto known = folder.ReadApplications();
  ASSERT_TRUE(known.ok()) << known.error().message();
  EXPECT_EQ(known->at("a").memory, std::nullopt);
}

TEST_F(CampaignFolderTest, KeepsWhatIsKnownOfApplications) {
  CampaignFolder folder = Open();
  ASSERT_TRUE(folder.KeepSetup(setup_).ok());
  ASSERT_TRUE(
      folder.KeepApplications({{"a", {Seconds(0.5), Mebibytes(3)}}}).ok());
  ASSERT_TRUE(
      folder.KeepApplications({{"b", {Seconds(2), Mebibytes(1)}}}).ok());
  auto known = folder.ReadApplications();
  ASSERT_TRUE(known.ok()) << known.error().message();
  ASSERT_EQ(known->size(), 2u);
  EXPECT_EQ(known->at("a").service_time, Seconds(0.5));
  EXPECT_EQ(known->at("a").memory, Mebibytes(3));
  EXPECT_TRUE(folder.KeepSetup(setup_).ok());
}

}  // namespace
}  // namespace mete
