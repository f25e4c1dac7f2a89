#include "measure/picture_tensor.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

GraphValue ImageInput(std::initializer_list<int64_t> sizes,
                      ElementType type = ElementType::kFloat) {
  return {.name = "image", .type = {.type = type, .shape = KnownShape(sizes)}};
}

// Resizes by repeating the first pixel, and records the sizes.
class PlainImages final : public ImageReader {
 public:
  Result<Picture> Read(const std::filesystem::path&) override {
    return Unsupported("not needed");
  }
  Result<Picture> Resize(const Picture& picture, int width,
                         int height) override {
    Picture scaled{.width = width, .height = height};
    for (int i = 0; i < width * height; ++i) {
      for (size_t c = 0; c < 3; ++c) scaled.rgb.push_back(picture.rgb[c]);
    }
    // A column mark: the red of pixel (x, y) is x, the green is y.
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        scaled.rgb[3 * (y * width + x)] = static_cast<uint8_t>(x);
        scaled.rgb[3 * (y * width + x) + 1] = static_cast<uint8_t>(y);
      }
    }
    return scaled;
  }
};

TEST(PictureLayout, RecognisesBothOrdersOfChannels) {
  PictureLayout first = DetectPictureLayout(ImageInput({1, 3, 20, 10})).value();
  EXPECT_EQ(first.height, 20);
  EXPECT_EQ(first.width, 10);
  EXPECT_FALSE(first.channels_last);
  PictureLayout last = DetectPictureLayout(ImageInput({1, 20, 10, 3})).value();
  EXPECT_EQ(last.height, 20);
  EXPECT_EQ(last.width, 10);
  EXPECT_TRUE(last.channels_last);
  EXPECT_FALSE(
      DetectPictureLayout(ImageInput({1, 3, 20, 3})).value().channels_last);
}

TEST(PictureLayout, RejectsOtherInputs) {
  EXPECT_FALSE(DetectPictureLayout(ImageInput({1, 3, 20})).ok());
  EXPECT_FALSE(DetectPictureLayout(ImageInput({1, 4, 20, 10})).ok());
  EXPECT_FALSE(
      DetectPictureLayout(ImageInput({1, 3, 8, 8}, ElementType::kInt8)).ok());
  EXPECT_FALSE(DetectPictureLayout({.name = "x"}).ok());
}

TEST(PictureLayout, SidesAreBetweenOneAnd16384) {
  EXPECT_TRUE(DetectPictureLayout(ImageInput({1, 3, 1, 1})).ok());
  EXPECT_TRUE(DetectPictureLayout(ImageInput({1, 3, 16384, 16384})).ok());
  EXPECT_FALSE(DetectPictureLayout(ImageInput({1, 3, 16385, 1})).ok());
  EXPECT_FALSE(DetectPictureLayout(ImageInput({1, 3, 1, 16385})).ok());
  EXPECT_FALSE(DetectPictureLayout(ImageInput({1, 3, 0, 8})).ok());
  EXPECT_FALSE(DetectPictureLayout(ImageInput({1, 3, 8, 0})).ok());
}

TEST(Preprocess, CropsTheCentreAndNormalisesEachChannel) {
  // 14x7 is scaled to 16x8, of which the middle 7x7 is taken.
  PlainImages images;
  Picture picture{.width = 14, .height = 7};
  picture.rgb.assign(14 * 7 * 3, 255);
  auto values = Preprocess(picture, {.height = 7, .width = 7}, images);
  ASSERT_TRUE(values.ok());
  ASSERT_EQ(values->size(), 3u * 49);
  EXPECT_NEAR((*values)[0], (4 / 255.0 - 0.485) / 0.229, 1e-4);  // x = 4
  EXPECT_NEAR((*values)[6], (10 / 255.0 - 0.485) / 0.229, 1e-4);
  EXPECT_NEAR((*values)[49], (0 / 255.0 - 0.456) / 0.224, 1e-4);  // y = 0
  EXPECT_NEAR((*values)[49 + 48], (6 / 255.0 - 0.456) / 0.224, 1e-4);
  EXPECT_NEAR((*values)[98], (1 - 0.406) / 0.225, 1e-4);
  auto last = Preprocess(
      picture, {.height = 7, .width = 7, .channels_last = true}, images);
  EXPECT_NEAR((*last)[2], (1 - 0.406) / 0.225, 1e-4);
  EXPECT_NEAR((*last)[3], (5 / 255.0 - 0.485) / 0.229, 1e-4);
}

TEST(Preprocess, RejectsAPictureThatIsTooThin) {
  PlainImages images;
  Picture picture{.width = 1, .height = 100'000};
  auto values = Preprocess(picture, {.height = 224, .width = 224}, images);
  ASSERT_FALSE(values.ok());
  EXPECT_EQ(
      values.error().message(),
      "an image of 1x100000 is too long and thin for an input of 224x224");
}

}  // namespace
}  // namespace mete
