// The tests that every Actuator must pass, including the fake.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "ports/actuator.h"

namespace mete {

// A running target without a CPU limit, for one test.
struct ActuatorSubject {
  std::string unavailable;  // why the tests are skipped; empty: they run
  std::shared_ptr<Actuator> actuator;
  ControlTarget target;
  ControlTarget missing;      // a target of the same kind that does not exist
  std::function<void()> end;  // ends the target in any state
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
  LimitHandle Hold(ControlKnob knob) {
    auto handle = subject_.actuator->Find(subject_.target, knob);
    EXPECT_TRUE(handle.ok()) << handle.error().message();
    return handle.ok() ? *handle : LimitHandle{};
  }
  void Write(LimitHandle& handle, std::optional<double> value) {
    Status status = subject_.actuator->Write(handle, value);
    EXPECT_TRUE(status.ok()) << status.error().message();
    handle.members.clear();
  }

  ActuatorSubject subject_;
};

TEST_P(ActuatorContract, SetsAndRemovesACpuLimit) {
  LimitHandle handle = Hold(ControlKnob::kCpus);
  ASSERT_TRUE(subject_.actuator->Read(handle).ok());
  EXPECT_EQ(*subject_.actuator->Read(handle), std::nullopt);
  Write(handle, 0.5);
  EXPECT_EQ(*subject_.actuator->Read(handle), 0.5);
  Write(handle, 0.25);
  EXPECT_EQ(*subject_.actuator->Read(handle), 0.25);
  Write(handle, std::nullopt);
  EXPECT_EQ(*subject_.actuator->Read(handle), std::nullopt);
  EXPECT_TRUE(subject_.actuator->Release(handle).ok());
}

TEST_P(ActuatorContract, FindingAndReadingChangeNothing) {
  LimitHandle handle = Hold(ControlKnob::kCpus);
  static_cast<void>(subject_.actuator->Read(handle).ok());
  EXPECT_EQ(Hold(ControlKnob::kCpus), handle);
}

TEST_P(ActuatorContract, PausesAndResumes) {
  LimitHandle handle = Hold(ControlKnob::kPause);
  EXPECT_EQ(*subject_.actuator->Read(handle), 0);
  Write(handle, 1);
  EXPECT_EQ(*subject_.actuator->Read(handle), 1);
  Write(handle, 0);
  EXPECT_EQ(*subject_.actuator->Read(handle), 0);
  EXPECT_TRUE(subject_.actuator->Release(handle).ok());
}

TEST_P(ActuatorContract, AnotherProcessCanRestoreALimit) {
  LimitHandle handle = Hold(ControlKnob::kCpus);
  Write(handle, 0.5);
  LimitHandle written{.target = handle.target,
                      .knob = handle.knob,
                      .place = handle.place,
                      .version = handle.version,
                      .home = handle.home};
  EXPECT_EQ(*subject_.actuator->Read(written), 0.5);
  Write(written, std::nullopt);
  EXPECT_TRUE(subject_.actuator->Release(written).ok());
  EXPECT_EQ(*subject_.actuator->Read(Hold(ControlKnob::kCpus)), std::nullopt);
}

TEST_P(ActuatorContract, AMissingTargetIsNotFound) {
  auto handle = subject_.actuator->Find(subject_.missing, ControlKnob::kCpus);
  ASSERT_FALSE(handle.ok());
  EXPECT_EQ(handle.error().code(), ErrorCode::kNotFound);
}

TEST_P(ActuatorContract, AnEndedTargetIsNotFound) {
  LimitHandle handle = Hold(ControlKnob::kCpus);
  Write(handle, 0.5);
  EXPECT_FALSE(subject_.actuator->HasEnded(handle));
  subject_.end();
  EXPECT_TRUE(subject_.actuator->HasEnded(handle));
  auto found = subject_.actuator->Find(subject_.target, ControlKnob::kCpus);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::kNotFound);
  // The cgroup may still exist.
  auto read = subject_.actuator->Read(handle);
  EXPECT_TRUE(read.ok() || read.error().code() == ErrorCode::kNotFound);
  EXPECT_TRUE(subject_.actuator->Release(handle).ok());
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ActuatorContract);

}  // namespace mete
