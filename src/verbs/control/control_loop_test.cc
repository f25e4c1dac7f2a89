#include "control/control_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_control.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// One rule on the series "load", below 10, clear at 9, acting at once.
class ControlLoopTest : public testing::Test {
 protected:
  ControlLoopTest() {
    rules_.rules = {{.name = "r",
                     .series = "load",
                     .objective = {.bound = {.value = 10}, .clear = 9},
                     .violated_for = Seconds(0),
                     .clear_for = Seconds(3),
                     .cool_down = Seconds(2),
                     .actions = {LimitAction{.target = kFakeHog, .to = 0.2}}}};
    sources_.push_back(std::make_unique<FakeSeries>("one"));
    actuator_.knobs[kFakeHogCpus] = std::nullopt;
  }

  FakeSeries& series() { return static_cast<FakeSeries&>(*sources_[0]); }
  void Start(ControlMode mode = {.dry_run = false}) {
    mode.state_file = folder_.path() / "state";
    loop_ = std::make_unique<ControlLoop>(
        rules_, mode,
        ControlDependencies{
            .sources = sources_,
            .actuator = actuator_,
            .notifier = notifier_,
            .clock = clock_,
            .record = [this](const AuditEntry& entry) -> Status {
              entries_.push_back(entry);
              return record_;
            }});
  }
  // A second passes, then a round with this value.
  void Round(double value) {
    series().Set("load", value);
    Round();
  }
  void Round() {
    if (!loop_) Start();
    clock_.Advance(std::chrono::seconds(1));
    EXPECT_TRUE(loop_->Round({}).ok());
  }
  std::optional<double> Quota() { return actuator_.knobs[kFakeHogCpus]; }
  // The entries since the last call, as text.
  std::vector<std::string> Reported() {
    std::vector<std::string> reported;
    for (const AuditEntry& entry : entries_) {
      reported.push_back(AuditEntryText(entry));
    }
    entries_.clear();
    return reported;
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  FakeClock clock_;
  SloRules rules_;
  SeriesSources sources_;
  FakeActuator actuator_;
  FakeNotifier notifier_;
  std::vector<AuditEntry> entries_;
  Status record_;
  std::unique_ptr<ControlLoop> loop_;
};

TEST_F(ControlLoopTest, ActsAndRestoresAndRecordsEveryDecision) {
  Round(5);
  EXPECT_THAT(Reported(), IsEmpty());
  Round(20);
  EXPECT_EQ(Quota(), 0.2);
  EXPECT_THAT(Reported(),
              ElementsAre("r: within -> violating (20, objective < 10)",
                          "r: act, limit process hog, cpus none -> 0.2 (20, "
                          "objective < 10): done"));
  Round(5);
  EXPECT_THAT(Reported(),
              ElementsAre("r: acted -> recovering (5, objective < 10)"));
  Round(5);
  Round(5);
  EXPECT_EQ(Quota(), 0.2);
  Round(5);
  EXPECT_EQ(Quota(), std::nullopt);
  EXPECT_THAT(Reported(),
              ElementsAre("r: give back, limit process hog, cpus 0.2 -> none "
                          "(5, objective < 10): done",
                          "r: recovering -> within (5, objective < 10)"));
}

TEST_F(ControlLoopTest, RecordsTheEvidenceWithTheDecision) {
  Round(20);
  const AuditEntry& act = entries_.at(1);
  ASSERT_TRUE(act.evidence);
  EXPECT_EQ(act.evidence->series.at(0).value, 20);
  EXPECT_EQ(act.evidence->series.at(0).source, "one");
  EXPECT_EQ(act.evidence->stretch.readings, 1);
  EXPECT_EQ(act.before, "violating");
  EXPECT_EQ(act.after, "acted");
}

TEST_F(ControlLoopTest, DryRunReportsWhatItWouldDo) {
  Start({.dry_run = true});
  Round(20);
  EXPECT_THAT(Reported(),
              Contains(HasSubstr("none -> 0.2 (20, objective < 10): "
                                 "would")));
  EXPECT_THAT(actuator_.calls, IsEmpty());
}

TEST_F(ControlLoopTest, RetriesRestoringAndReportsOnlyNews) {
  Round(20);
  actuator_.refusal = Unavailable("engine is gone");
  for (int i = 0; i < 4; ++i) Round(5);
  EXPECT_EQ(Quota(), 0.2);
  EXPECT_THAT(Reported(), Contains(HasSubstr("failed")));
  for (int i = 0; i < 30; ++i) Round(5);
  EXPECT_THAT(Reported(), IsEmpty());
  actuator_.refusal = Unavailable("engine is busy");
  for (int i = 0; i < 30; ++i) Round(5);
  EXPECT_THAT(Reported(), ElementsAre(HasSubstr("engine is busy")));
  actuator_.refusal.reset();
  for (int i = 0; i < 10; ++i) Round(5);
  EXPECT_EQ(Quota(), std::nullopt);
  EXPECT_THAT(Reported(), ElementsAre(HasSubstr("give back")));
}

TEST_F(ControlLoopTest, ResolvesProcessesBeforeTheirPidsAreReused) {
  Start();
  ASSERT_TRUE(loop_->Recover().ok());
  EXPECT_THAT(actuator_.sought, ElementsAre("process hog"));
}

TEST_F(ControlLoopTest, LowersTheLimitFurtherWhileThatIsNotEnough) {
  rules_.rules[0].actions = {
      LimitAction{.target = kFakeHog, .to = 0.4, .step = 0.5, .at_least = 0.1}};
  Round(20);
  EXPECT_EQ(Quota(), 0.4);
  Round(20);
  EXPECT_EQ(Quota(), 0.4);  // cooling down
  Round(20);
  EXPECT_EQ(Quota(), 0.2);
  for (int i = 0; i < 4; ++i) Round(20);
  EXPECT_EQ(Quota(), 0.1);
  Reported();
  for (int i = 0; i < 4; ++i) Round(20);
  EXPECT_THAT(Reported(), IsEmpty());
}

TEST_F(ControlLoopTest, HoldsAfterTooManyActions) {
  rules_.acts_per_minute = 1;
  rules_.rules[0].actions = {
      LimitAction{.target = kFakeHog, .to = 0.4, .step = 0.5, .at_least = 0.1}};
  Round(20);
  Reported();
  for (int i = 0; i < 5; ++i) Round(20);
  EXPECT_THAT(Reported(), ElementsAre("r: hold (20, objective < 10): the limit "
                                      "acts_per_minute: 1 is reached"));
  EXPECT_EQ(Quota(), 0.4);
  clock_.Advance(std::chrono::minutes(1));
  Round(20);
  EXPECT_EQ(Quota(), 0.2);
}

TEST_F(ControlLoopTest, ReportsASilentSourceAndItsReturnOnce) {
  Round(5);
  series().silence = "connection refused";
  Round();
  Round();
  EXPECT_THAT(Reported(),
              ElementsAre("source: one does not answer: connection refused"));
  series().silence.clear();
  Round(5);
  EXPECT_THAT(Reported(), ElementsAre("source: one answers again"));
}

TEST_F(ControlLoopTest, ReportsMissingSeriesAndTheirReturnOnce) {
  Round();
  Round();
  EXPECT_THAT(Reported(), ElementsAre("r: missing: no such series"));
  Round(5);
  EXPECT_THAT(Reported(),
              ElementsAre("r: missing: its series are available again"));
}

TEST_F(ControlLoopTest, KeepsChangesWhileASourceIsSilent) {
  Round(20);
  series().silence = "connection refused";
  for (int i = 0; i < 10; ++i) Round();
  EXPECT_EQ(Quota(), 0.2);
}

TEST_F(ControlLoopTest, SendsItsDecisionsToWebhooks) {
  rules_.rules[0].actions = {
      WebhookAction{.url = "http://hook"},
      ReplaceAction{.url = "http://placer", .app = "detector"}};
  Round(20);
  ASSERT_THAT(notifier_.sent, SizeIs(2));
  EXPECT_EQ(notifier_.sent[0].url, "http://hook");
  EXPECT_EQ(notifier_.sent[0].body["rule"], "r");
  EXPECT_EQ(notifier_.sent[1].body["replace"], "detector");
  EXPECT_EQ(notifier_.sent[1].body["evidence"]["series"][0]["value"], 20);
  notifier_.ended = {{.url = "http://hook",
                      .about = "r",
                      .status = Unavailable("nobody there")}};
  Reported();
  Round(20);
  EXPECT_THAT(Reported(),
              ElementsAre("r: delivery: failed: http://hook: nobody there"));
  for (int i = 0; i < 4; ++i) Round(5);
  EXPECT_THAT(notifier_.sent, SizeIs(3));
  EXPECT_EQ(notifier_.sent[2].body["decision"], "give back");
}

TEST_F(ControlLoopTest, TheAuditLogShowsNoPasswords) {
  const std::string url = "http://me:hush@hook/a?key=hush";
  rules_.rules[0].actions = {WebhookAction{.url = url}};
  Round(20);
  notifier_.ended = {{.url = url, .about = "r", .status = {}}};
  Round(20);
  const auto lines = Reported();
  EXPECT_THAT(lines, Contains(HasSubstr("http://hook/a")));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("hush"))));
  EXPECT_EQ(notifier_.sent.at(0).url, url) << "the notice itself needs it";
}

