#include "control/held_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "support/json.h"
#include "tests/contracts/actuator_contract.h"
#include "tests/fakes/fake_control.h"

namespace mete {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::SizeIs;

ActuatorSubject FakeSubject() {
  auto actuator = std::make_shared<FakeActuator>();
  actuator->knobs = {{{"process hog", ControlKnob::kCpus}, std::nullopt},
                     {{"process hog", ControlKnob::kPause}, 0}};
  using Kind = ControlTarget::Kind;
  return {.actuator = actuator,
          .target = {.kind = Kind::kProcess, .name = "hog"},
          .missing = {.kind = Kind::kProcess, .name = "nobody"},
          .end = [actuator] { actuator->knobs.clear(); }};
}
INSTANTIATE_TEST_SUITE_P(Fake, ActuatorContract, testing::Values(&FakeSubject));

class HeldChangesTest : public testing::Test {
 protected:
  HeldChangesTest() { actuator_.knobs[kFakeHogCpus] = std::nullopt; }

  HeldChanges Changes(bool dry_run = false) {
    return {{.file = file_, .dry_run = dry_run, .cores = 4}, actuator_};
  }
  static ChangeRequest Limit(const std::string& rule, std::optional<double> to,
                             std::optional<double> step = std::nullopt,
                             double at_least = 0.01) {
    return {.rule = rule,
            .target = kFakeHog,
            .to = to,
            .step = step,
            .at_least = at_least};
  }
  std::optional<double> Now() { return actuator_.knobs[kFakeHogCpus]; }
  bool StateExists() const { return std::filesystem::exists(file_); }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::filesystem::path file_ = folder_.path() / "state";
  FakeActuator actuator_;
};

TEST_F(HeldChangesTest, SetsALimitAndRestoresIt) {
  HeldChanges changes = Changes();
  ChangeResult result = changes.Tighten(Limit("r", 0.2));
  ASSERT_TRUE(result.status.ok());
  EXPECT_EQ(result.before, std::nullopt);
  EXPECT_EQ(result.after, 0.2);
  EXPECT_EQ(Now(), 0.2);
  EXPECT_TRUE(StateExists());
  auto given = changes.Restore("r");
  ASSERT_THAT(given, SizeIs(1));
  EXPECT_EQ(given[0].before, 0.2);
  EXPECT_EQ(given[0].after, std::nullopt);
  EXPECT_EQ(Now(), std::nullopt);
  EXPECT_THAT(actuator_.calls, Contains("release process hog"));
  EXPECT_FALSE(StateExists());
}

TEST_F(HeldChangesTest, GoesDownInStepsToTheFloor) {
  HeldChanges changes = Changes();
  ChangeRequest request = Limit("r", 0.4, 0.5, 0.15);
  changes.Tighten(request);
  EXPECT_TRUE(changes.CanTighten(request));
  changes.Tighten(request);
  EXPECT_EQ(Now(), 0.2);
  changes.Tighten(request);
  EXPECT_EQ(Now(), 0.15);
  EXPECT_FALSE(changes.CanTighten(request));
  changes.Restore("r");
  EXPECT_EQ(Now(), std::nullopt);
}

TEST_F(HeldChangesTest, AStepAloneStartsFromAllCores) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", std::nullopt, 0.5));
  EXPECT_EQ(Now(), 2);
}

TEST_F(HeldChangesTest, NeverRaisesALimit) {
  actuator_.knobs[kFakeHogCpus] = 0.1;
  HeldChanges changes = Changes();
  ChangeResult result = changes.Tighten(Limit("r", 0.2));
  EXPECT_TRUE(result.status.ok());
  EXPECT_EQ(result.remark, "is already at this value");
  EXPECT_EQ(Now(), 0.1);
}

TEST_F(HeldChangesTest, LowestOfTwoRulesApplies) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("one", 0.5));
  changes.Tighten(Limit("two", 0.2));
  EXPECT_EQ(Now(), 0.2);
  changes.Restore("two");
  EXPECT_EQ(Now(), 0.5);
  changes.Restore("one");
  EXPECT_EQ(Now(), std::nullopt);
}

