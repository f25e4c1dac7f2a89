#include "control/audit_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::HasSubstr;

AuditEntry Entry() {
  return {.time = FakeClock().Wall() + std::chrono::milliseconds(7),
          .rule = "latency",
          .decision = "act",
          .before = "violating",
          .after = "acted",
          .objective = "< 200 ms",
          .unit = Threshold::Unit::kSeconds,
          .evidence =
              DecisionEvidence{
                  .series = {{.source = "http://a",
                              .labels = {{"__name__", "d"}, {"app", "x"}},
                              .value = 0.312}},
                  .lasted = Seconds(2),
                  .stretch = {.readings = 3, .least = 0.3, .most = 0.4}},
          .action = "limit",
          .target = "process hog",
          .knob = "cpus",
          .to = 0.2,
          .dry_run = false,
          .result = "done"};
}

TEST(AuditEntry, ContainsTheEvidenceForADecision) {
  EXPECT_EQ(
      AuditEntryToJson(Entry()).dump(),
      R"({"time":"2024-05-01T12:30:00.007Z","rule":"latency","decision":"act",)"
      R"("state_before":"violating","state_after":"acted",)"
      R"("objective":"< 200 ms","evidence":{"series":[{"source":"http://a",)"
      R"("labels":{"__name__":"d","app":"x"},"value":0.312,)"
      R"("age_seconds":0.0}],"window":{"seconds":2.0,"readings":3,)"
      R"("least":0.3,"most":0.4}},"action":"limit","target":"process hog",)"
      R"("knob":"cpus","value_before":"none","value_after":0.2,)"
      R"("dry_run":false,"result":"done"})");
}

TEST(AuditEntry, IsOneLineOfText) {
  EXPECT_EQ(
      AuditEntryText(Entry()),
      "latency: act, limit process hog, cpus none -> 0.2 (312 ms, objective "
      "< 200 ms): done");
}

TEST(AuditEntry, KeepsOnlyTheWorstOfManySeries) {
  AuditEntry entry = Entry();
  entry.evidence->series.resize(1000);
  Json json = AuditEntryToJson(entry);
  EXPECT_EQ(json["evidence"]["series"].size(), 10);
  EXPECT_EQ(json["evidence"]["more_series"], 990);
}

TEST(AuditLog, AppendsOneLinePerEntry) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto file = folder.path() / "deep" / "audit.jsonl";
  for (int i = 0; i < 2; ++i) {
    auto log = AuditLog::Open(file);
    ASSERT_TRUE(log.ok()) << log.error().message();
    ASSERT_TRUE(log->Write(Entry()).ok());
  }
  EXPECT_EQ(std::ranges::count(*ReadFile(file), '\n'), 2);
}

TEST(AuditLog, RefusesASecondWriter) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto file = folder.path() / "audit.jsonl";
  auto first = AuditLog::Open(file);
  auto second = AuditLog::Open(file);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().message(), HasSubstr("another controller"));
}

TEST(AuditEntry, TenSeriesAreAll) {
  AuditEntry entry = Entry();
  entry.evidence->series.resize(10);
  Json json = AuditEntryToJson(entry);
  EXPECT_EQ(json["evidence"]["series"].size(), 10);
  EXPECT_FALSE(json["evidence"].contains("more_series"));
}

TEST(AuditEntry, TextHasTheUnitOfItsKnob) {
  AuditEntry entry = Entry();
  entry.evidence.reset();
  entry.knob = "memory";
  entry.from = 1 << 30;
  entry.to = 1 << 29;
  EXPECT_THAT(AuditEntryText(entry), HasSubstr("memory 1.0 GiB -> 512"));
  entry.knob = "paused";
  entry.from = 0;
  entry.to = 1;
  EXPECT_THAT(AuditEntryText(entry), HasSubstr("paused no -> yes"));
}

TEST(AuditEntry, TextOfAStateIsItsChange) {
  AuditEntry entry = Entry();
  entry.action.clear();
  entry.knob.clear();
  entry.result.clear();
  EXPECT_EQ(AuditEntryText(entry),
            "latency: violating -> acted (312 ms, objective < 200 ms)");
  entry.after = entry.before;
  entry.evidence->series.clear();
  EXPECT_EQ(AuditEntryText(entry), "latency: act");
  entry.rule.clear();
  EXPECT_EQ(AuditEntryText(entry), "act");
}

TEST(AuditLog, NamesAFileThatCannotBeOpened) {
  ScratchFolder folder = *ScratchFolder::Create();
  auto log = AuditLog::Open(folder.path());  // a folder
  ASSERT_FALSE(log.ok());
  EXPECT_THAT(log.error().message(),
              HasSubstr("open " + folder.path().string()));
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "file", "").ok());
  EXPECT_FALSE(AuditLog::Open(folder.path() / "file" / "audit").ok());
}

TEST(AuditEntry, AnAbsentPauseIsNo) {
  AuditEntry entry = Entry();
  entry.evidence.reset();
  entry.knob = "paused";
  entry.from = 1;
  entry.to.reset();
  EXPECT_THAT(AuditEntryText(entry), HasSubstr("paused yes -> no"));
}

TEST(AuditLog, ALockThatCannotBeOpenedIsNotAnotherController) {
  ScratchFolder folder = *ScratchFolder::Create();
  const auto file = folder.path() / "audit.jsonl";
  std::filesystem::create_directory(file.string() + ".lock");
  auto log = AuditLog::Open(file);
  ASSERT_FALSE(log.ok());
  EXPECT_THAT(log.error().message(), HasSubstr("audit.jsonl.lock"));
}

TEST(AuditLog, NamesAFolderThatCannotBeMade) {
  ScratchFolder folder = *ScratchFolder::Create();
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "file", "").ok());
  auto log = AuditLog::Open(folder.path() / "file" / "deep" / "audit");
  ASSERT_FALSE(log.ok());
  EXPECT_THAT(log.error().message(), testing::Not(HasSubstr(".lock")));
}

// Others may read nothing, and nobody may run it.
TEST(AuditLog, IsForItsOwnerAndTheGroup) {
  using std::filesystem::perms;
  ScratchFolder folder = *ScratchFolder::Create();
  const auto file = folder.path() / "audit.jsonl";
  const mode_t before = umask(0);
  auto log = AuditLog::Open(file);
  umask(before);
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            perms::owner_read | perms::owner_write | perms::group_read);
  EXPECT_EQ(std::filesystem::status(file.string() + ".lock").permissions(),
            perms::owner_read | perms::owner_write);
}

}  // namespace
}  // namespace mete