TEST_F(ControlLoopTest, DryRunSendsNothing) {
  rules_.rules[0].actions = {WebhookAction{.url = "http://hook"}};
  Start({.dry_run = true});
  Round(20);
  EXPECT_THAT(notifier_.sent, IsEmpty());
  EXPECT_THAT(Reported(), Contains(HasSubstr("act, webhook")));
}

TEST_F(ControlLoopTest, RestoresAtTheEnd) {
  Round(20);
  ASSERT_TRUE(loop_->End().ok());
  EXPECT_EQ(Quota(), std::nullopt);
  EXPECT_EQ(entries_.back().decision, "end");
}

TEST_F(ControlLoopTest, KeepsChangesOnRequest) {
  Start({.dry_run = false, .keep = true});
  Round(20);
  ASSERT_TRUE(loop_->End().ok());
  EXPECT_EQ(Quota(), 0.2);
}

TEST_F(ControlLoopTest, RestoresWhatAKilledControllerLeft) {
  Round(20);
  Start();
  ASSERT_TRUE(loop_->Recover().ok());
  EXPECT_EQ(Quota(), std::nullopt);
  EXPECT_EQ(entries_.back().decision, "recover");
}

TEST_F(ControlLoopTest, DryRunOnlyReportsWhatAKilledControllerLeft) {
  Round(20);
  Start({.dry_run = true});
  ASSERT_TRUE(loop_->Recover().ok());
  EXPECT_EQ(Quota(), 0.2);
  EXPECT_EQ(entries_.back().decision, "leftover");
}