TEST_F(HeldChangesTest, AnotherRulesClaimRaisesNothingAboveTheFirstValue) {
  actuator_.knobs[kFakeHogCpus] = 0.3;
  HeldChanges changes = Changes();
  changes.Tighten(Limit("one", 0.2));
  changes.Tighten(Limit("two", 0.5));
  EXPECT_EQ(Now(), 0.2);
  changes.Restore("one");
  EXPECT_EQ(Now(), 0.3);
}

TEST_F(HeldChangesTest, DoesNotRestoreWhatSomeoneElseChanged) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  actuator_.knobs[kFakeHogCpus] = 0.7;
  auto given = changes.Restore("r");
  EXPECT_EQ(given.at(0).remark, "was changed by somebody else; left alone");
  EXPECT_EQ(given.at(0).after, 0.7);
  EXPECT_EQ(Now(), 0.7);
  EXPECT_FALSE(StateExists());
}

TEST_F(HeldChangesTest, LowersAndRestoresAValueSomeoneElseSet) {
  HeldChanges changes = Changes();
  ChangeRequest request = Limit("r", 0.4, 0.5);
  changes.Tighten(request);
  actuator_.knobs[kFakeHogCpus] = 0.1;
  // requests 0.2, which is not lower than the current value
  changes.Tighten(request);
  EXPECT_EQ(Now(), 0.1);
  changes.Tighten(request);
  changes.Tighten(request);
  EXPECT_EQ(Now(), 0.05);
  changes.Restore("r");
  EXPECT_EQ(Now(), 0.1);
}

TEST_F(HeldChangesTest, OneOfTwoRulesKeepsWhatSomeoneElseChanged) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("one", 0.5));
  changes.Tighten(Limit("two", 0.2));
  actuator_.knobs[kFakeHogCpus] = 0.1;
  EXPECT_EQ(changes.Restore("two").at(0).after, 0.1);
  EXPECT_EQ(Now(), 0.1);
}

TEST_F(HeldChangesTest, NextControllerRestoresWhatAKilledOneLeft) {
  {
    HeldChanges killed = Changes();
    killed.Tighten(Limit("r", 0.2));
  }
  HeldChanges next = Changes();
  EXPECT_EQ(*next.Load(), 1);
  EXPECT_THAT(next.RestoreAll(), SizeIs(1));
  EXPECT_EQ(Now(), std::nullopt);
  EXPECT_FALSE(StateExists());
}

TEST_F(HeldChangesTest, KillBetweenSavingAndChangingIsNotAForeignChange) {
  {
    HeldChanges killed = Changes();
    killed.Tighten(Limit("r", 0.4, 0.5));
    killed.Tighten(Limit("r", 0.4, 0.5));
  }
  actuator_.knobs[kFakeHogCpus] = 0.4;  // the second change did not happen
  HeldChanges next = Changes();
  ASSERT_TRUE(next.Load().ok());
  next.RestoreAll();
  EXPECT_EQ(Now(), std::nullopt);
}

TEST_F(HeldChangesTest, DryRunChangesNothing) {
  HeldChanges changes = Changes(true);
  ChangeResult result = changes.Tighten(Limit("r", 0.4, 0.5));
  EXPECT_EQ(result.after, 0.4);
  EXPECT_EQ(changes.Tighten(Limit("r", 0.4, 0.5)).after, 0.2);
  EXPECT_EQ(changes.Restore("r").at(0).after, std::nullopt);
  EXPECT_THAT(actuator_.calls, IsEmpty());
  EXPECT_FALSE(StateExists());
}

TEST_F(HeldChangesTest, DryRunKeepsTheStateOfAKilledController) {
  {
    HeldChanges killed = Changes();
    killed.Tighten(Limit("r", 0.2));
  }
  HeldChanges dry = Changes(true);
  EXPECT_EQ(*dry.Load(), 1);
  EXPECT_THAT(dry.RestoreAll(), IsEmpty());
  EXPECT_EQ(Now(), 0.2);
  EXPECT_TRUE(StateExists());
}

