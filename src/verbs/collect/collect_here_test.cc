#include "collect/collect_here.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "support/gzip.h"
#include "tests/fakes/fake_collecting.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class CollectHereTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFileAtomically(folder.path() / "a.onnx", "a").ok());
    request.networks = folder.path();
    request.how.loads = {0};
  }

  Result<CollectSummary> Go() {
    return CollectHere(
        request, platform.Get(),
        {.on_progress = {},
         .on_step = [this](const std::string& step) { steps.push_back(step); },
         .on_engine =
             [this](const EngineVersion& engine) {
               engines.push_back(engine.name);
             },
         .on_note = [this](const std::string& note) { notes.push_back(note); }},
        stop.get_token());
  }

  FakeCollecting platform;
  CollectHereRequest request;
  std::vector<std::string> steps, engines, notes;
  std::stop_source stop;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(CollectHereTest, MeasuresTheNetworksOfAFolderOnThisMachine) {
  platform.script.latency = [](const std::string& network) {
    return network == "micro-chain" ? 0.0002 : 0.01;
  };
  auto summary = Go();
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  EXPECT_EQ(summary->measured, 1u);
  auto runs = platform.store.ListRuns({}).value();
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].device_name, "fake");
  EXPECT_THAT(engines, ElementsAre("fake"));
  EXPECT_EQ(steps.front(), "inspecting this machine …");
  // Predictors identify a device by its micro-measurements.
  EXPECT_TRUE(platform.store.FindDevice("fake")->micro.has_value());
}

TEST_F(CollectHereTest, MeasuresOnlyTheNamedDevices) {
  platform.AddDevice("half");
  request.devices = "half";
  auto summary = Go();
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  auto runs = platform.store.ListRuns({}).value();
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].device_id, "id-half");
}

TEST_F(CollectHereTest, ChangesNothingWithoutAnEngine) {
  platform.no_engine = Unavailable("there is no ONNX Runtime");
  EXPECT_EQ(Go().error().message(), "there is no ONNX Runtime");
  EXPECT_THAT(platform.store.ListDevices().value(), IsEmpty());
}

TEST_F(CollectHereTest, NamesTheFlagOfAMissingFolder) {
  request.how.pictures = folder.path() / "nowhere";
  EXPECT_THAT(Go().error().message(), StartsWith("--image-path: "));
}

TEST_F(CollectHereTest, ForwardsTheNotes) {
  platform.AddDevice("half");
  request.devices = "half";
  request.networks = "sample:1";
  platform.script.latency = [](const std::string&) { return std::nullopt; };
  ASSERT_TRUE(Go().ok());
  EXPECT_THAT(notes, IsEmpty());  // failing is a finding, not a note
  std::filesystem::remove(folder.path() / "a.onnx");
  std::filesystem::create_symlink("nowhere", folder.path() / "b.onnx");
  request.networks = folder.path();
  auto summary = Go();
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  EXPECT_THAT(notes, ElementsAre(StartsWith("b is skipped: ")));
}

TEST_F(CollectHereTest, CollectWholeFailsWhenStopped) {
  CollectRequest how{.devices = {platform.AddDevice("half")}, .loads = {0}};
  how.networks = FindNetworks(folder.path(), 0).value();
  stop.request_stop();
  Status status = CollectWhole(how, platform.Get(), {}, stop.get_token());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kInterrupted);
}

TEST_F(CollectHereTest, ExportsTheStoredRowsAndCompressesThem) {
  platform.AddDevice("half");
  request.devices = "half";
  ASSERT_TRUE(Go().ok());
  std::filesystem::path table = folder.path() / "t.csv.gz";
  std::filesystem::path legacy = folder.path() / "l.csv";
  auto exported =
      ExportTables({.table = table, .legacy_csv = legacy}, platform.store);
  ASSERT_TRUE(exported.ok()) << exported.error().message();
  EXPECT_EQ(exported->rows, 1u);
  EXPECT_THAT(Gunzip(ReadFile(table).value()).value(), HasSubstr("half"));
  EXPECT_THAT(ReadFile(legacy).value(), HasSubstr("half"));
}

}  // namespace
}  // namespace mete
