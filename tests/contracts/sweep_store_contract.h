// The tests that every SweepStore must pass: the fake and each adapter.
//
//   struct MemorySweepStoreMaker {
//     std::unique_ptr<SweepStore> Make() {…}
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, SweepStoreContract,
//                                  MemorySweepStoreMaker);
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "domain/sweep_json.h"
#include "ports/sweep_store.h"
#include "support/json.h"

namespace mete {

inline std::chrono::system_clock::time_point SweepTime(int64_t seconds) {
  return std::chrono::system_clock::time_point(
      std::chrono::seconds(1700000000 + seconds));
}

// Makes an unfinished sweep with the key "k" and no points.
inline Sweep ExampleSweep(const std::string& id) {
  return {.id = id,
          .key = "k",
          .started_at = SweepTime(0),
          .workload = "app",
          .command = "mete measure -- ./app ü",
          .device_name = "pi",
          .plan = {.memory = LimitRange{1000, 100, 50}}};
}

inline std::vector<std::string> IdsOfSweeps(const std::vector<Sweep>& sweeps) {
  std::vector<std::string> ids;
  for (const Sweep& sweep : sweeps) ids.push_back(sweep.id);
  return ids;
}

template <typename Maker>
class SweepStoreContract : public testing::Test {
 protected:
  void SetUp() override {
    store = maker.Make();
    ASSERT_NE(store, nullptr);
  }

  void Save(const Sweep& sweep) {
    Status saved = store->SaveSweep(sweep);
    ASSERT_TRUE(saved.ok()) << saved.error().message();
  }
  void SaveFinished(const std::string& id) {
    Sweep sweep = ExampleSweep(id);
    sweep.finished = true;
    Save(sweep);
  }
  // Returns the id of the sweep to resume; "" for none.
  std::string Unfinished(const std::string& key) {
    auto sweep = store->UnfinishedSweep(key);
    EXPECT_TRUE(sweep.ok()) << sweep.error().message();
    return sweep.ok() && *sweep ? (*sweep)->id : "";
  }

  Maker maker;
  std::unique_ptr<SweepStore> store;
};
TYPED_TEST_SUITE_P(SweepStoreContract);

TYPED_TEST_P(SweepStoreContract, ReturnsTheSavedSweep) {
  Sweep sweep = ExampleSweep("s1");
  sweep.plan = {.memory = LimitRange{1000, 100, 50},
                .cpus = LimitRange{1000, 250, 250},
                .search = SweepSearch::kBisect,
                .repeat = 2,
                .confirm = 4};
  sweep.points = {{.limits = {.memory = 1000, .millicores = 250},
                   .run_id = "r1",
                   .outcome = {OutcomeKind::kOutOfMemory, "cgroup OOM kill"},
                   .started_at = SweepTime(1),
                   .duration = Seconds(1.5),
                   .cpu_time = Seconds(1.25),
                   .peak_memory = Bytes{999},
                   .throttled = 0.5,
                   .phases = {{"setup", Seconds(0.5)}},
                   .steps = StepTimes{"epoch", 2, Seconds(0.4), Seconds(0.3),
                                      Seconds(0.5)}},
                  {.run_id = "r2", .worked = true, .started_at = SweepTime(3)}};
  sweep.finished = true;
  this->Save(sweep);
  auto found = this->store->FindSweep("s1");
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(SweepToJson(*found), SweepToJson(sweep));
  EXPECT_EQ(found->key, "k");
  EXPECT_EQ(found->plan, sweep.plan);
  EXPECT_EQ(found->started_at, SweepTime(0));
  ASSERT_EQ(found->points.size(), 2u);
  EXPECT_EQ(found->points[0].limits, sweep.points[0].limits);
  EXPECT_EQ(found->points[1].run_id, "r2");
}

TYPED_TEST_P(SweepStoreContract, KeepsAbsentValuesAbsent) {
  Sweep sweep = ExampleSweep("s1");
  sweep.points = {{.run_id = "r1", .started_at = SweepTime(1)}};
  this->Save(sweep);
  auto found = this->store->FindSweep("s1");
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->plan.cpus, std::nullopt);
  EXPECT_FALSE(found->finished);
  ASSERT_EQ(found->points.size(), 1u);
  const SweepPoint& point = found->points[0];
  EXPECT_EQ(point.limits, PointLimits{});
  EXPECT_EQ(point.cpu_time, std::nullopt);
  EXPECT_EQ(point.peak_memory, std::nullopt);
  EXPECT_EQ(point.throttled, std::nullopt);
  EXPECT_TRUE(point.phases.empty());
  EXPECT_FALSE(point.steps.has_value());
}