TEST_F(HeldChangesTest, ReportsAMissingTarget) {
  actuator_.knobs.clear();
  HeldChanges changes = Changes();
  ChangeResult result = changes.Tighten(Limit("r", 0.2));
  ASSERT_FALSE(result.status.ok());
  EXPECT_EQ(result.status.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(changes.RestoreAll(), IsEmpty());
}

TEST_F(HeldChangesTest, FailedChangeLeavesNothingHeld) {
  actuator_.refusal = Unsupported("too small");
  HeldChanges changes = Changes();
  ChangeResult result = changes.Tighten(Limit("r", 0.2));
  EXPECT_FALSE(result.status.ok());
  EXPECT_EQ(result.after, std::nullopt);
  EXPECT_FALSE(StateExists());
}

TEST_F(HeldChangesTest, FailedStepKeepsThePreviousOne) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.4, 0.5));
  actuator_.refusal = Unsupported("too small");
  EXPECT_FALSE(changes.Tighten(Limit("r", 0.4, 0.5)).status.ok());
  actuator_.refusal.reset();
  EXPECT_EQ(Now(), 0.4);
  changes.Restore("r");
  EXPECT_EQ(Now(), std::nullopt);
}

TEST_F(HeldChangesTest, UnrestoredChangesStayInTheStateFile) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  actuator_.refusal = Unavailable("engine is gone");
  EXPECT_FALSE(changes.RestoreAll().at(0).status.ok());
  EXPECT_TRUE(StateExists());
  actuator_.refusal.reset();
  EXPECT_TRUE(changes.RestoreAll().at(0).status.ok());
  EXPECT_FALSE(StateExists());
}

TEST_F(HeldChangesTest, FailedChangeForgetsNothingThatMustBeRestored) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  actuator_.refusal = Unavailable("engine is gone");
  EXPECT_FALSE(changes.Restore("r").at(0).status.ok());
  // First of another knob, then of the same.
  actuator_.knobs[{"process hog", ControlKnob::kPause}] = 0;
  ChangeRequest pause{
      .rule = "s", .target = kFakeHog, .knob = ControlKnob::kPause, .to = 1};
  EXPECT_FALSE(changes.Tighten(pause).status.ok());
  EXPECT_FALSE(changes.Tighten(Limit("s", 0.1)).status.ok());
  EXPECT_TRUE(StateExists());
  actuator_.refusal.reset();
  EXPECT_THAT(changes.RestoreAll(), SizeIs(1));
  EXPECT_EQ(Now(), std::nullopt);
}

TEST_F(HeldChangesTest, CgroupStaysWhileAnotherKnobIsHeld) {
  const FakeActuator::Knob pause{"process hog", ControlKnob::kPause};
  actuator_.knobs[pause] = 0;
  HeldChanges changes = Changes();
  actuator_.home = "home";
  changes.Tighten(Limit("one", 0.2));
  actuator_.home = "";  // made by the first, found by the second
  changes.Tighten({.rule = "two",
                   .target = kFakeHog,
                   .knob = ControlKnob::kPause,
                   .to = 1});
  changes.Restore("one");
  EXPECT_EQ(Now(), std::nullopt);
  EXPECT_THAT(actuator_.released, IsEmpty());
  changes.Restore("two");
  ASSERT_THAT(actuator_.released, SizeIs(1));
  EXPECT_EQ(actuator_.released[0].home, "home");
}

TEST_F(HeldChangesTest, CgroupOfTwoKnobsIsRestoredAtTheEnd) {
  actuator_.knobs[{"process hog", ControlKnob::kPause}] = 0;
  HeldChanges changes = Changes();
  actuator_.home = "home";
  changes.Tighten(Limit("one", 0.2));
  actuator_.home = "";
  changes.Tighten({.rule = "two",
                   .target = kFakeHog,
                   .knob = ControlKnob::kPause,
                   .to = 1});
  changes.RestoreAll();
  ASSERT_FALSE(actuator_.released.empty());
  EXPECT_EQ(actuator_.released.back().home, "home");
}

// A period of 1 ms divides a CPU into a thousand steps.
TEST_F(HeldChangesTest, ValueRoundedByTheKernelIsNotAForeignChange) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 1.2345));
  actuator_.knobs[kFakeHogCpus] = 1.235;
  changes.Restore("r");
  EXPECT_EQ(Now(), std::nullopt);
}

