#include "service/prepare_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

// Counts what it writes.
class CountingWriter final : public GraphWriter {
 public:
  Status Write(const NetworkDraft& draft,
               const std::filesystem::path& path) override {
    ++written;
    return WriteFileAtomically(path, draft.graph.name);
  }
  int written = 0;
};

class PrepareNetworkTest : public testing::Test {
 protected:
  Result<NetworkToServe> Prepare(const std::string& given, uint64_t seed = 0) {
    return PrepareNetwork(
        {.given = given, .folder = folder_.path() / "networks", .seed = seed},
        writer_);
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  CountingWriter writer_;
};

TEST_F(PrepareNetworkTest, WritesAnApplicationOnlyOnce) {
  auto first = Prepare("text-tbert-small");
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_EQ(first->name, "text-tbert-small");
  EXPECT_EQ(ReadFile(first->path).value(), "text-tbert-small");
  EXPECT_EQ(Prepare("text-tbert-small")->path, first->path);
  EXPECT_EQ(writer_.written, 1);
}

TEST_F(PrepareNetworkTest, WritesAnotherFileForAnotherSeed) {
  EXPECT_NE(Prepare("mlp", 1)->path, Prepare("mlp", 2)->path);
  EXPECT_EQ(writer_.written, 2);
}

TEST_F(PrepareNetworkTest, TakesTheNameOfAFileFromItsPath) {
  const std::filesystem::path file = folder_.path() / "mine.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  EXPECT_EQ(Prepare(file.string())->name, "mine");
  EXPECT_EQ(Prepare(file.string())->path, file);
  EXPECT_EQ(writer_.written, 0);
}

TEST_F(PrepareNetworkTest, SuggestsTheNearestNameForAnUnknownOne) {
  auto unknown = Prepare("tclf-fr");
  EXPECT_EQ(unknown.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(unknown.error().message(),
            "unknown network 'tclf-fr'; did you mean 'tclf-rf'?");
}

TEST_F(PrepareNetworkTest, SaysWhereNamesAreListedIfNoneIsNear) {
  EXPECT_EQ(Prepare("something-else").error().message(),
            "unknown network 'something-else'; expected one of mete zoo list, "
            "or an ONNX file");
}

TEST_F(PrepareNetworkTest, ReportsAFileThatIsMissing) {
  EXPECT_EQ(Prepare("/nonexistent/net.onnx").error().code(),
            ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
