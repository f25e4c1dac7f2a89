#include "devices/cpu_load.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

// Every core is busy for `each` between two readings.
class BusyCores final : public MachineProbe {
 public:
  BusyCores(int cores, Seconds each) : cores_(cores), each_(each) {}
  MachineSample Read() override {
    MachineSample sample;
    for (int core = 0; core < cores_; ++core) {
      sample.core_busy.push_back({.core = core, .time = total_});
    }
    total_ += each_;
    return sample;
  }

 private:
  int cores_;
  Seconds each_;
  Seconds total_{100};
};

TEST(CpuLoad, IsTheBusyShareOfAllCores) {
  FakeClock clock;
  BusyCores probe(4, Seconds(0.2));
  auto load = ReadCpuLoad(probe, clock, {});
  ASSERT_TRUE(load);
  EXPECT_NEAR(*load, 0.4, 1e-9);
}

TEST(CpuLoad, IsAbsentWhereCoresAreNotReported) {
  FakeClock clock;
  BusyCores probe(0, Seconds(0));
  EXPECT_FALSE(ReadCpuLoad(probe, clock, {}));
}

}  // namespace
}  // namespace mete