TEST_F(HeldChangesTest, HoldsARestartedTargetAgain) {
  HeldChanges changes = Changes();
  ChangeRequest request = Limit("r", 0.2);
  changes.Tighten(request);
  EXPECT_FALSE(changes.CanTighten(request));
  actuator_.life = 2;
  actuator_.knobs[kFakeHogCpus] = std::nullopt;
  EXPECT_TRUE(changes.CanTighten(request));
  changes.Tighten(request);
  EXPECT_EQ(Now(), 0.2);
}

TEST_F(HeldChangesTest, TargetRestartedInItsCgroupReturnsToTheFirstValue) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  actuator_.ended = true;
  EXPECT_TRUE(changes.CanTighten(Limit("r", 0.2)));
  ChangeResult again = changes.Tighten(Limit("r", 0.2));
  EXPECT_EQ(again.before, std::nullopt);
  EXPECT_EQ(Now(), 0.2);
  actuator_.ended = false;
  changes.Restore("r");
  EXPECT_EQ(Now(), std::nullopt);
}

TEST_F(HeldChangesTest, RestoresACgroupThatOutlivesItsTarget) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  actuator_.ended = true;
  changes.Restore("r");
  EXPECT_EQ(Now(), std::nullopt);
}

TEST_F(HeldChangesTest, RemovesACreatedCgroupWithItsTarget) {
  actuator_.home = "home";
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  actuator_.knobs[kFakeHogCpus] = 0.7;
  actuator_.ended = true;
  EXPECT_EQ(changes.Restore("r").at(0).after, 0.7);
  EXPECT_THAT(actuator_.released, SizeIs(1));
}

TEST_F(HeldChangesTest, PausesAndResumes) {
  const FakeActuator::Knob pause{"process hog", ControlKnob::kPause};
  actuator_.knobs[pause] = 0;
  HeldChanges changes = Changes();
  changes.Tighten(
      {.rule = "r", .target = kFakeHog, .knob = ControlKnob::kPause, .to = 1});
  EXPECT_EQ(actuator_.knobs[pause], 1);
  changes.Restore("r");
  EXPECT_EQ(actuator_.knobs[pause], 0);
}

TEST_F(HeldChangesTest, ForgettingKeepsAllChanges) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  ASSERT_TRUE(changes.Forget().ok());
  EXPECT_THAT(changes.RestoreAll(), IsEmpty());
  EXPECT_EQ(Now(), 0.2);
  EXPECT_FALSE(StateExists());
}

TEST_F(HeldChangesTest, ReportsAnIncompleteStateFile) {
  ASSERT_TRUE(WriteFileAtomically(file_, "{\"changes\": [{}]}").ok());
  EXPECT_EQ(Changes().Load().error().code(), ErrorCode::kCorrupt);
}

TEST(HeldChangesJson, ReadsBackWhatItWrote) {
  HeldChange change{.handle = {.target = {.kind = ControlTarget::Kind::kGroup,
                                          .name = "/batch"},
                               .knob = ControlKnob::kMemory,
                               .place = "/sys/fs/cgroup/batch",
                               .version = 1,
                               .home = "/sys/fs/cgroup"},
                    .before = 3,
                    .set = 2};
  const Json json = HeldChangesToJson({change});
  EXPECT_EQ(json["schema"], 1);
  auto read = HeldChangesFromJson(json);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->at(0).handle, change.handle);
  EXPECT_EQ(read->at(0).before, 3);
  EXPECT_EQ(read->at(0).set, 2);
  EXPECT_EQ(read->at(0).earlier, std::nullopt);
}

TEST(HeldChangesJson, UnknownValuesAreCorrupt) {
  const Json good = HeldChangesToJson({HeldChange{}});
  ASSERT_TRUE(HeldChangesFromJson(good).ok());
  for (const char* key : {"kind", "knob"}) {
    Json bad = good;
    bad["changes"][0][key] = "gpu";
    auto read = HeldChangesFromJson(bad);
    ASSERT_FALSE(read.ok()) << key;
    EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
  }
}

