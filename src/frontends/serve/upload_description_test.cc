#include "serve/upload_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/any_graph_reader.h"

namespace mete {
namespace {

using testing::HasSubstr;

class UploadDescriptionTest : public testing::Test {
 protected:
  // Describes with a shell script in place of mete.
  Result<UploadDescription> DescribeWith(const std::string& script) {
    const auto program = folder_.path() / "program";
    EXPECT_TRUE(
        WriteFileAtomically(program, "#!/bin/sh\n" + script + "\n").ok());
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return DescribeInProcess(
        folder_.path() / "net.onnx",
        {.name = "net", .batch = 2, .shapes = {{"x", {1, 3}}}},
        {.program = program, .patience = std::chrono::seconds(20)});
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
};

// What the reader of this test finds in every file.
std::string AnswerOfTheProcess(const std::filesystem::path& file) {
  AnyGraphReader reader;
  return DescribeForParent(file, {.name = "net"}, reader);
}

TEST_F(UploadDescriptionTest, TheAnswerOfTheProcessIsTheDescription) {
  AnyGraphReader reader;
  auto here = DescribeUploadedFile("net.onnx", {.name = "net"}, reader, {});
  ASSERT_TRUE(here.ok()) << here.error().message();
  ASSERT_TRUE(
      WriteFileAtomically(folder_.path() / "answer", AnswerOfTheProcess("n"))
          .ok());
  auto there = DescribeWith("cat " + (folder_.path() / "answer").string());
  ASSERT_TRUE(there.ok()) << there.error().message();
  EXPECT_EQ(there->counts.conv_layers, here->counts.conv_layers);
  EXPECT_EQ(there->model_input_size, here->model_input_size);
  EXPECT_EQ(there->notes, here->notes);
  EXPECT_EQ(there->traits.has_value(), here->traits.has_value());
}

TEST_F(UploadDescriptionTest, TheProcessGetsTheRequest) {
  const auto words = folder_.path() / "words";
  static_cast<void>(DescribeWith("echo \"$*\" > " + words.string()).ok());
  EXPECT_EQ(*ReadFile(words), "bench describe " +
                                  (folder_.path() / "net.onnx").string() +
                                  " --name=net --batch=2 --memory=2147483648 "
                                  "--cpu=30s --shape=x=1x3\n");
}

TEST_F(UploadDescriptionTest, AFileThatIsNoNetworkIsCorrupt) {
  auto described = DescribeWith(R"(echo '{"error": "not an ONNX file"}')");
  ASSERT_FALSE(described.ok());
  EXPECT_EQ(described.error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(described.error().message(), "not an ONNX file");
}

TEST_F(UploadDescriptionTest, AProcessOutOfMemoryOrTimeIsReportedAsSuch) {
  for (const char* death :
       {R"(echo '{"out_of_memory": true}')", "kill -KILL $$"}) {
    auto described = DescribeWith(death);
    ASSERT_FALSE(described.ok());
    EXPECT_EQ(described.error().code(), ErrorCode::kUnsupported);
    EXPECT_THAT(described.error().message(), HasSubstr("2.0 GiB of memory"));
  }
  auto described = DescribeWith("kill -XCPU $$");
  ASSERT_FALSE(described.ok());
  EXPECT_EQ(described.error().code(), ErrorCode::kTimeout);
}

TEST_F(UploadDescriptionTest, NothingInTheAnswerIsTakenForGranted) {
  for (const char* answer :
       {"true", "echo", "echo '[]'", "echo '{}'", "echo '{\"notes\": 7}'",
        "echo '{\"error\": 7}'", "kill -SEGV $$", "exit 3",
        "echo '{\"conv_layers\": -1}'"}) {
    auto described = DescribeWith(answer);
    ASSERT_FALSE(described.ok()) << answer;
    EXPECT_EQ(described.error().code(), ErrorCode::kCorrupt) << answer;
  }
}

TEST_F(UploadDescriptionTest, AProgramThatIsGoneMakesItUnavailable) {
  auto described = DescribeInProcess("net.onnx", {.name = "net"},
                                     {.program = "/no/such/program"});
  ASSERT_FALSE(described.ok());
  EXPECT_EQ(described.error().code(), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace mete
