#include "measure/machine_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_host.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MachineCheck Check(FakeHost& host) {
  FakeClock clock;
  return CheckMachine(host, clock, {});
}

TEST(CheckMachine, WarnsAboutProcessesThatKeepCpusBusy) {
  FakeHost host;
  host.cpu_times = {{.cpus = 2, .busy = Seconds(10)},
                    {.cpus = 2, .busy = Seconds(10.26)}};
  MachineCheck check = Check(host);
  EXPECT_NEAR(*check.busy_cpus, 1.3, 1e-9);
  EXPECT_THAT(check.warnings,
              ElementsAre("other processes use 1.3 of 2 CPUs; times may be too "
                          "long"));
}

TEST(CheckMachine, NeverReportsMoreCpusThanTheMachineHas) {
  FakeHost host;
  host.cpu_times = {{.cpus = 2}, {.cpus = 2, .busy = Seconds(0.42)}};
  EXPECT_EQ(Check(host).busy_cpus, 2.0);
}

TEST(CheckMachine, WarnsAboutStolenTime) {
  FakeHost host;
  host.cpu_times = {{.cpus = 2}, {.cpus = 2, .stolen = Seconds(0.1)}};
  EXPECT_THAT(Check(host).warnings,
              ElementsAre("other virtual machines take 0.5 of 2 CPUs; times "
                          "may be too long"));
}

TEST(CheckMachine, ALittleLoadIsNormal) {
  FakeHost host;
  host.cpu_times = {{.cpus = 2}, {.cpus = 2, .busy = Seconds(0.04)}};
  MachineCheck check = Check(host);
  EXPECT_NEAR(*check.busy_cpus, 0.2, 1e-9);
  EXPECT_THAT(check.warnings, IsEmpty());
  host.cpu_readings = 0;
  host.cpu_times = {{.cpus = 64}, {.cpus = 64, .busy = Seconds(0.5)}};
  EXPECT_THAT(Check(host).warnings, IsEmpty());
}

TEST(CheckMachine, SaysNothingWhereNothingCanBeRead) {
  FakeHost host;
  host.environment.governor.reset();
  MachineCheck check = Check(host);
  EXPECT_FALSE(check.busy_cpus.has_value());
  EXPECT_FALSE(check.stolen_cpus.has_value());
  EXPECT_THAT(check.warnings, IsEmpty());
}

TEST(CheckMachine, WarnsAboutAGovernorThatChangesTheClock) {
  FakeHost host;
  host.environment.governor = "powersave";
  EXPECT_THAT(Check(host).warnings,
              ElementsAre("the CPU frequency governor is powersave, not "
                          "performance; times may vary"));
}

TEST(CheckMachine, WarnsFromAQuarterOfACpuOrATwentiethOfAllOn) {
  FakeHost host;
  host.cpu_times = {{.cpus = 2}, {.cpus = 2, .busy = Seconds(0.051)}};
  EXPECT_THAT(Check(host).warnings, testing::SizeIs(1));
  host.cpu_readings = 0;
  host.cpu_times = {{.cpus = 64}, {.cpus = 64, .busy = Seconds(0.65)}};
  EXPECT_THAT(Check(host).warnings, testing::SizeIs(1));
}

TEST(CheckMachine, ComparesNothingIfNoTimePassedOrItWasStopped) {
  FakeHost host;
  host.cpu_times = {{.cpus = 2}, {.cpus = 2, .busy = Seconds(1)}};
  FakeClock clock;
  clock.StandStillInSleep();
  EXPECT_FALSE(CheckMachine(host, clock, {}).busy_cpus);
  host.cpu_readings = 0;
  std::stop_source stop;
  stop.request_stop();
  FakeClock other;
  EXPECT_FALSE(CheckMachine(host, other, stop.get_token()).busy_cpus);
}

}  // namespace
}  // namespace mete