TEST_F(HeldChangesTest, AStepOfMemoryNeedsALimitToStartFrom) {
  actuator_.knobs[{"process hog", ControlKnob::kMemory}] = std::nullopt;
  HeldChanges changes = Changes();
  ChangeResult result = changes.Tighten({.rule = "r",
                                         .target = kFakeHog,
                                         .knob = ControlKnob::kMemory,
                                         .step = 0.5});
  ASSERT_FALSE(result.status.ok());
  EXPECT_FALSE(StateExists());
}

TEST_F(HeldChangesTest, ForeignChangesBeginBeyondTheRoundingOfTheKernel) {
  HeldChanges changes = Changes();
  ASSERT_TRUE(changes.Tighten(Limit("r", 0.5)).status.ok());
  actuator_.knobs[kFakeHogCpus] = 0.501;
  EXPECT_EQ(changes.Restore("r").at(0).remark,
            "was changed by somebody else; left alone");
  EXPECT_EQ(Now(), 0.501);
}

TEST_F(HeldChangesTest, CanTightenOnlyWithAStepAboveItsFloor) {
  HeldChanges changes = Changes();
  const ChangeRequest request = Limit("r", 0.4, 0.5, 0.2);
  EXPECT_TRUE(changes.CanTighten(request));
  ASSERT_TRUE(changes.Tighten(request).status.ok());
  EXPECT_TRUE(changes.CanTighten(request));
  EXPECT_FALSE(changes.CanTighten(Limit("r", 0.4)));
  EXPECT_TRUE(changes.CanTighten(Limit("other", 0.4)));
  ASSERT_TRUE(changes.Tighten(request).status.ok());
  EXPECT_FALSE(changes.CanTighten(request));
  actuator_.ended = true;
  EXPECT_TRUE(changes.CanTighten(request));
}

TEST_F(HeldChangesTest, RemarksThatALimitIsAlreadyReached) {
  HeldChanges changes = Changes();
  ASSERT_TRUE(changes.Tighten(Limit("a", 0.2)).status.ok());
  EXPECT_EQ(changes.Tighten(Limit("b", 0.2)).remark,
            "is already at this value");
  EXPECT_EQ(changes.Restore("a").at(0).remark, "other rules still hold it");
  EXPECT_EQ(Now(), 0.2);
}

TEST_F(HeldChangesTest, AFailureToSaveIsRemarked) {
  HeldChanges changes = Changes();
  ASSERT_TRUE(changes.Tighten(Limit("a", 0.2)).status.ok());
  ASSERT_TRUE(changes.Tighten(Limit("b", 0.1)).status.ok());
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_NE(changes.Restore("b").at(0).remark, "");
  EXPECT_FALSE(changes.RestoreAll().at(0).remark.empty());
}

TEST_F(HeldChangesTest, AStateThatCannotBeReadIsAnError) {
  std::filesystem::create_directory(file_);
  EXPECT_FALSE(Changes().Load().ok());
}

TEST(HeldChangesJson, ReadsBackEveryKindOfTargetAndKnob) {
  using Kind = ControlTarget::Kind;
  for (Kind kind : {Kind::kContainer, Kind::kGroup, Kind::kProcess}) {
    for (ControlKnob knob :
         {ControlKnob::kCpus, ControlKnob::kMemory, ControlKnob::kPause}) {
      const HeldChange change{
          .handle = {.target = {.kind = kind, .name = "x"}, .knob = knob},
          .earlier = 1.5};
      auto read = HeldChangesFromJson(HeldChangesToJson({change}));
      ASSERT_TRUE(read.ok()) << read.error().message();
      EXPECT_EQ(read->at(0).handle, change.handle);
      EXPECT_EQ(read->at(0).before, std::nullopt);
      EXPECT_EQ(read->at(0).earlier, 1.5);
    }
  }
}

TEST_F(HeldChangesTest, ForeignChangesOfMemoryBeginBeyond64KiB) {
  const FakeActuator::Knob memory{"process hog", ControlKnob::kMemory};
  auto restored = [&](double now) {
    actuator_.knobs[memory] = std::nullopt;
    HeldChanges changes = Changes();
    changes.Tighten({.rule = "r",
                     .target = kFakeHog,
                     .knob = ControlKnob::kMemory,
                     .to = 1e9});
    actuator_.knobs[memory] = now;
    changes.Restore("r");
    return actuator_.knobs[memory] == std::nullopt;
  };
  EXPECT_TRUE(restored(1e9 - 65536));
  EXPECT_FALSE(restored(1e9 - 65537));
}

