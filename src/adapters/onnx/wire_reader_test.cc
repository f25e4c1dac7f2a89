#include "adapters/onnx/wire_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "support/file.h"

namespace mete {
namespace {

using testing::HasSubstr;

std::vector<std::byte> MakeBytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Result<WireField> FirstField(const std::vector<std::byte>& bytes) {
  MemorySource source(bytes);
  return WireReader(source).NextField();
}

TEST(WireReader, ReadsAVarintOfSeveralBytes) {
  auto field = FirstField(MakeBytes({0x08, 0xAC, 0x02}));
  ASSERT_TRUE(field.ok());
  EXPECT_EQ(field->number, 1u);
  EXPECT_EQ(field->value, 300u);
}

TEST(WireReader, ReadsANegativeInteger) {
  auto field = FirstField(MakeBytes(
      {0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}));
  ASSERT_TRUE(field.ok());
  EXPECT_EQ(*ReadInteger(*field), -1);
}

TEST(WireReader, RejectsAnUnterminatedVarint) {
  std::vector<std::byte> bytes(12, std::byte{0xFF});
  EXPECT_THAT(FirstField(bytes).error().message(),
              HasSubstr("unterminated number"));
}

TEST(WireReader, RejectsAFieldLongerThanTheMessage) {
  auto field = FirstField(MakeBytes({0x12, 0x05, 'a', 'b'}));
  ASSERT_FALSE(field.ok());
  EXPECT_EQ(field.error().message(),
            "truncated: 5 bytes announced at byte 0, but 2 follow");
}

TEST(WireReader, RejectsALengthThatWouldWrapAround) {
  EXPECT_FALSE(FirstField(MakeBytes({0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                     0xFF, 0xFF, 0xFF, 0x01, 'a'}))
                   .ok());
}

TEST(WireReader, RejectsTheFieldNumberZeroAndGroups) {
  EXPECT_FALSE(FirstField(MakeBytes({0x00, 0x00})).ok());
  EXPECT_FALSE(FirstField(MakeBytes({0x0B})).ok());
}

TEST(WireReader, StaysInsideAnInnerMessage) {
  // Field 1 contains one byte, which announces more than follows.
  std::vector<std::byte> bytes = MakeBytes({0x0A, 0x01, 0x08, 0x10, 0x01});
  MemorySource source(bytes);
  WireReader message(source);
  auto inner = message.Inside(*message.NextField());
  ASSERT_TRUE(inner.ok());
  EXPECT_FALSE(inner->NextField().ok());
}

TEST(FileSource, ReadsAcrossItsWindow) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path path = folder.path() / "big";
  std::string content(200'000, 'a');
  content[131'071] = 'b';
  content[131'072] = 'c';
  std::ofstream(path) << content;
  auto source = FileSource::Open(path.string());
  ASSERT_TRUE(source.ok());
  std::string copy(content.size(), ' ');
  ASSERT_TRUE(source->Copy(0, std::as_writable_bytes(std::span(copy))).ok());
  EXPECT_EQ(copy, content);
}

TEST(FileSource, ReportsAFileThatShrankWhileItWasRead) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path path = folder.path() / "shrinking";
  std::ofstream(path) << std::string(200'000, 'a');
  auto source = FileSource::Open(path.string());
  ASSERT_TRUE(source.ok());
  std::filesystem::resize_file(path, 10);
  auto bytes = source->At(150'000);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().message(), "truncated at byte 150000");
}

TEST(FileSource, RejectsAFolder) {
  ScratchFolder folder = *ScratchFolder::Create();
  EXPECT_THAT(FileSource::Open(folder.path().string()).error().message(),
              HasSubstr("is a folder, not a network file"));
}

TEST(WireReader, ReadsNumbersOfFixedWidth) {
  auto narrow = FirstField(MakeBytes({0x0D, 1, 2, 3, 4}));
  ASSERT_TRUE(narrow.ok());
  EXPECT_EQ(narrow->value, 0x04030201u);
  auto wide = FirstField(MakeBytes({0x09, 1, 2, 3, 4, 5, 6, 7, 8}));
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(wide->value, 0x0807060504030201u);
  EXPECT_FALSE(FirstField(MakeBytes({0x0D, 1, 2, 3})).ok());
  EXPECT_FALSE(FirstField(MakeBytes({0x09, 1, 2, 3, 4, 5, 6, 7})).ok());
}

TEST(WireReader, AVarintHasAtMostTenBytes) {
  EXPECT_TRUE(FirstField(MakeBytes({0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                    0x80, 0x80, 0x80, 0x01}))
                  .ok());
  EXPECT_FALSE(FirstField(MakeBytes({0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                     0x80, 0x80, 0x80, 0x80, 0x01}))
                   .ok());
}

TEST(WireReader, AFieldMayFillItsMessageExactly) {
  auto field = FirstField(MakeBytes({0x12, 0x02, 'a', 'b'}));
  ASSERT_TRUE(field.ok());
  EXPECT_EQ(field->length, 2u);
}

TEST(WireReader, AnIntegerMustBeAVarint) {
  auto field = FirstField(MakeBytes({0x0D, 1, 2, 3, 4}));
  EXPECT_FALSE(ReadInteger(*field).ok());
}

// Field numbers have 29 bits.
TEST(WireReader, FieldNumbersEndAt536870911) {
  auto largest = FirstField(MakeBytes({0xF8, 0xFF, 0xFF, 0xFF, 0x0F, 0x05}));
  ASSERT_TRUE(largest.ok()) << largest.error().message();
  EXPECT_EQ(largest->number, 536870911u);
  EXPECT_EQ(largest->value, 5u);
  auto beyond = FirstField(MakeBytes({0x80, 0x80, 0x80, 0x80, 0x10, 0x05}));
  ASSERT_FALSE(beyond.ok());
  EXPECT_EQ(beyond.error().message(), "invalid field number at byte 0");
}

TEST(WireReader, SkipsAFieldOfBytes) {
  std::vector<std::byte> bytes = MakeBytes({0x12, 0x02, 'a', 'b', 0x18, 0x07});
  MemorySource source(bytes);
  WireReader message(source);
  EXPECT_EQ(message.remaining(), 6u);
  auto first = message.NextField();
  EXPECT_EQ(first->begin, 2u);
  EXPECT_EQ(*message.Text(*first), "ab");
  EXPECT_EQ(message.position(), 4u);
  auto second = message.NextField();
  EXPECT_EQ(second->number, 3u);
  EXPECT_EQ(second->value, 7u);
  EXPECT_TRUE(message.AtEnd());
  EXPECT_EQ(message.Text(*second).error().message(),
            "field 3 does not have the type that ONNX defines");
  EXPECT_FALSE(message.Inside(*second).ok());
  EXPECT_EQ(message.NextVarint().error().message(), "truncated at byte 6");
}

TEST(WireReader, PackedNumbersEndWithTheirField) {
  // Four bytes inside, and more behind them.
  std::vector<std::byte> bytes =
      MakeBytes({0x0A, 0x04, 1, 0, 0, 0, 2, 0, 0, 0});
  MemorySource source(bytes);
  WireReader message(source);
  WireReader inner = *message.Inside(*message.NextField());
  EXPECT_EQ(*inner.NextFixed32(), 1u);
  EXPECT_FALSE(inner.NextFixed32().ok());
  WireReader again = *WireReader(source).Inside(
      {.type = WireType::kBytes, .begin = 2, .length = 7});
  EXPECT_FALSE(again.NextFixed64().ok());
}

TEST(MemorySource, EndsWithItsBytes) {
  std::vector<std::byte> bytes = MakeBytes({1, 2, 3});
  MemorySource source(bytes);
  EXPECT_EQ(source.At(2)->size(), 1u);
  EXPECT_FALSE(source.At(3).ok());
  std::array<std::byte, 2> copy{};
  EXPECT_TRUE(source.Copy(1, copy).ok());
  EXPECT_EQ(copy[1], std::byte{3});
  EXPECT_FALSE(source.Copy(2, copy).ok());
}

TEST(FileSource, ReadsForwardsAndBackwards) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path path = folder.path() / "big";
  std::string content(70'000, 'a');
  content[10] = 'x';
  content[65'546] = 'y';
  std::ofstream(path) << content;
  auto source = FileSource::Open(path.string());
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->size(), 70'000u);
  auto at = [&](uint64_t offset) {
    return static_cast<char>((*source->At(offset))[0]);
  };
  EXPECT_EQ(at(10), 'x');
  EXPECT_EQ(at(65'546), 'y');  // just behind the window
  EXPECT_EQ(at(65'545), 'a');
  EXPECT_EQ(at(10), 'x');
  EXPECT_FALSE(source->At(70'000).ok());
  FileSource moved = *std::move(source);
  EXPECT_EQ(static_cast<char>((*moved.At(10))[0]), 'x');
}

TEST(FileSource, RejectsWhatIsNoRegularFile) {
  EXPECT_THAT(FileSource::Open("/dev/null").error().message(),
              HasSubstr("not a regular file"));
  EXPECT_EQ(FileSource::Open("/does/not/exist").error().code(),
            ErrorCode::kNotFound);
}

TEST(FileSource, ReportsAnyOffsetBehindItsEnd) {
  ScratchFolder folder = *ScratchFolder::Create();
  std::filesystem::path path = folder.path() / "small";
  std::ofstream(path) << "abc";
  auto source = FileSource::Open(path.string());
  ASSERT_TRUE(source.ok());
  EXPECT_TRUE(source->At(2).ok());
  EXPECT_EQ(source->At(3).error().message(), "truncated at byte 3");
  // No offset of a file can be so large.
  EXPECT_EQ(source->At(UINT64_MAX).error().message(),
            "truncated at byte 18446744073709551615");
}

}  // namespace
}  // namespace mete