TYPED_TEST_P(SweepStoreContract, RejectsASweepWithoutAnId) {
  EXPECT_EQ(this->store->SaveSweep(ExampleSweep("")).error().code(),
            ErrorCode::kInvalidInput);
  EXPECT_TRUE(this->store->ListSweeps()->empty());
}

TYPED_TEST_P(SweepStoreContract, ReplacesTheSweepOfTheSameId) {
  Sweep sweep = ExampleSweep("s1");
  this->Save(sweep);
  sweep.points.push_back({.run_id = "r1", .started_at = SweepTime(1)});
  sweep.key = "other";
  this->Save(sweep);
  EXPECT_EQ(this->store->FindSweep("s1")->points.size(), 1u);
  EXPECT_EQ(this->store->ListSweeps()->size(), 1u);
  EXPECT_EQ(this->Unfinished("k"), "");
  EXPECT_EQ(this->Unfinished("other"), "s1");
}

TYPED_TEST_P(SweepStoreContract, FindsASweepByAPrefixOfItsId) {
  for (const char* id : {"2024-aa", "2024-ab", "2025-x"}) {
    this->Save(ExampleSweep(id));
  }
  EXPECT_EQ(this->store->FindSweep("2025")->id, "2025-x");
  auto several = this->store->FindSweep("2024");
  ASSERT_FALSE(several.ok());
  EXPECT_EQ(several.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(several.error().message(),
              testing::HasSubstr("2024-aa, 2024-ab"));
  auto none = this->store->FindSweep("2026");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(none.error().message(),
            "no sweep has the ID '2026'; mete report sweep without an ID shows "
            "the newest");
  EXPECT_EQ(this->store->FindSweep("").error().code(),
            ErrorCode::kInvalidInput);
}

TYPED_TEST_P(SweepStoreContract, PrefersAnExactIdToALongerOne) {
  for (const char* id : {"s1", "s10"}) this->Save(ExampleSweep(id));
  auto found = this->store->FindSweep("s1");
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->id, "s1");
}

TYPED_TEST_P(SweepStoreContract, TakesCharactersOfAnIdLiterally) {
  this->Save(ExampleSweep("s1"));
  for (const char* pattern : {"%", "_1", "s*", "S1"}) {
    EXPECT_EQ(this->store->FindSweep(pattern).error().code(),
              ErrorCode::kNotFound)
        << pattern;
  }
}

TYPED_TEST_P(SweepStoreContract, ResumesTheNewestUnfinishedSweepOfAKey) {
  for (const char* id : {"s2", "s1"}) this->Save(ExampleSweep(id));
  this->SaveFinished("s3");
  Sweep other = ExampleSweep("s4");
  other.key = "k2";
  this->Save(other);
  EXPECT_EQ(this->Unfinished("k"), "s2");
  EXPECT_EQ(this->Unfinished("k2"), "s4");
  EXPECT_EQ(this->Unfinished("k3"), "");
}

TYPED_TEST_P(SweepStoreContract, DoesNotResumeAFinishedSweep) {
  for (const char* id : {"s1", "s2"}) this->Save(ExampleSweep(id));
  this->SaveFinished("s2");
  EXPECT_EQ(this->Unfinished("k"), "s1");
  this->SaveFinished("s1");
  EXPECT_EQ(this->Unfinished("k"), "");
}

TYPED_TEST_P(SweepStoreContract, ResumesASweepWithItsPoints) {
  Sweep sweep = ExampleSweep("s1");
  sweep.points = {{.run_id = "r1", .started_at = SweepTime(1)},
                  {.run_id = "r2", .started_at = SweepTime(2)}};
  this->Save(sweep);
  auto found = this->store->UnfinishedSweep("k");
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ(SweepToJson(**found), SweepToJson(sweep));
}

TYPED_TEST_P(SweepStoreContract, ListsTheNewestFirst) {
  EXPECT_TRUE(this->store->ListSweeps()->empty());
  this->Save(ExampleSweep("s2"));
  this->SaveFinished("s3");
  this->Save(ExampleSweep("s1"));
  EXPECT_THAT(IdsOfSweeps(*this->store->ListSweeps()),
              testing::ElementsAre("s3", "s2", "s1"));
}

REGISTER_TYPED_TEST_SUITE_P(SweepStoreContract, ReturnsTheSavedSweep,
                            KeepsAbsentValuesAbsent, RejectsASweepWithoutAnId,
                            ReplacesTheSweepOfTheSameId,
                            FindsASweepByAPrefixOfItsId,
                            PrefersAnExactIdToALongerOne,
                            TakesCharactersOfAnIdLiterally,
                            ResumesTheNewestUnfinishedSweepOfAKey,
                            DoesNotResumeAFinishedSweep,
                            ResumesASweepWithItsPoints, ListsTheNewestFirst);

}  // namespace mete