TEST_F(HeldChangesTest, LeavesAPausedTargetPaused) {
  const FakeActuator::Knob pause{"process hog", ControlKnob::kPause};
  actuator_.knobs[pause] = 1;
  HeldChanges changes = Changes();
  ChangeResult result = changes.Tighten(
      {.rule = "r", .target = kFakeHog, .knob = ControlKnob::kPause, .to = 1});
  EXPECT_EQ(result.remark, "is already at this value");
  EXPECT_THAT(actuator_.calls, IsEmpty());
  EXPECT_EQ(changes.Restore("r").at(0).remark, "already had its old value");
  EXPECT_EQ(actuator_.knobs[pause], 1);
}

TEST_F(HeldChangesTest, ATargetThatIsGoneNeedsNoRestoring) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  actuator_.knobs.clear();
  const ChangeResult result = changes.Restore("r").at(0);
  EXPECT_TRUE(result.status.ok());
  EXPECT_EQ(result.remark, "has ended; nothing to restore");
  EXPECT_THAT(actuator_.released, SizeIs(1));
  EXPECT_FALSE(StateExists());
}

TEST_F(HeldChangesTest, ADryRunNeverWritesTheStateFile) {
  HeldChanges changes = Changes(true);
  changes.Tighten(Limit("one", 0.5));
  changes.Tighten(Limit("two", 0.2));
  EXPECT_THAT(changes.Restore("two"), SizeIs(1));
  EXPECT_FALSE(StateExists());
  ASSERT_TRUE(WriteFileAtomically(file_, "of another controller").ok());
  EXPECT_THAT(changes.Restore("one"), SizeIs(1));
  ASSERT_TRUE(changes.Forget().ok());
  EXPECT_TRUE(StateExists());
}

TEST_F(HeldChangesTest, ClaimedChangesAreNoLeftovers) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  EXPECT_THAT(changes.RestoreLeftovers(), IsEmpty());
  EXPECT_EQ(Now(), 0.2);
}

TEST_F(HeldChangesTest, ASecondLimitOfARuleLowersTheFirst) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.5));
  ASSERT_TRUE(changes.Tighten(Limit("r", 0.2)).status.ok());
  EXPECT_EQ(Now(), 0.2);
}

TEST_F(HeldChangesTest, AStepOfMemoryStartsFromItsLimit) {
  const FakeActuator::Knob memory{"process hog", ControlKnob::kMemory};
  actuator_.knobs[memory] = 1e9;
  HeldChanges changes = Changes();
  ASSERT_TRUE(changes
                  .Tighten({.rule = "r",
                            .target = kFakeHog,
                            .knob = ControlKnob::kMemory,
                            .step = 0.5})
                  .status.ok());
  EXPECT_EQ(actuator_.knobs[memory], 5e8);
}

TEST_F(HeldChangesTest, AStepOfCpusStartsFromTheirLimit) {
  actuator_.knobs[kFakeHogCpus] = 2;
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", std::nullopt, 0.25));
  EXPECT_EQ(Now(), 0.5);
}

TEST_F(HeldChangesTest, WithoutValueAndStepTheLimitIsAllCores) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", std::nullopt));
  EXPECT_EQ(Now(), 4);
}

TEST_F(HeldChangesTest, WhatCannotBeSavedIsNotChanged) {
  std::filesystem::create_directory(file_);
  HeldChanges changes = Changes();
  EXPECT_FALSE(changes.Tighten(Limit("r", 0.2)).status.ok());
  EXPECT_EQ(Now(), std::nullopt);
  EXPECT_THAT(actuator_.calls, testing::Not(Contains("process hog 0.20")));
}

