#include "adapters/throttle/group_actuator.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/throttle/process_search.h"
#include "support/file.h"

namespace mete {
namespace {

using std::filesystem::path;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A machine of plain files: 1 is init, 2 a kernel thread, 50 a shell that
// started us (60), and others as a test adds them. One cgroup version.
class GroupActuatorTest : public testing::TestWithParam<int> {
 protected:
  GroupActuatorTest() {
    const bool first = GetParam() == 1;
    Write("/proc/self/mountinfo",
          first ? "30 1 0:1 / /cg rw - cgroup cgroup rw,cpu\n"
                : "30 1 0:1 / /cg rw - cgroup2 cgroup rw\n");
    Group("", "1\n2\n50\n60\n");
    if (!first) Write("/cg/cgroup.controllers", "cpu memory\n");
    Process(1, 0, "init", "/");
    Process(2, 0, "kthreadd", "/", 0x00200000);
    Process(50, 1, "sh", "/");
    Process(60, 50, "mete", "/");
  }

  void Write(const path& file, const std::string& text) {
    path at = folder_.path() / file.relative_path();
    std::filesystem::create_directories(at.parent_path());
    ASSERT_TRUE(WriteFileAtomically(at, text).ok());
  }
  void Process(int pid, int parent, const std::string& name,
               const std::string& group, unsigned flags = 0, int start = 500) {
    std::string base = fmt::format("/proc/{}/", pid);
    Write(base + "stat",
          fmt::format("{} ({}) S {} 0 0 0 -1 {} 0 0 0 0 0 0 0 0 0 0 1 0 {} 0\n",
                      pid, name, parent, flags, start));
    Write(base + "cmdline", flags != 0 ? "" : "/usr/bin/" + name + '\0' + "x");
    Write(base + "cgroup", (GetParam() == 1 ? "1:cpu:" : "0::") + group + "\n");
  }
  void Group(const path& name, const std::string& members) {
    path base = "/cg" / name;
    Write(base / "cgroup.procs", members);
    Write(base / "cpu.max", "max 100000\n");
    Write(base / "cpu.cfs_quota_us", "-1\n");
    Write(base / "cpu.cfs_period_us", "100000\n");
  }
  Result<KnobHold> Find(ControlTarget::Kind kind, const std::string& name) {
    return actuator_.Find({.kind = kind, .name = name}, ControlKnob::kCpus);
  }
  std::string Refusal(ControlTarget::Kind kind, const std::string& name) {
    auto hold = Find(kind, name);
    if (hold.ok()) return "";
    EXPECT_EQ(hold.error().code(), ErrorCode::kPermissionDenied);
    return hold.error().message();
  }

