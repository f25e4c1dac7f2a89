#include "adapters/host/linux_machine_probe.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::seconds;

TEST(LinuxMachineProbe, ReadsTheRecordedMachine) {
  FakeClock clock;
  LinuxMachineProbe probe(SystemRoot(METE_FIXTURES "/root/x86"), clock);
  MachineSample sample = probe.Read();
  EXPECT_FALSE(sample.core_busy.empty());
  EXPECT_TRUE(sample.memory_used.has_value());
  EXPECT_EQ(sample.energy_source, "rapl");
  EXPECT_EQ(sample.energy_joules, 0);
}

TEST(LinuxMachineProbe, UsesEverySourceAndReportsAbsentOnes) {
  struct OneGpu final : MachineSource {
    void AddTo(MachineSample& sample) override {
      sample.gpus.push_back({.name = "A2"});
    }
  };
  FakeClock clock;
  MachineSources sources;
  sources.present.push_back(std::make_unique<OneGpu>());
  sources.absent.push_back({.probe = "tegrastats", .reason = "no Jetson"});
  LinuxMachineProbe probe(SystemRoot(METE_FIXTURES "/root/x86"), clock,
                          std::move(sources));
  EXPECT_EQ(probe.Read().gpus.size(), 1u);
  ASSERT_EQ(probe.AbsentProbes().size(), 1u);
  EXPECT_EQ(probe.AbsentProbes()[0].reason, "no Jetson");
}

TEST(LinuxMachineProbe, DoesNotMistakeAMissingSensorForAHotOne) {
  FakeClock clock;
  LinuxMachineProbe nano(SystemRoot(METE_FIXTURES "/root/jetson-nano"), clock);
  EXPECT_EQ(nano.Read().hottest_celsius, 33.5);
}

TEST(LinuxMachineProbe, IntegratesTheInputRailOfAJetson) {
  FakeClock clock;
  LinuxMachineProbe probe(SystemRoot(METE_FIXTURES "/root/jetson-orin"), clock);
  probe.Read();
  clock.Advance(seconds(10));
  MachineSample sample = probe.Read();
  EXPECT_TRUE(sample.energy_source.ends_with("/VDD_IN"))
      << sample.energy_source;
  EXPECT_GT(*sample.energy_joules, 10);
}

}  // namespace
}  // namespace mete
