// Tests sweeps of workloads with known needs, with the real program in real
// cgroups, and resuming a sweep that was killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "adapters/sqlite/sqlite_sweep_store.h"
#include "linux/cgroup_facts.h"
#include "support/file.h"
#include "sweep/answer.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

constexpr uint64_t kMi = 1 << 20;

class SweepTest : public testing::Test {
 protected:
  void SetUp() override {
    CgroupFacts facts = ReadCgroups(SystemRoot());
    const CgroupController* memory = facts.Find("memory");
    const CgroupController* cpu = facts.Find("cpu");
    bool groups = geteuid() == 0 && memory != nullptr && memory->writable &&
                  cpu != nullptr && cpu->writable;
    if (!groups) GTEST_SKIP() << "needs root and cgroups";
    setenv("METE_STATE", folder_.path().c_str(), 1);
  }

  std::vector<std::string> Arguments(std::vector<std::string> flags,
                                     std::vector<std::string> workload) {
    flags.insert(flags.begin(), "sweep");
    flags.insert(flags.end(), {"--", METE_KNOWN_WORKLOAD});
    flags.insert(flags.end(), workload.begin(), workload.end());
    return flags;
  }
  std::vector<Sweep> Sweeps() {
    return SqliteSweepStore::Open({.path = store_})
        .value()
        ->ListSweeps()
        .value();
  }

  ScratchFolder folder_ = ScratchFolder::Create().value();
  std::filesystem::path store_ = folder_.path() / "store.db";
};

TEST_F(SweepTest, FindsTheMinimumMemory) {
  MeteProgram mete(store_,
                   Arguments({"--memory", "96Mi:8Mi", "--search", "bisect"},
                             {"touch", "40"}));
  ASSERT_EQ(mete.Wait(), 0);
  std::vector<Sweep> sweeps = Sweeps();
  ASSERT_EQ(sweeps.size(), 1u);
  SweepAnswer answer = ComputeAnswer(sweeps[0]);
  EXPECT_TRUE(sweeps[0].finished);
  EXPECT_TRUE(answer.confirmed);
  const Floor& floor = answer.memory.at(0).floor;
  // The program itself and its kernel memory use less than 2 MiB.
  EXPECT_GE(floor.smallest.value(), 40 * kMi);
  EXPECT_LE(floor.smallest.value(), 42 * kMi);
  EXPECT_EQ(floor.fails.value(), floor.smallest.value() - kMi);
  EXPECT_LE(sweeps[0].points.size(), 12u);
  for (const SweepPoint& point : sweeps[0].points) {
    if (point.worked) continue;
    EXPECT_EQ(point.outcome.kind, OutcomeKind::kOutOfMemory);
  }
}

TEST_F(SweepTest, TimeIsInverseToTheCpuQuota) {
  // The quotas are less than a busy machine has left, so only they matter. Each
  // run covers more than 20 quota periods, so none is repeated.
  MeteProgram mete(store_,
                   Arguments({"--cpus", "0.3:0.1:0.1"}, {"burn", "700"}));
  ASSERT_EQ(mete.Wait(), 0);
  std::vector<SweepPoint> points = Sweeps().at(0).points;
  ASSERT_EQ(points.size(), 3u);
  for (const SweepPoint& point : points) {
    double cpus = static_cast<double>(*point.limits.millicores) / 1000;
    EXPECT_NEAR(point.cpu_time.value().count(), 0.7, 0.1);
    EXPECT_NEAR(point.duration.count() * cpus, 0.7, 0.15 * 0.7) << cpus;
    EXPECT_GT(point.throttled.value(), 0.5);
  }
}

TEST_F(SweepTest, AKilledSweepResumes) {
  // Slow enough to be killed before it has finished.
  auto arguments = Arguments({"--memory", "48Mi:8Mi:8Mi"}, {"sleep", "400"});
  {
    MeteProgram mete(store_, arguments);
    ASSERT_TRUE(Until([&] {
      std::vector<Sweep> sweeps = Sweeps();
      return !sweeps.empty() && sweeps[0].points.size() >= 2;
    }));
    mete.End(SIGKILL);
  }
  size_t before = Sweeps().at(0).points.size();
  ASSERT_LT(before, 6u);
  MeteProgram again(store_, arguments);
  ASSERT_EQ(again.Wait(), 0);
  std::vector<Sweep> sweeps = Sweeps();
  ASSERT_EQ(sweeps.size(), 1u);
  EXPECT_TRUE(sweeps[0].finished);
  EXPECT_EQ(sweeps[0].points.size(), 6u);
  // The sweep is finished: the same arguments start a new one.
  MeteProgram fresh(store_, arguments);
  ASSERT_EQ(fresh.Wait(), 0);
  EXPECT_EQ(Sweeps().size(), 2u);
}

TEST_F(SweepTest, FailingAtTheHighestLimitIsNotFeasible) {
  MeteProgram mete(store_,
                   Arguments({"--memory", "24Mi:8Mi", "--search", "bisect"},
                             {"touch", "40"}));
  EXPECT_EQ(mete.Wait(), 3);
  EXPECT_EQ(Sweeps().at(0).points.size(), 1u);
}

}  // namespace
}  // namespace mete
