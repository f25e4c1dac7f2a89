#include "doctor/machine_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "doctor/diagnose.h"
#include "doctor/doctor_test_machine.h"

namespace mete {
namespace {

using testing::HasSubstr;
using MachineFindings = MadeUpMachine;

TEST_F(MachineFindings, NameTheSystemAndTheBoard) {
  Finding finding = FindSystem(Recorded("pi4"));
  EXPECT_EQ(finding.state, FindingState::kOk);
  EXPECT_EQ(finding.seen,
            "Debian GNU/Linux 11 (bullseye), kernel 6.1.21-v8+, on Raspberry "
            "Pi 4 Model B Rev 1.4");
}

TEST_F(MachineFindings, ReportAProcessorLimitedByACgroup) {
  Finding finding = FindProcessor(Recorded("x86"), 4);
  EXPECT_EQ(finding.state, FindingState::kLimited);
  EXPECT_THAT(finding.seen, HasSubstr("4 usable cores, limited to 1.5"));
}

TEST_F(MachineFindings, ReportAFrequencyGovernorThatVaries) {
  Finding finding = FindProcessor(Recorded("pi4"), 4);
  EXPECT_EQ(finding.state, FindingState::kLimited);
  EXPECT_EQ(finding.seen,
            "Arm Cortex-A72, 4 usable cores, frequency governor ondemand");
}

TEST_F(MachineFindings, AcceptAProcessorOfFixedFrequency) {
  Put("/proc/cpuinfo", "model name\t: AMD EPYC\n");
  EXPECT_EQ(FindProcessor(root, 2).state, FindingState::kOk);
  EXPECT_EQ(FindProcessor(root, 2).seen, "AMD EPYC, 2 usable cores");
}

TEST_F(MachineFindings, ReportMissingCgroups) {
  EXPECT_EQ(FindCgroups(root).state, FindingState::kMissing);
}

TEST_F(MachineFindings, ReportAControllerDisabledByTheKernel) {
  Finding finding = FindCgroups(Recorded("pi4"));
  EXPECT_EQ(finding.state, FindingState::kLimited);
  EXPECT_THAT(finding.seen, HasSubstr("cgroup v2"));
  EXPECT_THAT(finding.seen, HasSubstr("the kernel offers no memory"));
  EXPECT_THAT(finding.advice, HasSubstr("cgroup_enable=memory"));
}

TEST_F(MachineFindings, AcceptWritableCgroups) {
  Put("/proc/self/cgroup", "0::/mine\n");
  Put("/proc/self/mountinfo",
      "30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  Put("/sys/fs/cgroup/mine/cgroup.controllers", "cpu memory pids\n");
  Finding finding = FindCgroups(root);
  EXPECT_EQ(finding.state, FindingState::kOk);
  EXPECT_EQ(finding.seen, "cgroup v2, writable: cpu, memory, pids");
}

TEST_F(MachineFindings, ReportCgroupsThatAreNotWritable) {
  // These cgroups do not exist, so not even root can write them.
  Put("/proc/self/cgroup", "4:memory:/gone\n5:cpu,cpuacct:/gone\n");
  Put("/proc/self/mountinfo",
      "31 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      "32 25 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  Finding finding = FindCgroups(root);
  EXPECT_EQ(finding.state, FindingState::kLimited);
  EXPECT_EQ(finding.seen, "cgroup v1, writable: no controller");
}

TEST_F(MachineFindings, ReportWorkingPerfCounters) {
  probes.perf = {};
  Finding finding = FindPerfCounters(Recorded("x86"), probes);
  EXPECT_EQ(finding.state, FindingState::kOk);
  EXPECT_EQ(finding.seen, "hardware counters work; perf_event_paranoid is 3");
}

TEST_F(MachineFindings, SayHowToAllowPerfCounters) {
  probes.perf =
      Error(ErrorCode::kPermissionDenied, "perf_event_open: permission denied");
  Finding finding = FindPerfCounters(Recorded("x86"), probes);
  EXPECT_EQ(finding.state, FindingState::kMissing);
  EXPECT_THAT(finding.advice, HasSubstr("perf_event_paranoid=2"));
}

TEST_F(MachineFindings, DoNotBlamePermissionsForAMissingPmu) {
  Finding finding = FindPerfCounters(root, probes);
  EXPECT_EQ(finding.seen, "no counters; no perf_event_paranoid");
  EXPECT_THAT(finding.advice, HasSubstr("virtual PMU"));
}

TEST_F(MachineFindings, ListReadableEnergyCounters) {
  Finding finding = FindRapl(Recorded("x86"));
  EXPECT_EQ(finding.state, FindingState::kOk);
  EXPECT_EQ(finding.seen, "readable: package-0, core");
  EXPECT_EQ(FindRapl(Recorded("pi4")).state, FindingState::kMissing);
}

TEST_F(MachineFindings, ReportUnreadableEnergyCounters) {
  Put("/sys/class/powercap/intel-rapl:0/name", "package-0\n");
  // A folder in place of the counter, unreadable even for root.
  std::filesystem::create_directories(
      root.Locate("/sys/class/powercap/intel-rapl:0/energy_uj"));
  EXPECT_EQ(FindRapl(root).state, FindingState::kLimited);
}

TEST_F(MachineFindings, ReportTheNvidiaDriver) {
  probes.nvidia = NvidiaAnswer{.driver = "535.161.08", .devices = 1};
  EXPECT_EQ(FindNvidia(Recorded("x86"), probes).seen,
            "driver 535.161.08, 1 device");
}

TEST_F(MachineFindings, AdviseByTheKindOfGpu) {
  EXPECT_THAT(FindNvidia(Recorded("x86"), probes).advice,
              HasSubstr("install NVIDIA's driver"));
  EXPECT_THAT(FindNvidia(Recorded("jetson-nano"), probes).advice,
              HasSubstr("tegrastats"));
  EXPECT_THAT(FindNvidia(Recorded("pi4"), probes).advice,
              HasSubstr("nothing to do"));
}

TEST_F(MachineFindings, ReportAnExistingAndANewStore) {
  Put("/state/mete/store.db");
  EXPECT_EQ(FindStore(root, "/state/mete/store.db").seen,
            "/state/mete/store.db exists and is writable");
  Finding later = FindStore(root, "/state/new/deep/store.db");
  EXPECT_EQ(later.state, FindingState::kOk);
  EXPECT_EQ(later.seen,
            "/state/new/deep/store.db will be created on first use");
}

TEST_F(MachineFindings, ReportAStoreThatCannotBeCreated) {
  SystemRoot nowhere(folder.path() / "absent");
  Finding finding = FindStore(nowhere, "/state/store.db");
  EXPECT_EQ(finding.state, FindingState::kMissing);
  EXPECT_THAT(finding.advice, HasSubstr("--store sqlite:PATH"));
}

TEST_F(MachineFindings, AreListedWithTheCallersFindings) {
  std::vector<std::string> subjects;
  for (const Finding& finding :
       Diagnose({.root = root.Locate("/"),
       .environment = [](const std::string&) { return std::nullopt; },
       .store = "/store.db",
       .more = {{.subject = "ONNX Runtime", .seen = "1.22.0"}}},
                probes)) {
    subjects.push_back(finding.subject);
    EXPECT_FALSE(finding.seen.empty()) << finding.subject;
    EXPECT_EQ(finding.advice.empty(), finding.state == FindingState::kOk)
        << finding.subject;
  }
  EXPECT_THAT(subjects,
              testing::ElementsAre("system", "processor", "cgroups",
                                   "perf counters", "RAPL energy", "NVML",
                                   "Docker", "Podman", "Prometheus",
                                   "Kubernetes", "ONNX Runtime", "store"));
}

}  // namespace
}  // namespace mete
