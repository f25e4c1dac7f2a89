#include "adapters/kubernetes/lease.h"

#include <gtest/gtest.h>

#include "tests/fakes/api_stage.h"

namespace mete {
namespace {

using std::chrono::seconds;

// Servers limit it to 32 bits. In nanoseconds, this is beyond 64 bits.
TEST(Leases, AreNotTakenAtOnceFromAHolderWithAnEndlessDuration) {
  ApiStage stage;
  stage.body = [](const std::string&) {
    return R"({"spec":{"holderIdentity":"other","renewTime":"t",)"
           R"("leaseDurationSeconds":10000000000}})";
  };
  Leases leases(stage.client, stage.clock);
  auto lease = leases.Acquire(
      {.space = "ml", .name = "watch", .holder = "we", .duration = seconds(15)},
      {});
  ASSERT_TRUE(lease.ok()) << lease.error().message();
  EXPECT_FALSE(lease->held);
  EXPECT_EQ(lease->holder, "other");
}

}  // namespace
}  // namespace mete
