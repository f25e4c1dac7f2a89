#include "adapters/images/stb_image_reader.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

// A 2x1 bitmap, 24 bits per pixel, rows padded to four bytes, stored bottom up:
// red, then blue.
std::string TwoPixelBitmap() {
  std::string bytes = {'B', 'M', 62, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0,  40,
                       0,   0,   0,  2, 0, 0, 0, 1, 0, 0, 0,  1, 0, 24, 0};
  bytes.resize(54, '\0');
  const unsigned char pixels[] = {0, 0, 255, 255, 0, 0, 0, 0};  // BGR BGR pad
  bytes.append(reinterpret_cast<const char*>(pixels), sizeof(pixels));
  return bytes;
}

Result<Picture> Decode(const std::string& content) {
  auto folder = *ScratchFolder::Create();
  CHECK(WriteFileAtomically(folder.path() / "p.bmp", content).ok()) << "write";
  return StbImageReader().Read(folder.path() / "p.bmp");
}

TEST(StbImageReader, DecodesABitmapToRgb) {
  auto picture = Decode(TwoPixelBitmap());
  ASSERT_TRUE(picture.ok()) << picture.error().message();
  EXPECT_EQ(picture->width, 2);
  EXPECT_EQ(picture->height, 1);
  EXPECT_EQ(picture->rgb, (std::vector<uint8_t>{255, 0, 0, 0, 0, 255}));
}

TEST(StbImageReader, ShrinkingAveragesTheArea) {
  auto picture = Decode(TwoPixelBitmap());
  ASSERT_TRUE(picture.ok());
  auto small = StbImageReader().Resize(*picture, 1, 1);
  ASSERT_TRUE(small.ok());
  EXPECT_NEAR(small->rgb[0], 128, 1);
  EXPECT_EQ(small->rgb[1], 0);
  EXPECT_NEAR(small->rgb[2], 128, 1);
}

TEST(StbImageReader, AnotherFileTypeIsCorrupt) {
  EXPECT_EQ(Decode("not a picture").error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(Decode("").error().code(), ErrorCode::kCorrupt);
}

TEST(StbImageReader, AJpegWithTooManyCodesIsCorrupt) {
  // A Huffman table has at most 256 codes; this one claims 255 of each length.
  std::string bytes = "\xFF\xD8\xFF\xC4";
  bytes += {0x10, 0x03, 0x00};  // length, first table
  bytes.append(16, '\xFF');
  bytes.append(size_t{16} * 255, '\0');
  EXPECT_EQ(Decode(bytes).error().code(), ErrorCode::kCorrupt);
}

TEST(StbImageReader, AMissingFileIsNotFound) {
  EXPECT_EQ(StbImageReader().Read("/nonexistent/p.png").error().code(),
            ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
