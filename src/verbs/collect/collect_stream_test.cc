#include "collect/collect_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/collected.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

Run StreamedRun(const std::string& id) {
  Run run;
  run.id = id;
  run.device_id = "d1";
  run.workload = {.kind = WorkloadKind::kNetwork,
                  .name = "net",
                  .source = "zoo:net seed 0",
                  .sha256 = "aa"};
  run.load = BackgroundLoad{.asked = 0.2, .measured = 0.2};
  run.outcome = {OutcomeKind::kCompleted, ""};
  NetworkDetails details;
  details.samples = {0.5, 0.25};
  run.details = details;
  return run;
}

struct CollectStream : testing::Test {
  MemoryRunStore store;
  std::vector<std::string> lines;
  WriteLine write = [this](const std::string& line) { lines.push_back(line); };
  StreamingStore streaming{store, write};
};

TEST_F(CollectStream, ARunComesAfterItsDeviceAndWithItsSamples) {
  // Of an earlier process, which has written the device to another stream.
  ASSERT_TRUE(store.SaveDevice({.id = "d1", .name = "here"}).ok());
  ASSERT_TRUE(streaming.SaveRun(StreamedRun("r1")).ok());
  ASSERT_TRUE(streaming.SaveRun(StreamedRun("r2")).ok());
  ASSERT_THAT(lines,
              ElementsAre(StartsWith("{\"device\""), StartsWith("{\"run\""),
                          StartsWith("{\"run\"")));
  auto record = ReadStreamed(lines[1]);
  ASSERT_TRUE(record.ok()) << record.error().message();
  const mete::Run& read =
      std::get<mete::Run>(std::get<ExportedRecord>(*record));
  EXPECT_EQ(read.id, "r1");
  EXPECT_THAT(read.network()->samples, ElementsAre(0.5, 0.25));
}

TEST_F(CollectStream, WhatIsNotStoredIsNotStreamed) {
  EXPECT_FALSE(streaming.SaveRun(StreamedRun("r1")).ok());  // no such device
  EXPECT_THAT(lines, SizeIs(0));
}

TEST_F(CollectStream, ReadsItsOwnProgressAndSummary) {
  auto progress = ReadStreamed(ProgressLine({.done = 3,
                                             .total = 10,
                                             .network = "net",
                                             .device = "pod",
                                             .left = Seconds(1)}));
  ASSERT_TRUE(progress.ok());
  EXPECT_EQ(std::get<CollectProgress>(*progress).total, 10u);
  auto summary = ReadStreamed(SummaryLine({.total = 5,
                                           .found = 1,
                                           .measured = 3,
                                           .failed = 1,
                                           .notes = {"a note"},
                                           .interrupted = true}));
  ASSERT_TRUE(summary.ok());
  const CollectSummary& read = std::get<CollectSummary>(*summary);
  EXPECT_EQ(read.measured, 3u);
  EXPECT_THAT(read.notes, ElementsAre("a note"));
  EXPECT_TRUE(read.interrupted);
}

TEST_F(CollectStream, AMessageIsNoRecord) {
  EXPECT_FALSE(ReadStreamed("mete: no engine").ok());
  EXPECT_FALSE(ReadStreamed("{\"progress\":7}").ok());
  EXPECT_FALSE(ReadStreamed("{\"collected\":{}}").ok());
  EXPECT_FALSE(ReadStreamed("[1]").ok());
}

TEST_F(CollectStream, SkippedRunsAreNamedByWhatOtherMachinesKnow) {
  mete::Run file = StreamedRun("r3");
  file.workload.source = "/home/a/net.onnx";
  file.outcome = {OutcomeKind::kOutOfMemory, ""};
  mete::Run crashed = StreamedRun("r4");
  crashed.workload.source = "zoo:other seed 0";
  crashed.outcome = {OutcomeKind::kCrashed, ""};
  auto texts =
      SkippedTexts({StreamedRun("r1"), StreamedRun("r2"), file, crashed}, 1);
  EXPECT_THAT(texts, ElementsAre("aa@all", "zoo:net seed 0@20,20"));
  EXPECT_THAT(ParseSkipped(texts[0]).value(),
              ElementsAre(SkippedRun{"aa", std::nullopt}));
  EXPECT_THAT(ParseSkipped(texts[1]).value(),
              ElementsAre(SkippedRun{"zoo:net seed 0", 0.2},
                          SkippedRun{"zoo:net seed 0", 0.2}));
  EXPECT_TRUE(SkippedTexts({StreamedRun("r1")}, 8).empty());
  EXPECT_THAT(ParseSkipped("net").error().message(), HasSubstr("'net'"));
  EXPECT_FALSE(ParseSkipped("net@much").ok());
}

}  // namespace
}  // namespace mete
