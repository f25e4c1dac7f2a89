#include "adapters/matlab/mat_reader.h"

#include <gmock/gmock.h>
#include <matio.h>

#include <cstdlib>

#include "support/file.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A file with one double vector and one structure, written by matio itself.
class MatReaderTest : public testing::Test {
 protected:
  MatReaderTest() {
    mat_t* mat = Mat_CreateVer(file_.c_str(), nullptr, MAT_FT_MAT5);
    Write(mat, Vector("X097_DE_time", {1, -2, 3}));
    const char* fields[] = {"sr", "gs"};
    size_t one[] = {1, 1};
    matvar_t* bearing = Mat_VarCreateStruct("bearing", 2, one, fields, 2);
    Mat_VarSetStructFieldByName(bearing, "sr", 0, Vector("sr", {48828}));
    Mat_VarSetStructFieldByName(bearing, "gs", 0, Vector("gs", {4, 5}));
    Write(mat, bearing);
    // As in the recordings of Paderborn.
    const char* channel_fields[] = {"Name", "Data"};
    size_t two[] = {1, 2};
    matvar_t* channels = Mat_VarCreateStruct("Y", 2, two, channel_fields, 2);
    AddChannel(channels, 0, "force", {8});
    AddChannel(channels, 1, "vibration_1", {6, 7});
    const char* outer_fields[] = {"Y"};
    matvar_t* outer = Mat_VarCreateStruct("N15", 2, one, outer_fields, 1);
    Mat_VarSetStructFieldByName(outer, "Y", 0, channels);
    Write(mat, outer);
    Mat_Close(mat);
  }

  static matvar_t* Vector(const char* name, std::vector<double> values) {
    size_t sizes[] = {values.size(), 1};
    return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes,
                         values.data(), 0);
  }
  static void AddChannel(matvar_t* list, size_t place, std::string name,
                         std::vector<double> values) {
    size_t sizes[] = {1, name.size()};
    Mat_VarSetStructFieldByName(list, "Name", place,
                                Mat_VarCreate("Name", MAT_C_CHAR, MAT_T_UTF8, 2,
                                              sizes, name.data(), 0));
    Mat_VarSetStructFieldByName(list, "Data", place,
                                Vector("Data", std::move(values)));
  }
  static void Write(mat_t* mat, matvar_t* variable) {
    ASSERT_EQ(Mat_VarWrite(mat, variable, MAT_COMPRESSION_ZLIB), 0);
    Mat_VarFree(variable);
  }

  ScratchFolder folder_ = ScratchFolder::Create().value();
  std::string file_ = (folder_.path() / "a.mat").string();
  MatReader reader_;
};

TEST_F(MatReaderTest, ReadsAVariableAFieldAndAChannelByName) {
  EXPECT_THAT(reader_.Read(file_, {"X097_DE_time", "", ""}).value(),
              ElementsAre(1, -2, 3));
  EXPECT_THAT(reader_.Read(file_, {"bearing", "gs", ""}).value(),
              ElementsAre(4, 5));
  EXPECT_THAT(reader_.Read(file_, {"N15", "Y", "vibration_1"}).value(),
              ElementsAre(6, 7));
}

TEST_F(MatReaderTest, NamesWhatIsMissing) {
  auto message = [&](const SignalPlace& place) {
    Result<std::vector<float>> read = reader_.Read(file_, place);
    return read.ok() ? "" : read.error().message();
  };
  EXPECT_THAT(message({"X1", "", ""}), HasSubstr("no variable 'X1'"));
  EXPECT_THAT(message({"bearing", "g", ""}), HasSubstr("no field 'g'"));
  EXPECT_THAT(message({"X097_DE_time", "g", ""}), HasSubstr("no field 'g'"));
  EXPECT_THAT(message({"N15", "Y", "v"}), HasSubstr("no channel 'v'"));
  EXPECT_THAT(message({"bearing", "", ""}), HasSubstr("no signal"));
}

TEST_F(MatReaderTest, TooManyChannelsAreCorrupt) {
  mat_t* mat = Mat_CreateVer(file_.c_str(), nullptr, MAT_FT_MAT5);
  const char* fields[] = {"Name", "Data"};
  size_t many[] = {1, 1001};
  size_t one[] = {1, 1};
  const char* outer_fields[] = {"Y"};
  matvar_t* outer = Mat_VarCreateStruct("N15", 2, one, outer_fields, 1);
  Mat_VarSetStructFieldByName(outer, "Y", 0,
                              Mat_VarCreateStruct("Y", 2, many, fields, 2));
  Write(mat, outer);
  Mat_Close(mat);
  auto read = reader_.Read(file_, {"N15", "Y", "vibration_1"});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
}

TEST_F(MatReaderTest, ReadsNoTextBeyondItsBytes) {
  mat_t* mat = Mat_CreateVer(file_.c_str(), nullptr, MAT_FT_MAT5);
  const char* fields[] = {"Name", "Data"};
  size_t one[] = {1, 1};
  matvar_t* channels = Mat_VarCreateStruct("Y", 2, one, fields, 2);
  AddChannel(channels, 0, "vibration_1", {6, 7});
  const char* outer_fields[] = {"Y"};
  matvar_t* outer = Mat_VarCreateStruct("N15", 2, one, outer_fields, 1);
  Mat_VarSetStructFieldByName(outer, "Y", 0, channels);
  ASSERT_EQ(Mat_VarWrite(mat, outer, MAT_COMPRESSION_NONE), 0);
  Mat_VarFree(outer);
  Mat_Close(mat);
  std::string bytes = ReadFile(file_).value();
  const size_t size = bytes.find(std::string("\1\0\0\0\13\0\0\0", 8));
  ASSERT_NE(size, std::string::npos);
  bytes[size + 4] = 64;  // the name has 11 letters
  ASSERT_TRUE(WriteFileAtomically(file_, bytes).ok());
  auto read = reader_.Read(file_, {"N15", "Y", "vibration_1"});
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message(), HasSubstr("no channel"));
}

TEST_F(MatReaderTest, ATruncatedFileIsCorrupt) {
  std::string whole = ReadFile(file_).value();
  for (size_t size : {whole.size() - 1, whole.size() / 2, size_t{130}}) {
    ASSERT_TRUE(WriteFileAtomically(file_, whole.substr(0, size)).ok());
    Result<std::vector<float>> read =
        reader_.Read(file_, {"X097_DE_time", "", ""});
    ASSERT_FALSE(read.ok()) << size;
    EXPECT_THAT(read.error().message(), HasSubstr("truncated"));
  }
}

TEST_F(MatReaderTest, AnotherKindOfFileIsCorrupt) {
  ASSERT_TRUE(WriteFileAtomically(file_, "not a file of that kind").ok());
  Result<std::vector<float>> read = reader_.Read(file_, {"X", "", ""});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
  read = reader_.Read(folder_.path() / "none.mat", {"X", "", ""});
  EXPECT_EQ(read.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
