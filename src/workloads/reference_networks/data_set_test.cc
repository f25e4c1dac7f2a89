#include "reference_networks/data_set.h"

#include <gmock/gmock.h>

#include <set>

#include "reference_networks/gearbox_file.h"
#include "reference_networks/synthetic.h"
#include "support/file.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// Returns ten windows for every existing file.
class TenWindows : public SignalReader {
 public:
  Result<std::vector<float>> Read(const std::filesystem::path& file,
                                  const SignalPlace& place) override {
    places.push_back(file.filename().string() + " " + place.variable);
    return std::vector<float>(10 * kWindow);
  }
  std::vector<std::string> places;
};

class LoadTest : public testing::Test {
 protected:
  void Touch(const std::filesystem::path& file) {
    ASSERT_TRUE(MakeFolder((folder_.path() / file).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / file, "").ok());
  }
  std::string Refusal(const DataSetRequest& request) {
    Result<SplitWindows> loaded = Load(request, reader_);
    return loaded.ok() ? "" : loaded.error().message();
  }

  ScratchFolder folder_ = ScratchFolder::Create().value();
  TenWindows reader_;
};

TEST(DataSets, HaveTheDocumentedClassesAndFiles) {
  std::map<std::string, int64_t> classes;
  for (const std::string& name : DataSetNames()) {
    DataSet set = FindDataSet(name).value();
    classes[name] = set.classes;
    if (set.recordings.empty()) continue;
    EXPECT_THAT(set.recordings, SizeIs(set.classes)) << name;
    std::set<std::string> files;
    for (size_t i = 0; i < set.recordings.size(); ++i) {
      EXPECT_EQ(set.recordings[i].label, static_cast<int64_t>(i));
      files.insert(set.recordings[i].file.string());
    }
    EXPECT_THAT(files, SizeIs(set.classes)) << name;
  }
  EXPECT_EQ(classes["SEU"], 20);
  EXPECT_EQ(classes["MFPT"], 15);
  EXPECT_EQ(classes["CWRU"], 10);
  EXPECT_EQ(classes["PU"], 13);
  EXPECT_EQ(FindDataSet("SEU")->recordings[19].file,
            "gearbox/gearset/Surface_30_2.csv");
  EXPECT_EQ(FindDataSet("CWRU")->recordings[0].place.variable, "X097_DE_time");
}

std::vector<std::string> ListFiles(const char* name) {
  std::vector<std::string> files;
  DataSet set = FindDataSet(name).value();
  for (const Recording& recording : set.recordings) {
    files.push_back(recording.file.stem().string());
  }
  return files;
}

TEST(DataSets, LabelClassesInTheDocumentedOrder) {
  EXPECT_THAT(ListFiles("CWRU"),
              ElementsAre("97", "105", "118", "130", "169", "185", "197", "209",
                          "222", "234"));
  EXPECT_THAT(ListFiles("MFPT"),
              ElementsAre("baseline_1", "OuterRaceFault_vload_1",
                          "OuterRaceFault_vload_2", "OuterRaceFault_vload_3",
                          "OuterRaceFault_vload_4", "OuterRaceFault_vload_5",
                          "OuterRaceFault_vload_6", "OuterRaceFault_vload_7",
                          "InnerRaceFault_vload_1", "InnerRaceFault_vload_2",
                          "InnerRaceFault_vload_3", "InnerRaceFault_vload_4",
                          "InnerRaceFault_vload_5", "InnerRaceFault_vload_6",
                          "InnerRaceFault_vload_7"));
  EXPECT_THAT(
      ListFiles("SEU"),
      ElementsAre("ball_20_0", "comb_20_0", "health_20_0", "inner_20_0",
                  "outer_20_0", "ball_30_2", "comb_30_2", "health_30_2",
                  "inner_30_2", "outer_30_2", "Chipped_20_0", "Health_20_0",
                  "Miss_20_0", "Root_20_0", "Surface_20_0", "Chipped_30_2",
                  "Health_30_2", "Miss_30_2", "Root_30_2", "Surface_30_2"));
  EXPECT_THAT(ListFiles("PU"),
              ElementsAre("N15_M07_F10_KA04_1", "N15_M07_F10_KA15_1",
                          "N15_M07_F10_KA16_1", "N15_M07_F10_KA22_1",
                          "N15_M07_F10_KA30_1", "N15_M07_F10_KB23_1",
                          "N15_M07_F10_KB24_1", "N15_M07_F10_KB27_1",
                          "N15_M07_F10_KI14_1", "N15_M07_F10_KI16_1",
                          "N15_M07_F10_KI17_1", "N15_M07_F10_KI18_1",
                          "N15_M07_F10_KI21_1"));
}

