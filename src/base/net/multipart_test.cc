#include "net/multipart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;

constexpr std::string_view kType = "multipart/form-data; boundary=xYz";

TEST(Multipart, ReadsFieldsAndFiles) {
  std::string body =
      "--xYz\r\nContent-Disposition: form-data; name=\"model_input_size\"\r\n"
      "\r\n74018\r\n"
      "--xYz\r\ncontent-disposition: form-data; name=\"file\"; "
      "filename=\"a \\\"b\\\".onnx\"\r\nContent-Type: application/octet-stream"
      "\r\n\r\n\r\n--xY\x01\r\n--xYz--\r\n";
  auto parts = ParseMultipart(kType, body);
  ASSERT_TRUE(parts.ok()) << parts.error().message();
  ASSERT_EQ(parts->size(), 2u);
  EXPECT_EQ((*parts)[0].name, "model_input_size");
  EXPECT_EQ((*parts)[0].content, "74018");
  EXPECT_FALSE((*parts)[0].file_name.has_value());
  EXPECT_EQ((*parts)[1].file_name, "a \"b\".onnx");
  EXPECT_EQ((*parts)[1].content, "\r\n--xY\x01");
}

// Names are copied, unlike contents.
TEST(Multipart, RejectsAPartWithALongHeader) {
  auto part = [](size_t blanks) {
    return "--xYz\r\ncontent-disposition: form-data; name=\"a\"\r\n" +
           std::string(blanks, ' ') + "\r\n\r\nb\r\n--xYz--\r\n";
  };
  EXPECT_TRUE(ParseMultipart(kType, part(8000)).ok());
  EXPECT_EQ(ParseMultipart(kType, part(8200)).error().message(),
            "form part with a header of more than 8 KiB");
}

TEST(Multipart, RejectsBodiesThatDoNotFollowTheBoundary) {
  for (const char* body :
       {"", "--xY", "--xYz", "--xYz\r\n", "--xYzjunk", "text",
        "--xYz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\ncut off",
        "--xYz\r\nno head\r\n--xYz--", "--xYz\r\nX: y\r\n\r\nz\r\n--xYz--"}) {
    EXPECT_EQ(ParseMultipart(kType, body).error().code(),
              ErrorCode::kInvalidInput)
        << body;
  }
  EXPECT_FALSE(ParseMultipart("multipart/form-data", "--xYz--").ok());
}

TEST(Multipart, RejectsAnEndlessForm) {
  std::string body = "--xYz";
  for (int i = 0; i < 101; ++i) {
    body += "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--xYz";
  }
  EXPECT_THAT(ParseMultipart(kType, body + "--").error().message(),
              HasSubstr("100 parts"));
}

TEST(Multipart, IsRecognizedByItsType) {
  EXPECT_TRUE(IsMultipart("Multipart/Form-Data; boundary=x"));
  EXPECT_FALSE(IsMultipart("application/json"));
  EXPECT_FALSE(IsMultipart(""));
}

TEST(Multipart, KeepsFileNamesInsideTheirFolder) {
  EXPECT_EQ(SafeFileName("../../etc/passwd"), "passwd");
  EXPECT_EQ(SafeFileName("C:\\nets\\my net.onnx"), "my_net.onnx");
  EXPECT_EQ(SafeFileName("..onnx"), "onnx");
  EXPECT_EQ(SafeFileName(".."), "");
  // What is cut off a long name must not leave a leading dot.
  EXPECT_EQ(SafeFileName("a." + std::string(199, 'b')), std::string(199, 'b'));
  EXPECT_EQ(SafeFileName("\xc3\xa4\n;$x.onnx"), "x.onnx");
}

TEST(Multipart, FileNamesKeepLettersDigitsAndThreeSigns) {
  EXPECT_EQ(SafeFileName("azAZ09-_.x"), "azAZ09-_.x");
  EXPECT_EQ(SafeFileName("a`{@[:,;b"), "ab");
}

TEST(Multipart, HasUpTo100Parts) {
  std::string body = "--xYz";
  for (int i = 0; i < 100; ++i) {
    body += "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--xYz";
  }
  auto parts = ParseMultipart(kType, body + "--");
  ASSERT_TRUE(parts.ok()) << parts.error().message();
  EXPECT_EQ(parts->size(), 100u);
}

TEST(Multipart, APartMayHaveAHeaderOf8KiB) {
  const std::string field = "content-disposition: form-data; name=\"a\"";
  auto accepted = [&](size_t head) {
    return ParseMultipart(kType, "--xYz\r\n" + field +
                                     std::string(head - field.size(), ' ') +
                                     "\r\n\r\nb\r\n--xYz--\r\n")
        .ok();
  };
  EXPECT_TRUE(accepted(8192));
  EXPECT_FALSE(accepted(8193));
}

TEST(Multipart, ABoundaryHasUpTo70Characters) {
  auto accepted = [](size_t length) {
    const std::string boundary(length, 'b');
    return ParseMultipart("multipart/form-data; boundary=" + boundary,
                          "--" + boundary + "--")
        .ok();
  };
  EXPECT_FALSE(accepted(0));
  EXPECT_TRUE(accepted(1));
  EXPECT_TRUE(accepted(70));
  EXPECT_FALSE(accepted(71));
}

TEST(Multipart, TheBoundaryMayFollowOtherParameters) {
  EXPECT_TRUE(
      ParseMultipart("multipart/form-data; a=\"x;\\\"y\" ; Boundary=\"b c\"",
                     "--b c--")
          .ok());
  EXPECT_FALSE(
      ParseMultipart("multipart/form-data; x; boundary=b", "--b--").ok());
  EXPECT_FALSE(
      ParseMultipart("multipart/form-data; boundary=\"b\\", "--b--").ok());
}

TEST(Multipart, TheNameIsInItsOwnField) {
  auto parts = ParseMultipart(
      kType,
      "--xYz\r\nX-Other: form-data; name=\"wrong\"\r\nno colon\r\n"
      "Content-Disposition: form-data; name=right\r\n\r\n1\r\n--xYz--");
  ASSERT_TRUE(parts.ok()) << parts.error().message();
  EXPECT_EQ(parts->at(0).name, "right");
}

TEST(Multipart, FileNamesHaveUpTo200Characters) {
  EXPECT_EQ(SafeFileName(std::string(200, 'a')).size(), 200u);
  EXPECT_EQ(SafeFileName(std::string(201, 'a')).size(), 200u);
  EXPECT_EQ(SafeFileName("b" + std::string(200, 'a')), std::string(200, 'a'));
}

TEST(Multipart, IsRecognizedWithBlanksAround) {
  EXPECT_TRUE(IsMultipart(" \tmultipart/form-data\t ;boundary=x"));
  EXPECT_FALSE(IsMultipart("multipart/form-data2"));
}

}  // namespace
}  // namespace mete
