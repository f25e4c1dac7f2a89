#include "measure/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace mete {
namespace {

using ::testing::HasSubstr;

std::string Npy(std::string header, const std::string& data, char version = 1) {
  header += '\n';
  std::string content = "\x93NUMPY";
  content += version;
  content += '\0';
  content += static_cast<char>(header.size());
  content += '\0';
  if (version > 1) content += std::string(2, '\0');
  return content + header + data;
}

std::string Floats(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<float> ToFloats(const TensorValue& value) {
  std::vector<float> floats(value.bytes.size() / sizeof(float));
  std::memcpy(floats.data(), value.bytes.data(), value.bytes.size());
  return floats;
}

TEST(Npy, ReadsAnArrayInCOrder) {
  auto value = ParseNpy(
      Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
          Floats({1, 2, 3, 4, 5, 6})));
  ASSERT_TRUE(value.ok()) << value.error().message();
  EXPECT_EQ(value->type, ElementType::kFloat);
  EXPECT_EQ(value->sizes, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(ToFloats(*value), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, ConvertsFortranOrderToCOrder) {
  // Columns first: the array [[1 2 3] [4 5 6]].
  auto value =
      ParseNpy(Npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
                   Floats({1, 4, 2, 5, 3, 6})));
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(ToFloats(*value), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, ReadsTheLongerHeaderOfLaterVersions) {
  auto value = ParseNpy(Npy(
      "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "ab", 2));
  ASSERT_TRUE(value.ok()) << value.error().message();
  EXPECT_EQ(value->bytes.size(), 2u);
}

TEST(Npy, ScalarHasNoSizes) {
  auto value =
      ParseNpy(Npy("{'descr': '<i8', 'fortran_order': False, 'shape': (), }",
                   std::string(8, '\1')));
  ASSERT_TRUE(value.ok());
  EXPECT_TRUE(value->sizes.empty());
}

TEST(Npy, TruncatedDataIsCorrupt) {
  auto value = ParseNpy(
      Npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9, 9), }", "x"));
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().message(), "truncated data: 1 bytes of a 9x9 array");
}

TEST(Npy, RefusesHostileHeaders) {
  for (const char* header :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, "
        "99999999999), }",
        "{'descr': '<f4', 'shape': (1,), }", "{'descr':", "",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"}) {
    EXPECT_FALSE(ParseNpy(Npy(header, "xxxx")).ok()) << header;
  }
  EXPECT_FALSE(ParseNpy("not numpy at all").ok());
  EXPECT_FALSE(ParseNpy("").ok());
}

TEST(Npy, NamesTheUnsupportedBigEndianType) {
  auto value = ParseNpy(
      Npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "xxxx"));
  ASSERT_FALSE(value.ok());
  EXPECT_THAT(value.error().message(),
              HasSubstr("element type '>f4' is not supported"));
}

}  // namespace
}  // namespace mete
