#include "serve/turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/integration/until.h"

namespace mete {
namespace {

TEST(Turns, OneWaitsAndTheNextIsTurnedAway) {
  Turns turns;
  std::optional<Turns::Turn> first = turns.Take();
  ASSERT_TRUE(first);
  std::atomic<bool> had_turn = false;
  std::jthread second([&] { had_turn = turns.Take().has_value(); });
  ASSERT_TRUE(Until([&] { return turns.waiting() == 1; }));
  EXPECT_FALSE(turns.Take());
  EXPECT_FALSE(had_turn) << "two at once";
  first.reset();
  second.join();
  EXPECT_TRUE(had_turn);
  EXPECT_TRUE(turns.Take()) << "the place is free again";
}

}  // namespace
}  // namespace mete