TEST_F(ControlLoopTest, RetriesAMissingTargetAfterTheCoolDown) {
  actuator_.knobs.clear();
  Round(20);
  EXPECT_THAT(Reported(), Contains(HasSubstr("failed: no process hog")));
  actuator_.knobs[kFakeHogCpus] = std::nullopt;
  Round(20);
  EXPECT_EQ(Quota(), std::nullopt);
  Round(20);
  EXPECT_EQ(Quota(), 0.2);
}

TEST_F(ControlLoopTest, LimitsARestartedTargetAgain) {
  Round(20);
  Round(20);
  actuator_.life = 2;
  actuator_.knobs[kFakeHogCpus] = std::nullopt;
  Round(20);
  EXPECT_EQ(Quota(), 0.2);
  ASSERT_TRUE(loop_->End().ok());
  EXPECT_EQ(Quota(), std::nullopt);
}

TEST_F(ControlLoopTest, EndsWhenDecisionsCannotBeRecorded) {
  Start();
  series().Set("load", 20);
  record_ = Unavailable("disk full");
  std::stop_source stop;
  EXPECT_FALSE(loop_->Run(stop.get_token()).ok());
  EXPECT_EQ(Quota(), std::nullopt);
}

TEST_F(ControlLoopTest, RunsUntilItIsStopped) {
  rules_.every = Seconds(1);
  Start();
  series().Set("load", 20);
  std::stop_source stop;
  int rounds = 0;
  loop_.reset();
  ControlLoop loop(rules_,
                   {.dry_run = false, .state_file = folder_.path() / "s"},
                   {.sources = sources_,
                    .actuator = actuator_,
                    .notifier = notifier_,
                    .clock = clock_,
                    .record = [&](const AuditEntry&) -> Status {
                      if (++rounds == 2) stop.request_stop();
                      return {};
                    }});
  EXPECT_TRUE(loop.Run(stop.get_token()).ok());
  EXPECT_EQ(Quota(), std::nullopt);
}