TEST_F(LoadTest, FindsFilesWithAndWithoutTheirPublishedFolders) {
  DataSet set = FindDataSet("CWRU").value();
  for (size_t i = 0; i < 10; ++i) {
    const std::filesystem::path& file = set.recordings[i].file;
    Touch(i % 2 == 0 ? file : file.filename());
  }
  SplitWindows windows =
      Load({.set = set, .folder = folder_.path()}, reader_).value();
  EXPECT_THAT(windows.training, SizeIs(80));
  EXPECT_THAT(windows.validation, SizeIs(20));
  EXPECT_THAT(reader_.places, Contains("105.mat X105_DE_time"));
}

TEST_F(LoadTest, NamesTheMissingFileAndWhereItIsExpected) {
  DataSetRequest request{.set = FindDataSet("MFPT").value()};
  EXPECT_THAT(Refusal(request), HasSubstr("set --data-dir"));
  EXPECT_EQ(CheckFolderGiven(request).error().code(), ErrorCode::kInvalidInput);
  request.folder = folder_.path();
  EXPECT_TRUE(CheckFolderGiven(request).ok());
  EXPECT_THAT(Refusal(request), HasSubstr("baseline_1.mat is not in"));
  EXPECT_THAT(Refusal(request),
              HasSubstr("add --partial to use those that exist"));
  request.partial = true;
  EXPECT_THAT(Refusal(request), HasSubstr("no files of the data set MFPT"));
  Touch("InnerRaceFault_vload_2.mat");
  SplitWindows windows = Load(request, reader_).value();
  EXPECT_EQ(windows.validation.labels.front(), 9);
  EXPECT_EQ(windows.recordings, 1u);
  request.folder = folder_.path() / "none";
  EXPECT_THAT(Refusal(request), HasSubstr("none: no such folder"));
}

TEST(DataSets, SyntheticSignalsNeedNoFolder) {
  EXPECT_TRUE(CheckFolderGiven({.set = FindDataSet("synthetic").value()}).ok());
}

TEST_F(LoadTest, InferenceKeepsFewWindowsOfEveryClass) {
  DataSetRequest request{.set = FindDataSet("synthetic").value(),
                         .keep_training = false,
                         .most_validation = 20};
  SplitWindows windows = Load(request, reader_).value();
  EXPECT_THAT(windows.training, SizeIs(0));
  ASSERT_THAT(windows.validation, SizeIs(20));
  std::set<int64_t> labels(windows.validation.labels.begin(),
                           windows.validation.labels.end());
  EXPECT_THAT(labels, SizeIs(10));
}

TEST(GearboxFile, TakesTheSecondColumnOfTheFirstTenth) {
  ScratchFolder folder = ScratchFolder::Create().value();
  for (char separator : {'\t', ','}) {
    std::string text;
    for (int i = 0; i < 16; ++i) text += "\xb1\xea\xcc\xe2\n";
    for (int i = 0; i < 30; ++i) {
      text += "9" + std::string(1, separator) + std::to_string(i) + "e-1" +
              std::string(1, separator) + "7\r\n";
    }
    ASSERT_TRUE(WriteFileAtomically(folder.path() / "a.csv", text).ok());
    EXPECT_THAT(ReadGearboxFile(folder.path() / "a.csv").value(),
                ElementsAre(0.0F, 0.1F, 0.2F));
  }
}

TEST(GearboxFile, NamesTheLineWithoutANumber) {
  ScratchFolder folder = ScratchFolder::Create().value();
  for (const char* cell : {"x", "3x", "", "nan", "1e400"}) {
    std::string text(16, '\n');
    for (int i = 0; i < 10; ++i) text += std::string("1\t") + cell + "\n";
    ASSERT_TRUE(WriteFileAtomically(folder.path() / "a.csv", text).ok());
    Result<std::vector<float>> read = ReadGearboxFile(folder.path() / "a.csv");
    ASSERT_FALSE(read.ok()) << cell;
    EXPECT_THAT(read.error().message(), HasSubstr("line 17"));
  }
}

TEST(SyntheticSignal, DependsOnItsSeedAndFaultsAreLouder) {
  EXPECT_EQ(SyntheticSignal(3, 1), SyntheticSignal(3, 1));
  EXPECT_NE(SyntheticSignal(3, 1), SyntheticSignal(3, 2));
  auto power = [](int64_t label) {
    double sum = 0;
    for (float sample : SyntheticSignal(label, 1)) sum += sample * sample;
    return sum;
  };
  EXPECT_LT(power(0), power(1));
  EXPECT_LT(power(1), power(7));
}

}  // namespace
}  // namespace mete
