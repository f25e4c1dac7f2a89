#include "watch/store_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/memory_profile_store.h"

namespace mete {
namespace {

using testing::IsEmpty;

// The store of another owner.
class BorrowedStore final : public ProfileStore {
 public:
  explicit BorrowedStore(MemoryProfileStore& store) : store_(store) {}
  Status SaveProfiles(const std::vector<StoredProfile>& profiles) override {
    return store_.SaveProfiles(profiles);
  }
  Result<std::vector<StoredProfile>> ListProfiles() override {
    return store_.ListProfiles();
  }

 private:
  MemoryProfileStore& store_;
};

TEST(StoreSink, KeepsAnnotationsBetweenRuns) {
  MemoryProfileStore store;
  FakeClock clock;
  auto open = [&] {
    return *StoreSink::Open(std::make_unique<BorrowedStore>(store), clock);
  };
  const ObjectMeta node{.ref = {.kind = "Node", .name = "a"}};
  auto written = open()->Write(
      {{.object = node.ref, .set = {{"k", "1"}, {"l", "2"}}}}, {});
  ASSERT_TRUE(written.at(0).ok());
  auto sink = open();
  EXPECT_EQ(sink->Current(node), (LabelMap{{"k", "1"}, {"l", "2"}}));
  EXPECT_THAT(sink->Abandoned({node}), IsEmpty());
  ASSERT_EQ(sink->Abandoned({}).size(), 1u);
  ASSERT_TRUE(
      sink->Write({{.object = node.ref, .remove = {"k", "l"}}}, {}).at(0).ok());
  EXPECT_THAT(*store.ListProfiles(), IsEmpty());
}

TEST(StoreSink, TriesAgainWhatCouldNotBeStored) {
  MemoryProfileStore store;
  FakeClock clock;
  auto sink = *StoreSink::Open(std::make_unique<BorrowedStore>(store), clock);
  auto written =
      sink->Write({{.object = {.kind = "Node"}, .set = {{"k", "1"}}}}, {});
  EXPECT_FALSE(written.at(0).ok());
  EXPECT_THAT(sink->Current({.ref = {.kind = "Node"}}), IsEmpty());
}

}  // namespace
}  // namespace mete
