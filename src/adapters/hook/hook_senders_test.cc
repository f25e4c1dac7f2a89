#include "adapters/hook/hook_senders.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(HookSenders, NothingIsMissingInAnUnbrokenSequence) {
  HookSenders senders;
  EXPECT_EQ(senders.MissingBefore({.pid = 1, .sequence = 0, .records = 5}), 0u);
  EXPECT_EQ(senders.MissingBefore({.pid = 1, .sequence = 5, .records = 2}), 0u);
  EXPECT_EQ(senders.MissingBefore({.pid = 1, .sequence = 7, .records = 1}), 0u);
}

TEST(HookSenders, CountsAGapOnceFromTheFirstDatagramOn) {
  HookSenders senders;
  EXPECT_EQ(senders.MissingBefore({.pid = 1, .sequence = 3, .records = 5}), 3u);
  EXPECT_EQ(senders.MissingBefore({.pid = 1, .sequence = 12, .records = 1}),
            4u);
  EXPECT_EQ(senders.MissingBefore({.pid = 1, .sequence = 13, .records = 1}),
            0u);
}

TEST(HookSenders, CountsProcessesAndConnectionsSeparately) {
  HookSenders senders;
  for (uint32_t pid : {1, 2}) {
    for (uint64_t session : {1, 2}) {
      senders.MissingBefore(
          {.pid = pid, .session = session, .records = 10ull * pid + session});
    }
  }
  for (uint32_t pid : {1, 2}) {
    for (uint64_t session : {1, 2}) {
      EXPECT_EQ(senders.MissingBefore({.pid = pid,
                                       .session = session,
                                       .sequence = 10ull * pid + session + 7}),
                7u)
          << pid << " " << session;
    }
  }
}

TEST(HookSenders, ADecreasingSequenceIsNoLoss) {
  HookSenders senders;
  senders.MissingBefore({.pid = 1, .sequence = 0, .records = 9});
  EXPECT_EQ(senders.MissingBefore({.pid = 1, .sequence = 2, .records = 1}), 0u);
}

TEST(HookSenders, AnAbsurdJumpIsNoLoss) {
  HookSenders senders;
  senders.MissingBefore({.pid = 1, .sequence = 0, .records = 9});
  EXPECT_EQ(senders.MissingBefore(
                {.pid = 1, .sequence = UINT64_MAX - 1, .records = 1}),
            0u);
  EXPECT_EQ(senders.MissingBefore({.pid = 2, .sequence = 1u << 30}), 1u << 30);
  EXPECT_EQ(senders.MissingBefore({.pid = 3, .sequence = (1u << 30) + 1}), 0u);
}

TEST(HookSenders, ForgetsTheOneSilentForLongest) {
  HookSenders senders;
  for (uint32_t pid = 0; pid < HookSenders::kMostSenders; ++pid) {
    senders.MissingBefore({.pid = pid, .records = pid == 1 ? 50u : 10u});
  }
  senders.MissingBefore({.pid = 0, .sequence = 10, .records = 1});
  senders.MissingBefore({.pid = 999999, .records = 1});
  // 0 was heard recently and is known; 1 is new again, so all before it is
  // missing.
  EXPECT_EQ(senders.MissingBefore({.pid = 0, .sequence = 11}), 0u);
  EXPECT_EQ(senders.MissingBefore({.pid = 1, .sequence = 50}), 50u);
}

}  // namespace
}  // namespace mete