  using Kind = ControlTarget::Kind;
  ScratchFolder folder_ = *ScratchFolder::Create();
  SystemRoot root_{folder_.path()};
  GroupActuator actuator_{root_, 60};
};

TEST_P(GroupActuatorTest, ChangesTheCgroupThatProcessesHaveToThemselves) {
  Group("batch", "70\n71\n");
  Process(70, 1, "hog", "/batch");
  Process(71, 70, "child", "/batch");
  auto hold = Find(Kind::kProcess, "hog");
  ASSERT_TRUE(hold.ok()) << hold.error().message();
  EXPECT_EQ(hold->place, "/cg/batch");
  EXPECT_EQ(hold->home, "");
  EXPECT_THAT(hold->members, IsEmpty());
  EXPECT_EQ(*actuator_.Read(*hold), std::nullopt);
  ASSERT_TRUE(actuator_.Write(*hold, 0.5).ok());
  EXPECT_EQ(**actuator_.Read(*hold), 0.5);
}

TEST_P(GroupActuatorTest, CreatesACgroupForProcessesThatShareTheirs) {
  Group("mixed", "70\n71\n80\n");
  Process(70, 1, "hog", "/mixed");
  Process(71, 70, "child", "/mixed");
  Process(80, 1, "other", "/mixed");
  auto hold = Find(Kind::kProcess, "hog");
  ASSERT_TRUE(hold.ok()) << hold.error().message();
  EXPECT_EQ(hold->home, "/cg/mixed");
  EXPECT_EQ(hold->place, GetParam() == 1 ? "/cg/mixed/mete-control-70"
                                         : "/cg/mete-control-70");
  EXPECT_THAT(hold->members, ElementsAre(70, 71));
  EXPECT_EQ(*actuator_.Read(*hold), std::nullopt);  // not created yet
}

TEST_P(GroupActuatorTest, CreatesACgroupForProcessesInTheRootCgroup) {
  Process(70, 1, "hog", "/");
  auto hold = Find(Kind::kProcess, "70");
  ASSERT_TRUE(hold.ok()) << hold.error().message();
  EXPECT_EQ(hold->place, "/cg/mete-control-70");
  EXPECT_EQ(hold->home, "/cg");
}

TEST_P(GroupActuatorTest, FindsProcessesByTheNameOfTheirProgram) {
  Group("batch", "70\n");
  Process(70, 1, "hog", "/batch");
  Write("/proc/70/cmdline", std::string("./a-very-long-program-name\0x", 28));
  EXPECT_TRUE(Find(Kind::kProcess, "a-very-long-program-name").ok());
  // The name that mete-agent uses for the application.
  Write("/proc/70/cmdline", std::string("python3\0/opt/detector.py\0", 25));
  EXPECT_TRUE(Find(Kind::kProcess, "detector").ok());
}

TEST_P(GroupActuatorTest, RejectsProcessesInDifferentCgroups) {
  Group("a", "70\n");
  Group("b", "71\n");
  Process(70, 1, "hog", "/a");
  Process(71, 1, "hog", "/b");
  auto hold = Find(Kind::kProcess, "hog");
  ASSERT_FALSE(hold.ok());
  EXPECT_THAT(hold.error().message(), HasSubstr("different cgroups"));
}

TEST_P(GroupActuatorTest, FindsCgroupsByTheirPath) {
  Group("a/b", "70\n");
  EXPECT_EQ(Find(Kind::kGroup, "/a/b")->place, "/cg/a/b");
  EXPECT_EQ(Find(Kind::kGroup, "a/b/")->place, "/cg/a/b");
  EXPECT_EQ(Find(Kind::kGroup, "/cg/a/b")->place, "/cg/a/b");
  EXPECT_EQ(Find(Kind::kGroup, "/gone").error().code(), ErrorCode::kNotFound);
}

TEST_P(GroupActuatorTest, NeverChangesWhatIsDangerous) {
  EXPECT_THAT(Refusal(Kind::kProcess, "1"), HasSubstr("the init process"));
  EXPECT_THAT(Refusal(Kind::kProcess, "kthreadd"), HasSubstr("kernel"));
  EXPECT_THAT(Refusal(Kind::kProcess, "mete"), HasSubstr("this program"));
  EXPECT_THAT(Refusal(Kind::kProcess, "sh"),
              HasSubstr("an ancestor of this program"));
  EXPECT_THAT(Refusal(Kind::kGroup, "/"), HasSubstr("is the root cgroup"));
  EXPECT_THAT(Refusal(Kind::kGroup, "/x/.."), HasSubstr("is the root cgroup"));
  Group("ours", "60\n");
  Group("ours/inner", "");
  Process(60, 50, "mete", "/ours/inner");
  EXPECT_THAT(Refusal(Kind::kGroup, "/ours"),
              HasSubstr("contains this program"));
  Group("system", "1\n");
  Process(1, 0, "init", "/system");
  EXPECT_THAT(Refusal(Kind::kGroup, "/system"),
              HasSubstr("contains the init process"));
}

TEST_P(GroupActuatorTest, RejectsAFolderOutsideAllCgroups) {
  auto hold = Find(Kind::kGroup, "/../etc");
  EXPECT_FALSE(hold.ok());
}

TEST_P(GroupActuatorTest, AProcessThatHasEndedIsNotFound) {
  EXPECT_EQ(Find(Kind::kProcess, "hog").error().code(), ErrorCode::kNotFound);
  Group("batch", "70\n");
  Process(70, 1, "hog", "/batch");
  auto hold = *Find(Kind::kProcess, "hog");
  Group("batch", "");
  std::filesystem::remove_all(folder_.path() / "cg/batch");
  EXPECT_EQ(actuator_.Read(hold).error().code(), ErrorCode::kNotFound);
}

TEST_P(GroupActuatorTest, RestoresACgroupThatOutlivesItsProcesses) {
  Group("batch", "70\n");
  Process(70, 1, "hog", "/batch");
  auto hold = *Find(Kind::kProcess, "hog");
  ASSERT_TRUE(actuator_.Write(hold, 0.5).ok());
  EXPECT_FALSE(actuator_.HasEnded(hold));
  Write("/cg/batch/cgroup.procs", "");
  EXPECT_TRUE(actuator_.HasEnded(hold));
  ASSERT_TRUE(actuator_.Read(hold).ok());
  EXPECT_EQ(*actuator_.Read(hold), 0.5);
  ASSERT_TRUE(actuator_.Write(hold, std::nullopt).ok());
  EXPECT_EQ(*actuator_.Read(hold), std::nullopt);
  // A cgroup named by its path remains a target without members.
  EXPECT_FALSE(actuator_.HasEnded(*Find(Kind::kGroup, "batch")));
}

TEST_P(GroupActuatorTest, APidMeansTheProcessThatHadItFirst) {
  Group("batch", "70\n");
  Process(70, 1, "hog", "/batch", 0, 1000);
  ASSERT_TRUE(Find(Kind::kProcess, "70").ok());
  ASSERT_TRUE(Find(Kind::kProcess, "70").ok());
  Process(70, 1, "other", "/batch", 0, 2000);
  auto hold = Find(Kind::kProcess, "70");
  ASSERT_FALSE(hold.ok());
  EXPECT_EQ(hold.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(hold.error().message(), HasSubstr("another process"));
  EXPECT_TRUE(Find(Kind::kProcess, "other").ok());
}

TEST_P(GroupActuatorTest, AnUnusedPidMeansNoProcessLater) {
  EXPECT_FALSE(Find(Kind::kProcess, "70").ok());
  Group("batch", "70\n");
  Process(70, 1, "other", "/batch");
  EXPECT_EQ(Find(Kind::kProcess, "70").error().code(), ErrorCode::kNotFound);
}

TEST_P(GroupActuatorTest, DoesNotMoveProcessesOutOfLimits) {
  Group("mixed", "70\n80\n");
  Process(70, 1, "hog", "/mixed");
  Process(80, 1, "other", "/mixed");
  Write("/cg/mixed/pids.max", "max\n");
  ASSERT_TRUE(Find(Kind::kProcess, "hog").ok());
  Write("/cg/mixed/pids.max", "100\n");
  auto hold = Find(Kind::kProcess, "hog");
  // Under cgroup v1 the new cgroup is below, where the limits still apply.
  ASSERT_EQ(hold.ok(), GetParam() == 1);
  if (hold.ok()) return;
  EXPECT_EQ(hold.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(hold.error().message(), HasSubstr("pids.max"));
}

INSTANTIATE_TEST_SUITE_P(Versions, GroupActuatorTest, testing::Values(1, 2));

}  // namespace
}  // namespace mete
