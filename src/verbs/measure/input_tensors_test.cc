#include "measure/input_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "measure/picture_tensor.h"
#include "support/file.h"

namespace mete {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Pictures of a single colour, given by the first byte of the file.
class OneColourReader final : public ImageReader {
 public:
  Result<Picture> Read(const std::filesystem::path& path) override {
    ASSIGN_OR_RETURN(std::string content, ReadFile(path));
    return Filled(8, 4, static_cast<uint8_t>(content[0]));
  }
  Result<Picture> Resize(const Picture& picture, int width,
                         int height) override {
    return Filled(width, height, picture.rgb[0]);
  }

 private:
  static Picture Filled(int width, int height, uint8_t level) {
    return {
        .width = width,
        .height = height,
        .rgb = std::vector<uint8_t>(size_t(width) * size_t(height) * 3, level)};
  }
};

GraphValue Input(const std::string& name, ElementType type, Shape shape) {
  return {.name = name, .type = {.type = type, .shape = std::move(shape)}};
}

GraphValue ImageInput() {
  return Input("x", ElementType::kFloat,
               {{.symbol = "n"}, {.size = 3}, {.size = 2}, {.size = 2}});
}

std::vector<float> ToFloats(const TensorValue& value) {
  std::vector<float> floats(value.bytes.size() / sizeof(float));
  std::memcpy(floats.data(), value.bytes.data(), value.bytes.size());
  return floats;
}

TEST(InputTensors, RandomValuesDependOnSeedAndName) {
  OneColourReader images;
  std::vector<GraphValue> inputs = {ImageInput()};
  auto first = MakeInputs(inputs, {.seed = 1}, images);
  auto again = MakeInputs(inputs, {.seed = 1}, images);
  auto other = MakeInputs(inputs, {.seed = 2}, images);
  ASSERT_TRUE(first.ok() && again.ok() && other.ok());
  EXPECT_EQ(first->feeds[0][0].bytes, again->feeds[0][0].bytes);
  EXPECT_NE(first->feeds[0][0].bytes, other->feeds[0][0].bytes);
  EXPECT_EQ(first->origin, "random");
  EXPECT_THAT(first->shapes, ElementsAre("x=1x3x2x2"));
}

TEST(InputTensors, IntegersAreSmallEnoughForTokenIds) {
  OneColourReader images;
  auto made = MakeInputs(
      {Input("ids", ElementType::kInt64, KnownShape({1, 1000}))}, {}, images);
  ASSERT_TRUE(made.ok());
  std::vector<int64_t> ids(1000);
  std::memcpy(ids.data(), made->feeds[0][0].bytes.data(), 8000);
  for (int64_t id : ids) {
    EXPECT_GE(id, 0);
    EXPECT_LT(id, 10);
  }
}

TEST(InputTensors, RefusesABatchTheNetworkCannotTake) {
  OneColourReader images;
  auto made = MakeInputs({Input("x", ElementType::kFloat, KnownShape({1, 3}))},
                         {.sizes = {.batch = 4}}, images);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message(),
              HasSubstr("no input has an open first size"));
}

TEST(InputTensors, NamesTheFlagForAnOpenSize) {
  OneColourReader images;
  auto made = MakeInputs(
      {Input("ids", ElementType::kInt64, {{.size = 1}, {.symbol = "seq"}})}, {},
      images);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message(), HasSubstr("--shape ids=1x128"));
}

TEST(InputTensors, SuggestsTheLengthThatSomebodyElseKnows) {
  OneColourReader images;
  const std::vector<GraphValue> inputs = {
      Input("sound", ElementType::kFloat, {{.size = 1}, {.symbol = "time"}})};
  int asked = 0;
  InputRequest request{.suggest_length = [&asked] { return ++asked, 512; }};
  EXPECT_THAT(MakeInputs(inputs, request, images).error().message(),
              HasSubstr("--shape sound=1x512"));
  request.sizes.shapes = {{"sound", {1, 7}}};
  EXPECT_TRUE(MakeInputs(inputs, request, images).ok());
  EXPECT_EQ(asked, 1);
}

TEST(InputTensors, RefusesSizesLargerThanAnyMemory) {
  OneColourReader images;
  auto made = MakeInputs({ImageInput()},
                         {.sizes = {.batch = 2'000'000'000'000'000}}, images);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message(), HasSubstr("would take more than"));
}

TEST(InputTensors, RefusesToGenerateStrings) {
  OneColourReader images;
  auto made = MakeInputs({Input("text", ElementType::kString, KnownShape({1}))},
                         {}, images);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code(), ErrorCode::kUnsupported);
}

TEST(InputTensors, FileFillsTheOnlyInputAndSetsItsSizes) {
  auto folder = *ScratchFolder::Create();
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 1), }\n";
  std::string npy = std::string("\x93NUMPY\x01\0", 8) +
                    static_cast<char>(header.size()) + '\0' + header +
                    std::string(20, '\0');
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "x.npy", npy).ok());
  OneColourReader images;
  auto made = MakeInputs(
      {Input("x", ElementType::kFloat, {{.symbol = "n"}, {.symbol = "m"}})},
      {.given = {(folder.path() / "x.npy").string()}}, images);
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_THAT(made->shapes, ElementsAre("x=5x1"));
  EXPECT_THAT(made->origin, HasSubstr("x.npy"));
}

template <typename T>
T First(const TensorValue& value) {
  T first;
  std::memcpy(&first, value.bytes.data(), sizeof(T));
  return first;
}