// Nothing is done without a record: whichever entry cannot be recorded, the
// round that wrote it fails, even if the next one could be recorded.
TEST_F(ControlLoopTest, EveryEntryThatCannotBeRecordedEndsItsRound) {
  rules_.rules[0].actions = {LimitAction{.target = kFakeHog, .to = 0.2},
                             WebhookAction{.url = "http://hook"}, LogAction{}};
  // Returns whether a round failed, and how many entries there were before.
  auto rounds = [&](size_t failing) {
    entries_.clear();
    actuator_.knobs[kFakeHogCpus] = std::nullopt;
    ControlLoop loop(rules_,
                     {.dry_run = false, .state_file = folder_.path() / "s"},
                     {.sources = sources_,
                      .actuator = actuator_,
                      .notifier = notifier_,
                      .clock = clock_,
                      .record = [&](const AuditEntry& entry) -> Status {
                        entries_.push_back(entry);
                        if (entries_.size() != failing + 1) return {};
                        return Unavailable("disk full");
                      }});
    bool failed = false;
    auto round = [&](double value) {
      clock_.Advance(std::chrono::seconds(1));
      series().Set("load", value);
      failed = failed || !loop.Round({}).ok();
    };
    round(5);
    round(20);
    for (int i = 0; i < 5; ++i) round(5);
    series().silence = "connection refused";
    round(5);
    series().silence.clear();
    round(5);
    notifier_.ended = {{.url = "http://hook", .about = "r", .status = {}}};
    round(5);
    EXPECT_TRUE(loop.End().ok() || failed);
    return failed;
  };
  ASSERT_FALSE(rounds(1000));
  const size_t entries = entries_.size();
  ASSERT_GE(entries, 11u);
  for (size_t failing = 0; failing < entries; ++failing) {
    EXPECT_TRUE(rounds(failing)) << "entry " << failing;
  }
}

TEST_F(ControlLoopTest, TriesToRestoreLeftoversEveryTenSeconds) {
  Round(20);
  actuator_.refusal = Unavailable("engine is gone");
  for (int i = 0; i < 20; ++i) Round(5);
  actuator_.refusal.reset();
  int rounds = 0;
  while (Quota() && rounds < 30) {
    Round(5);
    ++rounds;
  }
  EXPECT_LE(rounds, 10);
}

TEST_F(ControlLoopTest, CountsWhatAKilledControllerLeft) {
  rules_.rules[0].actions = {
      LimitAction{.target = kFakeHog, .to = 0.2},
      LimitAction{.target = kFakeHog, .knob = ControlKnob::kMemory, .to = 1e9}};
  actuator_.knobs[{"process hog", ControlKnob::kMemory}] = std::nullopt;
  Round(20);
  Start({.dry_run = true});
  Reported();
  ASSERT_TRUE(loop_->Recover().ok());
  EXPECT_THAT(Reported(), ElementsAre(HasSubstr("left 2 changes;")));
}

TEST_F(ControlLoopTest, RecoveryFailsWhenItCannotBeRecordedOrRead) {
  Round(20);
  Start();
  record_ = Unavailable("disk full");
  EXPECT_FALSE(loop_->Recover().ok());
  record_ = {};
  ASSERT_TRUE(WriteFileAtomically(folder_.path() / "state", "{").ok());
  Start();
  EXPECT_FALSE(loop_->Recover().ok());
}

TEST_F(ControlLoopTest, LooksForProcessesOnly) {
  rules_.rules[0].actions = {
      LimitAction{
          .target = {.kind = ControlTarget::Kind::kContainer, .name = "box"},
          .to = 0.2},
      LogAction{}, PauseAction{.target = kFakeHog}};
  Start();
  ASSERT_TRUE(loop_->Recover().ok());
  EXPECT_THAT(actuator_.sought, ElementsAre("process hog"));
}

TEST_F(ControlLoopTest, PausesAndReportsIt) {
  rules_.rules[0].actions = {PauseAction{.target = kFakeHog}};
  actuator_.knobs[{"process hog", ControlKnob::kPause}] = 0;
  Round(20);
  EXPECT_THAT(Reported(),
              Contains(HasSubstr("pause process hog, paused no -> "
                                 "yes (20, objective < 10): done")));
  EXPECT_EQ((actuator_.knobs[{"process hog", ControlKnob::kPause}]), 1);
}

TEST_F(ControlLoopTest, ReplacesOnceButNotifiesAgain) {
  rules_.rules[0].actions = {
      LimitAction{.target = kFakeHog, .to = 0.4, .step = 0.5, .at_least = 0.1},
      WebhookAction{.url = "http://hook"},
      ReplaceAction{.url = "http://placer", .app = "detector"}};
  Round(20);
  Round(20);
  Round(20);
  EXPECT_EQ(Quota(), 0.2);
  ASSERT_THAT(notifier_.sent, SizeIs(3));
  EXPECT_EQ(notifier_.sent[2].url, "http://hook");
}