TEST_F(HeldChangesTest, ARestartedTargetThatCannotBeRestoredStaysHeld) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  actuator_.ended = true;  // restarted in the same cgroup
  actuator_.refusal = Unavailable("engine is gone");
  EXPECT_FALSE(changes.Tighten(Limit("r", 0.2)).status.ok());
  EXPECT_TRUE(StateExists());
  actuator_.refusal.reset();
  EXPECT_THAT(changes.RestoreAll(), SizeIs(1));
  EXPECT_EQ(Now(), std::nullopt);
}

TEST_F(HeldChangesTest, ADryRunContinuesFromWhatItWouldHaveSet) {
  HeldChanges changes = Changes(true);
  const ChangeRequest request = Limit("r", 0.4, 0.5);
  changes.Tighten(request);
  changes.Tighten(request);
  const ChangeResult third = changes.Tighten(request);
  EXPECT_EQ(third.before, 0.2);
  EXPECT_EQ(third.after, 0.1);
}

TEST_F(HeldChangesTest, ADryRunReleasesNothingAfterAFailure) {
  actuator_.knobs[{"process hog", ControlKnob::kMemory}] = std::nullopt;
  HeldChanges changes = Changes(true);
  EXPECT_FALSE(changes
                   .Tighten({.rule = "r",
                             .target = kFakeHog,
                             .knob = ControlKnob::kMemory,
                             .step = 0.5})
                   .status.ok());
  EXPECT_THAT(actuator_.calls, IsEmpty());
  EXPECT_THAT(changes.RestoreAll(), IsEmpty());
}

TEST_F(HeldChangesTest, RulesOfTwoTargetsAreRestoredOnTheirOwn) {
  const ControlTarget pig{.kind = ControlTarget::Kind::kProcess, .name = "pig"};
  const FakeActuator::Knob pig_cpus{"process pig", ControlKnob::kCpus};
  actuator_.knobs[pig_cpus] = std::nullopt;
  HeldChanges changes = Changes();
  changes.Tighten(Limit("one", 0.5));
  changes.Tighten({.rule = "two", .target = pig, .to = 0.3});
  EXPECT_THAT(changes.Restore("two"), SizeIs(1));
  EXPECT_EQ(Now(), 0.5);
  EXPECT_EQ(actuator_.knobs[pig_cpus], std::nullopt);
  // Each has a cgroup of its own.
  ASSERT_THAT(actuator_.released, SizeIs(1));
  EXPECT_EQ(actuator_.released[0].place, "process pig");
  EXPECT_THAT(changes.Restore("two"), IsEmpty());
}

TEST_F(HeldChangesTest, RestoringNothingKeepsTheStateFile) {
  ASSERT_TRUE(WriteFileAtomically(file_, "of another controller").ok());
  HeldChanges changes = Changes();
  EXPECT_THAT(changes.RestoreAll(), IsEmpty());
  EXPECT_THAT(changes.Restore("r"), IsEmpty());
  EXPECT_TRUE(StateExists());
}

TEST_F(HeldChangesTest, TheRemarkOfASavedRestoreIsEmpty) {
  HeldChanges changes = Changes();
  changes.Tighten(Limit("r", 0.2));
  errno = EIO;  // of an earlier call
  EXPECT_EQ(changes.Restore("r").at(0).remark, "");
}

TEST_F(HeldChangesTest, ForgettingNothingIsNoError) {
  EXPECT_TRUE(Changes().Forget().ok());
}

TEST_F(HeldChangesTest, AStateFileThatCannotBeRemovedIsAnError) {
  std::filesystem::create_directory(file_);
  EXPECT_FALSE(Changes().Forget().ok());
}

TEST_F(HeldChangesTest, WithoutAStateFileNothingWasLeft) {
  EXPECT_EQ(Changes().Load().value(), 0u);
}

TEST_F(HeldChangesTest, AnAbsentPauseCountsAsRunning) {
  const FakeActuator::Knob pause{"process hog", ControlKnob::kPause};
  actuator_.knobs[pause] = std::nullopt;
  HeldChanges changes = Changes();
  changes.Tighten(
      {.rule = "r", .target = kFakeHog, .knob = ControlKnob::kPause, .to = 1});
  EXPECT_EQ(actuator_.knobs[pause], 1);
}

}  // namespace
}  // namespace mete
