// What every Actuator keeps, the fake one too.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "ports/actuator.h"

namespace mete {

// A running target without a CPU limit, for one test.
struct ActuatorSubject {
  std::string unavailable;  // why the tests are skipped; else empty
  std::shared_ptr<Actuator> actuator;
  ControlTarget target;
  ControlTarget missing;      // of the same kind
  std::function<void()> end;  // ends the target, whatever state it is in
};

class ActuatorContract : public testing::TestWithParam<ActuatorSubject (*)()> {
 protected:
  void SetUp() override {
    subject_ = GetParam()();
    if (!subject_.unavailable.empty()) GTEST_SKIP() << subject_.unavailable;
  }
  void TearDown() override {
    if (subject_.end) subject_.end();
  }
  KnobHold Hold(ControlKnob knob) {
    auto hold = subject_.actuator->Find(subject_.target, knob);
    EXPECT_TRUE(hold.ok()) << hold.error().message();
    return hold.ok() ? *hold : KnobHold{};
  }
  void Write(KnobHold& hold, std::optional<double> value) {
    Status status = subject_.actuator->Write(hold, value);
    EXPECT_TRUE(status.ok()) << status.error().message();
    hold.members.clear();
  }

  ActuatorSubject subject_;
};

TEST_P(ActuatorContract, SetsAndTakesAwayALimitOfCpus) {
  KnobHold hold = Hold(ControlKnob::kCpus);
  ASSERT_TRUE(subject_.actuator->Read(hold).ok());
  EXPECT_EQ(*subject_.actuator->Read(hold), std::nullopt);
  Write(hold, 0.5);
  EXPECT_EQ(*subject_.actuator->Read(hold), 0.5);
  Write(hold, 0.25);
  EXPECT_EQ(*subject_.actuator->Read(hold), 0.25);
  Write(hold, std::nullopt);
  EXPECT_EQ(*subject_.actuator->Read(hold), std::nullopt);
  EXPECT_TRUE(subject_.actuator->Release(hold).ok());
}

TEST_P(ActuatorContract, FindingAndReadingChangeNothing) {
  KnobHold hold = Hold(ControlKnob::kCpus);
  static_cast<void>(subject_.actuator->Read(hold).ok());
  EXPECT_EQ(Hold(ControlKnob::kCpus), hold);
}

TEST_P(ActuatorContract, PausesAndResumes) {
  KnobHold hold = Hold(ControlKnob::kPause);
  EXPECT_EQ(*subject_.actuator->Read(hold), 0);
  Write(hold, 1);
  EXPECT_EQ(*subject_.actuator->Read(hold), 1);
  Write(hold, 0);
  EXPECT_EQ(*subject_.actuator->Read(hold), 0);
  EXPECT_TRUE(subject_.actuator->Release(hold).ok());
}

TEST_P(ActuatorContract, AnotherProcessCanTakeOver) {
  KnobHold hold = Hold(ControlKnob::kCpus);
  Write(hold, 0.5);
  KnobHold written{.target = hold.target,
                   .knob = hold.knob,
                   .place = hold.place,
                   .version = hold.version,
                   .home = hold.home};
  EXPECT_EQ(*subject_.actuator->Read(written), 0.5);
  Write(written, std::nullopt);
  EXPECT_TRUE(subject_.actuator->Release(written).ok());
  EXPECT_EQ(*subject_.actuator->Read(Hold(ControlKnob::kCpus)), std::nullopt);
}

TEST_P(ActuatorContract, WhatIsNotThereIsNotFound) {
  auto hold = subject_.actuator->Find(subject_.missing, ControlKnob::kCpus);
  ASSERT_FALSE(hold.ok());
  EXPECT_EQ(hold.error().code(), ErrorCode::kNotFound);
}

TEST_P(ActuatorContract, WhatHasEndedIsNotFound) {
  KnobHold hold = Hold(ControlKnob::kCpus);
  Write(hold, 0.5);
  EXPECT_FALSE(subject_.actuator->HasEnded(hold));
  subject_.end();
  EXPECT_TRUE(subject_.actuator->HasEnded(hold));
  auto found = subject_.actuator->Find(subject_.target, ControlKnob::kCpus);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::kNotFound);
  // Its place may have outlived it.
  auto read = subject_.actuator->Read(hold);
  EXPECT_TRUE(read.ok() || read.error().code() == ErrorCode::kNotFound);
  EXPECT_TRUE(subject_.actuator->Release(hold).ok());
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ActuatorContract);

}  // namespace mete
