#include "contend/service_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contend/test_services.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ServicePoolTest : public testing::Test {
 protected:
  std::vector<ServicePool::Instances> Provide(
      const std::vector<Tenant>& tenants) {
    auto provided = pool_.Provide(tenants, {});
    CHECK(provided.ok()) << provided.error().message();
    return *provided;
  }

  ServiceScript script_;
  ServiceLog log_;
  TestStarter starter_{script_, log_};
  ServicePool pool_{starter_, {.warmup_requests = 2}};
};

TEST_F(ServicePoolTest, StartsEveryInstanceOfEveryTenant) {
  auto provided = Provide({{"a", 2, 1}, {"b", 1, 1}});
  ASSERT_THAT(provided, SizeIs(2));
  EXPECT_THAT(provided[0], SizeIs(2));
  EXPECT_THAT(provided[1], SizeIs(1));
  EXPECT_NE(provided[0][0], provided[0][1]);
  EXPECT_THAT(log_.started, ElementsAre("a", "a", "b"));
}

TEST_F(ServicePoolTest, GivesTenantsOfOneApplicationDifferentInstances) {
  auto provided = Provide({{"a", 1, 1}, {"a", 1, 1}});
  EXPECT_NE(provided[0][0], provided[1][0]);
}

TEST_F(ServicePoolTest, KeepsWhatTheNextMixUses) {
  Provide({{"a", 2, 1}, {"b", 1, 1}});
  log_.started.clear();
  Provide({{"a", 1, 1}, {"c", 1, 1}});
  EXPECT_THAT(log_.started, ElementsAre("c"));
}

TEST_F(ServicePoolTest, EndsWhatTheNextMixDoesNotUseBeforeItStartsMore) {
  Provide({{"a", 2, 1}});
  Provide({{"b", 2, 1}});
  EXPECT_EQ(log_.running, 2);
  EXPECT_EQ(log_.most_running, 2);
}

TEST_F(ServicePoolTest, WarmsUpOnlyNewServices) {
  Provide({{"a", 1, 1}});
  EXPECT_EQ(log_.inferences, 2);
  Provide({{"a", 1, 1}, {"b", 1, 1}});
  EXPECT_EQ(log_.inferences, 4);
}

TEST_F(ServicePoolTest, RestartsAServiceThatHasEnded) {
  Provide({{"a", 1, 1}});
  script_.has_ended = true;
  Provide({{"a", 1, 1}});
  EXPECT_THAT(log_.started, ElementsAre("a", "a"));
}

TEST_F(ServicePoolTest, ReplacesADiscardedService) {
  auto provided = Provide({{"a", 2, 1}});
  pool_.Discard(provided[0][0]);
  EXPECT_EQ(log_.running, 1);
  Provide({{"a", 2, 1}});
  EXPECT_EQ(log_.running, 2);
  EXPECT_THAT(log_.started, SizeIs(3));
}

TEST_F(ServicePoolTest, LeavesNothingRunningWhenAServiceDoesNotGetReady) {
  script_.ready = [](const std::string& application, size_t) -> Status {
    if (application == "b") return Error(ErrorCode::kTimeout, "not ready");
    return {};
  };
  auto provided = pool_.Provide({{"a", 1, 1}, {"b", 1, 1}}, {});
  ASSERT_FALSE(provided.ok());
  EXPECT_THAT(provided.error().message(), HasSubstr("b: not ready"));
  EXPECT_EQ(log_.running, 0);
}

TEST_F(ServicePoolTest, RestartsEverythingIfServicesAreNotKept) {
  ServicePool fresh(starter_, {.keep = false});
  ASSERT_TRUE(fresh.Provide({{"a", 1, 1}}, {}).ok());
  ASSERT_TRUE(fresh.Provide({{"a", 1, 1}}, {}).ok());
  EXPECT_THAT(log_.started, SizeIs(2));
}

}  // namespace
}  // namespace mete
