#include "collect/load_burner.h"

#include <gtest/gtest.h>
#include <time.h>

#include <chrono>

namespace mete {
namespace {

double ProcessTime() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

double SharesUsed(double expected) {
  LoadBurner burner(1);
  burner.Burn(expected);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  auto start = std::chrono::steady_clock::now();
  double before = ProcessTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  double used = ProcessTime() - before;
  std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return used / wall.count();
}

// The bounds are loose, since other programs run beside the test.
TEST(LoadBurner, UsesAboutTheRequestedShare) {
  EXPECT_NEAR(SharesUsed(0.3), 0.3, 0.1);
}

TEST(LoadBurner, IsIdleWithoutAnOrder) { EXPECT_LT(SharesUsed(0), 0.02); }

TEST(LoadBurner, AnswersOrders) {
  LoadBurner burner(1);
  EXPECT_EQ(burner.Answer("{\"do\":\"burn\",\"cpus\":0.0}"),
            "{\"burning\":0.0}");
  EXPECT_NE(burner.Answer("{\"do\":\"burn\"}").find("error"),
            std::string::npos);
  EXPECT_NE(burner.Answer("nonsense").find("error"), std::string::npos);
}

}  // namespace
}  // namespace mete
