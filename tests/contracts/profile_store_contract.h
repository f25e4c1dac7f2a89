// The tests that every ProfileStore must pass: the fake and each adapter.
//
//   struct MemoryProfileStoreMaker {
//     std::unique_ptr<ProfileStore> Make() {…}
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, ProfileStoreContract,
//                                  MemoryProfileStoreMaker);
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ports/profile_store.h"

namespace mete {

template <typename Maker>
class ProfileStoreContract : public testing::Test {
 protected:
  void SetUp() override {
    store = maker.Make();
    ASSERT_NE(store, nullptr);
  }

  static StoredProfile Profile(const std::string& kind,
                               const std::string& space,
                               const std::string& name, LabelMap annotations) {
    return {.object = {.kind = kind, .space = space, .name = name},
            .annotations = std::move(annotations),
            .updated_at = std::chrono::system_clock::time_point(
                std::chrono::seconds(1700000000))};
  }
  std::string Stored() {
    auto profiles = store->ListProfiles();
    if (!profiles.ok()) return profiles.error().message();
    std::string all;
    for (const StoredProfile& profile : *profiles) {
      all += ObjectText(profile.object);
      for (const auto& [key, value] : profile.annotations) {
        all += " " + key + "=" + value;
      }
      all += "; ";
    }
    return all;
  }

  Maker maker;
  std::unique_ptr<ProfileStore> store;
};
TYPED_TEST_SUITE_P(ProfileStoreContract);

TYPED_TEST_P(ProfileStoreContract, ListsProfilesInOrder) {
  ASSERT_TRUE(
      this->store
          ->SaveProfiles({this->Profile("Pod", "b", "p", {{"k", "{\"é\": 1}"}}),
                          this->Profile("Pod", "a", "q", {{"k", "2"}}),
                          this->Profile("Node", "", "n", {{"k", "3"}})})
          .ok());
  EXPECT_EQ(this->Stored(), "Node n k=3; Pod a/q k=2; Pod b/p k={\"é\": 1}; ");
  EXPECT_EQ(this->store->ListProfiles()->at(0).updated_at,
            this->Profile("", "", "", {}).updated_at);
}

TYPED_TEST_P(ProfileStoreContract, ReplacesAndRemoves) {
  ASSERT_TRUE(this->store
                  ->SaveProfiles({this->Profile("Node", "", "a", {{"k", "1"}}),
                                  this->Profile("Node", "", "b", {{"k", "1"}})})
                  .ok());
  ASSERT_TRUE(this->store
                  ->SaveProfiles({this->Profile("Node", "", "a", {}),
                                  this->Profile("Node", "", "b", {{"l", "2"}})})
                  .ok());
  EXPECT_EQ(this->Stored(), "Node b l=2; ");
}

TYPED_TEST_P(ProfileStoreContract, StoresAllOrNothing) {
  Status status =
      this->store->SaveProfiles({this->Profile("Node", "", "a", {{"k", "1"}}),
                                 this->Profile("Node", "", "", {{"k", "1"}})});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(this->Stored(), "");
}

REGISTER_TYPED_TEST_SUITE_P(ProfileStoreContract, ListsProfilesInOrder,
                            ReplacesAndRemoves, StoresAllOrNothing);

}  // namespace mete