TEST_F(ControlLoopTest, AnIntervalCountsFromTheStartOfARound) {
  rules_.every = Seconds(5);
  Start();
  series().Set("load", 5);
  std::stop_source stop;
  const auto before = clock_.Now();
  ControlLoop loop(rules_,
                   {.dry_run = false, .state_file = folder_.path() / "s"},
                   {.sources = sources_,
                    .actuator = actuator_,
                    .notifier = notifier_,
                    .clock = clock_,
                    .record = [&](const AuditEntry&) -> Status {
                      clock_.Advance(std::chrono::seconds(2));
                      return {};
                    }});
  series().silence = "gone";  // an entry in the first round
  std::jthread ending([&] {
    while (clock_.Now() - before < std::chrono::seconds(20)) {
      std::this_thread::yield();
    }
    stop.request_stop();
  });
  EXPECT_TRUE(loop.Run(stop.get_token()).ok());
  // Two of the five seconds of the first round went into recording.
  EXPECT_EQ((clock_.Now() - before) % std::chrono::seconds(5),
            std::chrono::seconds(0));
}

TEST_F(ControlLoopTest, ARoundThatIsStoppedDecidesNothing) {
  Start();
  series().Set("load", 20);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(loop_->Round(stop.get_token()).ok());
  EXPECT_EQ(Quota(), std::nullopt);
  EXPECT_THAT(Reported(), IsEmpty());
}

TEST_F(ControlLoopTest, DryRunReportsNothingIfNothingWasLeft) {
  Start({.dry_run = true});
  ASSERT_TRUE(loop_->Recover().ok());
  EXPECT_THAT(Reported(), IsEmpty());
}

TEST_F(ControlLoopTest, OneChangeThatWasLeftIsSingular) {
  Round(20);
  Start({.dry_run = true});
  Reported();
  ASSERT_TRUE(loop_->Recover().ok());
  EXPECT_THAT(Reported(), ElementsAre(HasSubstr("left 1 change;")));
}

TEST_F(ControlLoopTest, LeftoversAreTriedAgainAfterExactlyTenSeconds) {
  Round(20);
  actuator_.refusal = Unavailable("engine is gone");
  for (int i = 0; i < 4; ++i) Round(5);  // restoring fails
  // Each failure has another reason, so that each attempt is reported.
  std::vector<int> attempts;
  for (int round = 0; round < 40; ++round) {
    Reported();
    actuator_.refusal = Unavailable("gone since " + std::to_string(round));
    Round(5);
    if (!Reported().empty()) attempts.push_back(round);
  }
  ASSERT_GE(attempts.size(), 3u);
  EXPECT_EQ(attempts[1] - attempts[0], 10);
  EXPECT_EQ(attempts[2] - attempts[1], 10);
}

TEST_F(ControlLoopTest, ALeftoverThatCannotBeRecordedEndsItsRound) {
  Round(20);
  actuator_.refusal = Unavailable("engine is gone");
  for (int i = 0; i < 4; ++i) Round(5);
  actuator_.refusal.reset();
  record_ = Unavailable("disk full");
  bool failed = false;
  for (int i = 0; i < 12 && !failed; ++i) {
    clock_.Advance(std::chrono::seconds(1));
    failed = !loop_->Round({}).ok();
  }
  EXPECT_TRUE(failed);
}

TEST_F(ControlLoopTest, TheEndNamesLimitsAndPauses) {
  rules_.rules[0].actions = {LimitAction{.target = kFakeHog, .to = 0.2},
                             PauseAction{.target = kFakeHog}};
  actuator_.knobs[{"process hog", ControlKnob::kPause}] = 0;
  Round(20);
  Reported();
  ASSERT_TRUE(loop_->End().ok());
  EXPECT_THAT(Reported(),
              ElementsAre("end, pause process hog, paused yes -> no: done",
                          "end, limit process hog, cpus 0.2 -> none: done"));
}

TEST_F(ControlLoopTest, TheEndFailsIfItCannotBeRecordedButRestores) {
  Round(20);
  record_ = Unavailable("disk full");
  EXPECT_FALSE(loop_->End().ok());
  EXPECT_EQ(Quota(), std::nullopt);
}

// The process is restarted while the rule recovers. The rule learns in the
// round after the next violation that it can act again.
TEST_F(ControlLoopTest, ATargetRestartedDuringRecoveryIsLimitedAgain) {
  Round(20);
  Round(5);
  actuator_.life = 2;
  actuator_.knobs[kFakeHogCpus] = std::nullopt;
  Round(20);
  Round(20);
  EXPECT_EQ(Quota(), 0.2);
}

}  // namespace
}  // namespace mete
