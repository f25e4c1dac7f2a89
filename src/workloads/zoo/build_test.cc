#include "zoo/build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"

namespace mete {
namespace {

using testing::ElementsAre;

// Writes the name of a network to its file and remembers it.
class NoteWriter : public GraphWriter {
 public:
  Status Write(const NetworkDraft& draft,
               const std::filesystem::path& path) override {
    if (draft.graph.name == refused) return Unavailable("disk full");
    names.push_back(draft.graph.name);
    seeds.push_back(draft.seed);
    return WriteFileAtomically(path, draft.graph.name);
  }

  std::string refused;
  std::vector<std::string> names;
  std::vector<uint64_t> seeds;
};

class Build : public testing::Test {
 protected:
  ScratchFolder scratch_ = *ScratchFolder::Create();
  std::filesystem::path folder_ = scratch_.path() / "new" / "zoo";
  NoteWriter writer_;
};

TEST_F(Build, CreatesTheFolderAndReportsWhatItWrote) {
  auto built = BuildZoo({.folder = folder_, .names = {"lenet5"}, .seed = 9},
                        writer_, {}, {});
  ASSERT_TRUE(built.ok()) << built.error().message();
  ASSERT_EQ(built->size(), 1u);
  EXPECT_EQ(built->front().name, "lenet5");
  EXPECT_EQ(built->front().path, folder_ / "lenet5.onnx");
  EXPECT_EQ(built->front().bytes, Bytes{6});
  EXPECT_EQ(built->front().parameters, 61'706u);
  EXPECT_EQ(*ReadFile(folder_ / "lenet5.onnx"), "lenet5");
  EXPECT_THAT(writer_.seeds, ElementsAre(9));
}

TEST_F(Build, WritesTheWholeZooWithoutNames) {
  auto built = BuildZoo({.folder = folder_}, writer_, {}, {});
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(built->size(), 37u);
}

TEST_F(Build, FailsOnAnUnknownNameBeforeWritingAnything) {
  auto built = BuildZoo({.folder = folder_, .names = {"lenet5", "resnet81"}},
                        writer_, {}, {});
  EXPECT_EQ(built.error().code(), ErrorCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(Build, StopsBetweenTwoNetworksOnRequest) {
  std::stop_source stop;
  auto built = BuildZoo(
      {.folder = folder_, .names = {"gru", "lstm", "mlp"}}, writer_,
      [&](const BuildProgress& progress) {
        if (progress.done == 2) stop.request_stop();
      },
      stop.get_token());
  EXPECT_EQ(built.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(built.error().message(), "write networks: stopped after 2 of 3");
  EXPECT_THAT(writer_.names, ElementsAre("gru", "lstm"));
}

TEST_F(Build, ReportsProgressAfterEachNetwork) {
  std::vector<std::string> seen;
  auto built = BuildZoo({.folder = folder_, .names = {"gru", "mlp"}}, writer_,
                        [&](const BuildProgress& progress) {
                          seen.push_back(progress.last.name + " " +
                                         std::to_string(progress.done) + "/" +
                                         std::to_string(progress.total));
                        },
                        {});
  ASSERT_TRUE(built.ok());
  EXPECT_THAT(seen, ElementsAre("gru 1/2", "mlp 2/2"));
}

TEST_F(Build, ReportsTheReasonOfAFailedWrite) {
  writer_.refused = "mlp";
  auto built = BuildZoo({.folder = folder_, .names = {"gru", "mlp", "lstm"}},
                        writer_, {}, {});
  EXPECT_EQ(built.error().message(), "disk full");
  EXPECT_THAT(writer_.names, ElementsAre("gru"));
}

TEST_F(Build, NamesAFolderThatIsAFile) {
  ASSERT_TRUE(WriteFileAtomically(scratch_.path() / "taken", "x").ok());
  auto built = BuildZoo({.folder = scratch_.path() / "taken"}, writer_, {}, {});
  EXPECT_EQ(
      built.error().message(),
      "create " + (scratch_.path() / "taken").string() + ": not a directory");
}

TEST_F(Build, WritesTheRequestedNumberOfSamples) {
  auto built =
      BuildSamples({.folder = folder_, .count = 3, .seed = 1}, writer_, {}, {});
  ASSERT_TRUE(built.ok());
  EXPECT_THAT(writer_.names,
              ElementsAre("sample-0000-plain", "sample-0001-basic",
                          "sample-0002-bottleneck"));
}

}  // namespace
}  // namespace mete
