// Tests `mete collect` on real emulated devices in cgroups: their CPU share,
// collection under load, resumption after mete was killed, and cleanup.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "adapters/sqlite/sqlite_run_store.h"
#include "linux/cgroup_facts.h"
#include "support/file.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using std::filesystem::path;
using ::testing::SizeIs;
// Inside GoogleTest's classes, Run is a member function.
using StoredRun = Run;

const std::string kPrefix = "mete-app-";

std::optional<std::string> WhyNoGroups() {
  if (geteuid() != 0) return "cgroups need root";
  CgroupFacts facts = ReadCgroups(SystemRoot());
  for (const char* name : {"memory", "cpu", "cpuset"}) {
    const CgroupController* found = facts.Find(name);
    if (found == nullptr || !found->writable) {
      return std::string("no writable controller ") + name;
    }
  }
  return std::nullopt;
}

// Returns the cgroups "mete-app-PID-…" of mete processes that are gone.
std::vector<path> LeftoverGroups() {
  std::vector<path> found;
  for (const CgroupController& controller :
       ReadCgroups(SystemRoot()).controllers) {
    for (const std::string& name : SystemRoot().Names(controller.folder)) {
      if (!name.starts_with(kPrefix)) continue;
      pid_t owner = std::stoi(name.substr(kPrefix.size()));
      if (kill(owner, 0) != 0) found.push_back(controller.folder / name);
    }
  }
  return found;
}

class CollectOnDevices : public testing::Test {
 protected:
  void SetUp() override {
    if (auto why = WhyNoGroups()) GTEST_SKIP() << *why;
    nets = folder.path() / "nets";
    ASSERT_EQ(Mete({"zoo", "sample", nets, "--count", "2"}), 0);
  }

  int Mete(std::vector<std::string> arguments) {
    return MeteProgram(store_file, std::move(arguments)).Wait();
  }
  int AddHalf() {
    return Mete({"devices", "add", "half", "--emulate", "--cpus", "0.5",
                 "--memory", "2Gi", "--threads", "1"});  // fits sanitizers
  }
  std::vector<std::string> CollectArguments() const {
    return {"collect", "--networks", nets,        "--device", "half",
            "--load",  "0,60",       "--seconds", "600ms"};
  }
  std::unique_ptr<SqliteRunStore> Store() {
    return SqliteRunStore::Open(store_file).value();
  }

  ScratchFolder folder = ScratchFolder::Create().value();
  path store_file = folder.path() / "store.db";
  path nets;
};

TEST_F(CollectOnDevices, ADeviceGetsItsCpuShareAndIsMeasured) {
  ASSERT_EQ(AddHalf(), 0);
  Device half = Store()->FindDevice("half").value();
  EXPECT_TRUE(half.emulated);
  EXPECT_NEAR(half.emulation->delivered_ratio, 1, 0.1);
  ASSERT_TRUE(half.micro.has_value());
  ASSERT_THAT(half.micro->speeds, SizeIs(1));
  EXPECT_GT(half.micro->speeds[0].gemm_flops_per_second, 1e8);
  EXPECT_GT(half.micro->speeds[0].node_seconds, 1e-8);
  EXPECT_EQ(AddHalf(), 1);  // the name is taken
}

TEST_F(CollectOnDevices, LoadIsMeasuredAndAKilledCollectionResumes) {
  ASSERT_EQ(AddHalf(), 0);
  {
    MeteProgram killed(store_file, CollectArguments());
    ASSERT_TRUE(Until([&] { return !Store()->ListRuns({})->empty(); }));
    killed.End(SIGKILL);
  }
  size_t before = Store()->ListRuns({})->size();
  ASSERT_GE(before, 1u);
  ASSERT_LT(before, 4u);
  ASSERT_EQ(Mete(CollectArguments()), 0);
  std::vector<StoredRun> runs = Store()->ListRuns({}).value();
  ASSERT_THAT(runs, SizeIs(4));  // 2 networks, 2 loads: none twice
  for (const StoredRun& run : runs) {
    EXPECT_EQ(run.outcome.kind, OutcomeKind::kCompleted) << run.outcome.detail;
    EXPECT_NEAR(run.load->measured, run.load->asked, 0.12)
        << run.workload.name << " asked " << run.load->asked;
    EXPECT_EQ(run.limits.cpus, Millicores{500});
  }
  EXPECT_THAT(Store()->ListNetworks().value(), SizeIs(2));
  EXPECT_THAT(LeftoverGroups(), SizeIs(0));
}

// The load takes CPU time from the workload.
TEST_F(CollectOnDevices, ALoadedDeviceIsSlower) {
  ASSERT_EQ(AddHalf(), 0);
  ASSERT_EQ(Mete(CollectArguments()), 0);
  std::map<std::string, std::map<double, double>> seconds;
  std::vector<StoredRun> runs = Store()->ListRuns({}).value();
  for (const StoredRun& run : runs) {
    seconds[run.workload.name][run.load->asked] =
        run.network()->latency->mean.count();
  }
  for (const auto& [name, by_load] : seconds) {
    EXPECT_GT(by_load.at(0.6), 1.3 * by_load.at(0)) << name;
  }
}

TEST_F(CollectOnDevices, ANetworkThatDoesNotFitIsAnOutcome) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "with a sanitizer, not even the engine fits into 128 MiB";
#endif
  ASSERT_EQ(Mete({"devices", "add", "tiny", "--emulate", "--cpus", "1",
                  "--memory", "128Mi"}),
            0);
  path large = folder.path() / "large";
  ASSERT_EQ(Mete({"zoo", "build", large, "--only", "alexnet"}), 0);
  ASSERT_EQ(Mete({"collect", "--networks", large, "--device", "tiny", "--load",
                  "0,40"}),
            0);
  std::vector<StoredRun> runs = Store()->ListRuns({}).value();
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].outcome.kind, OutcomeKind::kOutOfMemory);
  EXPECT_THAT(LeftoverGroups(), SizeIs(0));
}

}  // namespace
}  // namespace mete