// The sampling rate of Silero is an integer that must be 8000 or 16000.
TEST(InputTensors, FillsAnInputWithANumber) {
  OneColourReader images;
  auto made =
      MakeInputs({Input("x", ElementType::kFloat, KnownShape({1, 2})),
                  Input("sr", ElementType::kInt64, Shape{}),
                  Input("h", ElementType::kFloat16, KnownShape({3})),
                  Input("flag", ElementType::kBool, KnownShape({1}))},
                 {.given = {"sr=16000", "h=ones", "flag=zeros"}}, images);
  ASSERT_TRUE(made.ok()) << made.error().message();
  const std::vector<TensorValue>& feed = made->feeds[0];
  EXPECT_EQ(First<int64_t>(feed[1]), 16000);
  EXPECT_EQ(First<uint16_t>(feed[2]), 0x3C00);
  EXPECT_EQ(First<uint8_t>(feed[3]), 0);
  EXPECT_EQ(made->origin, "sr=16000; h=ones; flag=zeros; random x");
  EXPECT_TRUE(made->random_integers.empty());
}

TEST(InputTensors, SaysWhichInputsAreRandomIntegers) {
  OneColourReader images;
  auto made = MakeInputs({Input("x", ElementType::kFloat, KnownShape({2})),
                          Input("sr", ElementType::kInt64, Shape{})},
                         {}, images);
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_THAT(made->random_integers, ElementsAre("sr"));
  EXPECT_EQ(made->origin, "random; integers 0 to 9 in sr");
}

TEST(InputTensors, RejectsANumberThatDoesNotFit) {
  OneColourReader images;
  auto fail = [&](ElementType type, const std::string& given) {
    auto made = MakeInputs({Input("x", type, KnownShape({2}))},
                           {.given = {given}}, images);
    return made.ok() ? "accepted" : made.error().message();
  };
  EXPECT_EQ(fail(ElementType::kInt8, "x=300"),
            "--input: 300 does not fit input 'x' of type int8");
  EXPECT_EQ(fail(ElementType::kInt64, "x=0.5"),
            "--input: 0.5 does not fit input 'x' of type int64");
  EXPECT_EQ(fail(ElementType::kFloat, "x=16k"),
            "--input x=16k: no such file; expected a NumPy file, a number, "
            "zeros or ones");
  EXPECT_EQ(fail(ElementType::kFloat, "x=0.5"), "accepted");
}

TEST(InputTensors, ConvertsNumbersToHalfPrecision) {
  OneColourReader images;
  auto half = [&](const std::string& number) {
    auto made = MakeInputs({Input("x", ElementType::kFloat16, KnownShape({1}))},
                           {.given = {"x=" + number}}, images);
    return First<uint16_t>(made->feeds[0][0]);
  };
  EXPECT_EQ(half("0.5"), 0x3800);
  EXPECT_EQ(half("-2"), 0xC000);
  EXPECT_EQ(half("65504"), 0x7BFF);
  EXPECT_EQ(half("1e6"), 0x7C00);
  EXPECT_EQ(half("0.333333"), 0x3555);
  EXPECT_EQ(half("6e-8"), 0x0001);
}

TEST(InputTensors, SuggestsTheNearestInputNameForAFile) {
  OneColourReader images;
  auto made = MakeInputs({Input("input", ElementType::kFloat, KnownShape({1}))},
                         {.given = {"imput=x.npy"}}, images);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message(), HasSubstr("did you mean 'input'?"));
}

TEST(InputTensors, UsesPicturesInOrderOfName) {
  auto folder = *ScratchFolder::Create();
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "b.JPG", "\xff").ok());
  ASSERT_TRUE(
      WriteFileAtomically(folder.path() / "a.png", std::string(1, '\0')).ok());
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "notes.txt", "n").ok());
  OneColourReader images;
  auto made =
      MakeInputs({ImageInput()}, {.picture_folder = folder.path()}, images);
  ASSERT_TRUE(made.ok()) << made.error().message();
  ASSERT_EQ(made->feeds.size(), 2u);
  // Black, then white, in ImageNet's normalisation of the red channel.
  EXPECT_NEAR(ToFloats(made->feeds[0][0])[0], (0 - 0.485) / 0.229, 1e-5);
  EXPECT_NEAR(ToFloats(made->feeds[1][0])[0], (1 - 0.485) / 0.229, 1e-5);
  EXPECT_THAT(made->origin, HasSubstr("(2 of 2)"));
}

TEST(InputTensors, FolderWithoutPicturesIsNotFound) {
  auto folder = *ScratchFolder::Create();
  OneColourReader images;
  auto made =
      MakeInputs({ImageInput()}, {.picture_folder = folder.path()}, images);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code(), ErrorCode::kNotFound);
}

TEST(PictureTensor, ChannelOrderFollowsTheInput) {
  OneColourReader images;
  Picture grey{.width = 2, .height = 2, .rgb = std::vector<uint8_t>(12, 128)};
  GraphValue last = Input("x", ElementType::kFloat, KnownShape({1, 2, 2, 3}));
  auto layout = DetectPictureLayout(last);
  ASSERT_TRUE(layout.ok());
  EXPECT_TRUE(layout->channels_last);
  auto values = Preprocess(grey, *layout, images);
  ASSERT_TRUE(values.ok());
  EXPECT_NEAR((*values)[1], (128.0 / 255 - 0.456) / 0.224, 1e-5);  // green
}

TEST(PictureTensor, RefusesOtherInputsWithTheirTypeAndShape) {
  auto layout = DetectPictureLayout(
      Input("ids", ElementType::kInt64, KnownShape({1, 16})));
  ASSERT_FALSE(layout.ok());
  EXPECT_THAT(layout.error().message(),
              HasSubstr("images do not fit input 'ids': it is int64 1x16"));
}

}  // namespace
}  // namespace mete
