#include "devices/cpu_load.h"

#include <gtest/gtest.h>

#include <thread>

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

// Two cores with busy programs. What they use falls as soon as threads of our
// own compete with them, which take the rest.
class FairScheduler final : public MachineProbe {
 public:
  FairScheduler(FakeClock& clock, double alone, double beside)
      : clock_(clock), alone_(alone), beside_(beside) {}
  MachineSample Read() override {
    const Seconds passed = Seconds(clock_.Now()) - last_;
    last_ += passed;
    const bool competing = !ours_.expired();
    Seconds others = passed * 2 * (competing ? beside_ : alone_);
    Seconds own = competing ? passed * 2 - others : Seconds(0);
    clock_.Advance({},
                   std::chrono::duration_cast<std::chrono::nanoseconds>(own));
    total_ += others + own;
    return {.core_busy = {{.core = 0, .time = total_ / 2},
                          {.core = 1, .time = total_ / 2}}};
  }
  Compete compete() {
    return [this](int threads) {
      threads_ = threads;
      auto ours = std::make_shared<int>();
      ours_ = ours;
      return ours;
    };
  }
  int threads() const { return threads_; }

 private:
  FakeClock& clock_;
  double alone_;
  double beside_;
  Seconds last_{0};
  Seconds total_{0};
  std::weak_ptr<int> ours_;
  int threads_ = 0;
};

TEST(CpuLoad, ProgramsThatUseEveryCoreLeaveTheFairShare) {
  FakeClock clock;
  FairScheduler machine(clock, 1.0, 0.6);
  auto load = ReadLoadBeside({.probe = machine,
                              .clock = clock,
                              .threads = 3,
                              .compete = machine.compete()},
                             {});
  ASSERT_TRUE(load);
  EXPECT_NEAR(load->load, 0.6, 1e-6);
  EXPECT_TRUE(load->competed);
  EXPECT_EQ(machine.threads(), 3);
}

TEST(CpuLoad, DoesNotCompeteIfMostOfTheMachineIsIdle) {
  FakeClock clock;
  FairScheduler machine(clock, 0.2, 0.1);
  auto load = ReadLoadBeside({.probe = machine,
                              .clock = clock,
                              .threads = 2,
                              .compete = machine.compete()},
                             {});
  ASSERT_TRUE(load);
  EXPECT_NEAR(load->load, 0.2, 1e-6);
  EXPECT_FALSE(load->competed);
  EXPECT_EQ(machine.threads(), 0);
}

TEST(CpuLoad, BusyThreadsUseCpuTimeUntilTheyAreDropped) {
  SystemClock clock;
  const Seconds before = clock.ProcessCpu();
  auto busy = KeepThreadsBusy(1);
  while (clock.ProcessCpu() - before < std::chrono::milliseconds(20)) {
    std::this_thread::yield();
  }
  std::weak_ptr<void> watch = busy;
  busy.reset();  // joins
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace mete
