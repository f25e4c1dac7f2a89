#include "adapters/throttle/cgroup_actuator.h"

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
class CgroupActuatorTest : public testing::TestWithParam<int> {
 protected:
  CgroupActuatorTest() {
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
  Result<LimitHandle> Find(ControlTarget::Kind kind, const std::string& name) {
    return actuator_.Find({.kind = kind, .name = name}, ControlKnob::kCpus);
  }
  std::string Refusal(ControlTarget::Kind kind, const std::string& name) {
    auto handle = Find(kind, name);
    if (handle.ok()) return "";
    EXPECT_EQ(handle.error().code(), ErrorCode::kPermissionDenied);
    return handle.error().message();
  }

  using Kind = ControlTarget::Kind;
  ScratchFolder folder_ = *ScratchFolder::Create();
  SystemRoot root_{folder_.path()};
  CgroupActuator actuator_{root_, 60};
};

TEST_P(CgroupActuatorTest, ChangesTheCgroupThatProcessesHaveToThemselves) {
  Group("batch", "70\n71\n");
  Process(70, 1, "hog", "/batch");
  Process(71, 70, "child", "/batch");
  auto handle = Find(Kind::kProcess, "hog");
  ASSERT_TRUE(handle.ok()) << handle.error().message();
  EXPECT_EQ(handle->place, "/cg/batch");
  EXPECT_EQ(handle->home, "");
  EXPECT_THAT(handle->members, IsEmpty());
  EXPECT_EQ(*actuator_.Read(*handle), std::nullopt);
  ASSERT_TRUE(actuator_.Write(*handle, 0.5).ok());
  EXPECT_EQ(**actuator_.Read(*handle), 0.5);
}

TEST_P(CgroupActuatorTest, CreatesACgroupForProcessesThatShareTheirs) {
  Group("mixed", "70\n71\n80\n");
  Process(70, 1, "hog", "/mixed");
  Process(71, 70, "child", "/mixed");
  Process(80, 1, "other", "/mixed");
  auto handle = Find(Kind::kProcess, "hog");
  ASSERT_TRUE(handle.ok()) << handle.error().message();
  EXPECT_EQ(handle->home, "/cg/mixed");
  EXPECT_EQ(handle->place, GetParam() == 1 ? "/cg/mixed/mete-control-70"
                                           : "/cg/mete-control-70");
  EXPECT_THAT(handle->members, ElementsAre(70, 71));
  EXPECT_EQ(*actuator_.Read(*handle), std::nullopt);  // not created yet
}

TEST_P(CgroupActuatorTest, CreatesACgroupForProcessesInTheRootCgroup) {
  Process(70, 1, "hog", "/");
  auto handle = Find(Kind::kProcess, "70");
  ASSERT_TRUE(handle.ok()) << handle.error().message();
  EXPECT_EQ(handle->place, "/cg/mete-control-70");
  EXPECT_EQ(handle->home, "/cg");
}

TEST_P(CgroupActuatorTest, FindsProcessesByTheNameOfTheirProgram) {
  Group("batch", "70\n");
  Process(70, 1, "hog", "/batch");
  Write("/proc/70/cmdline", std::string("./a-very-long-program-name\0x", 28));
  EXPECT_TRUE(Find(Kind::kProcess, "a-very-long-program-name").ok());
  // The name that mete-agent uses for the application.
  Write("/proc/70/cmdline", std::string("python3\0/opt/detector.py\0", 25));
  EXPECT_TRUE(Find(Kind::kProcess, "detector").ok());
}

TEST_P(CgroupActuatorTest, RejectsProcessesInDifferentCgroups) {
  Group("a", "70\n");
  Group("b", "71\n");
  Process(70, 1, "hog", "/a");
  Process(71, 1, "hog", "/b");
  auto handle = Find(Kind::kProcess, "hog");
  ASSERT_FALSE(handle.ok());
  EXPECT_THAT(handle.error().message(), HasSubstr("different cgroups"));
}

TEST_P(CgroupActuatorTest, FindsCgroupsByTheirPath) {
  Group("a/b", "70\n");
  EXPECT_EQ(Find(Kind::kGroup, "/a/b")->place, "/cg/a/b");
  EXPECT_EQ(Find(Kind::kGroup, "a/b/")->place, "/cg/a/b");
  EXPECT_EQ(Find(Kind::kGroup, "/cg/a/b")->place, "/cg/a/b");
  EXPECT_EQ(Find(Kind::kGroup, "/gone").error().code(), ErrorCode::kNotFound);
}

TEST_P(CgroupActuatorTest, NeverChangesWhatIsDangerous) {
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

TEST_P(CgroupActuatorTest, RejectsAFolderOutsideAllCgroups) {
  auto handle = Find(Kind::kGroup, "/../etc");
  EXPECT_FALSE(handle.ok());
}

TEST_P(CgroupActuatorTest, AProcessThatHasEndedIsNotFound) {
  EXPECT_EQ(Find(Kind::kProcess, "hog").error().code(), ErrorCode::kNotFound);
  Group("batch", "70\n");
  Process(70, 1, "hog", "/batch");
  auto handle = *Find(Kind::kProcess, "hog");
  Group("batch", "");
  std::filesystem::remove_all(folder_.path() / "cg/batch");
  EXPECT_EQ(actuator_.Read(handle).error().code(), ErrorCode::kNotFound);
}

TEST_P(CgroupActuatorTest, RestoresACgroupThatOutlivesItsProcesses) {
  Group("batch", "70\n");
  Process(70, 1, "hog", "/batch");
  auto handle = *Find(Kind::kProcess, "hog");
  ASSERT_TRUE(actuator_.Write(handle, 0.5).ok());
  EXPECT_FALSE(actuator_.HasEnded(handle));
  Write("/cg/batch/cgroup.procs", "");
  EXPECT_TRUE(actuator_.HasEnded(handle));
  ASSERT_TRUE(actuator_.Read(handle).ok());
  EXPECT_EQ(*actuator_.Read(handle), 0.5);
  ASSERT_TRUE(actuator_.Write(handle, std::nullopt).ok());
  EXPECT_EQ(*actuator_.Read(handle), std::nullopt);
  // A cgroup named by its path remains a target without members.
  EXPECT_FALSE(actuator_.HasEnded(*Find(Kind::kGroup, "batch")));
}

TEST_P(CgroupActuatorTest, APidMeansTheProcessThatHadItFirst) {
  Group("batch", "70\n");
  Process(70, 1, "hog", "/batch", 0, 1000);
  ASSERT_TRUE(Find(Kind::kProcess, "70").ok());
  ASSERT_TRUE(Find(Kind::kProcess, "70").ok());
  Process(70, 1, "other", "/batch", 0, 2000);
  auto handle = Find(Kind::kProcess, "70");
  ASSERT_FALSE(handle.ok());
  EXPECT_EQ(handle.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(handle.error().message(), HasSubstr("another process"));
  EXPECT_TRUE(Find(Kind::kProcess, "other").ok());
}

TEST_P(CgroupActuatorTest, AnUnusedPidMeansNoProcessLater) {
  EXPECT_FALSE(Find(Kind::kProcess, "70").ok());
  Group("batch", "70\n");
  Process(70, 1, "other", "/batch");
  EXPECT_EQ(Find(Kind::kProcess, "70").error().code(), ErrorCode::kNotFound);
}

TEST_P(CgroupActuatorTest, DoesNotMoveProcessesOutOfLimits) {
  Group("mixed", "70\n80\n");
  Process(70, 1, "hog", "/mixed");
  Process(80, 1, "other", "/mixed");
  Write("/cg/mixed/pids.max", "max\n");
  ASSERT_TRUE(Find(Kind::kProcess, "hog").ok());
  Write("/cg/mixed/pids.max", "100\n");
  auto handle = Find(Kind::kProcess, "hog");
  // Under cgroup v1 the new cgroup is below, where the limits still apply.
  ASSERT_EQ(handle.ok(), GetParam() == 1);
  if (handle.ok()) return;
  EXPECT_EQ(handle.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(handle.error().message(), HasSubstr("pids.max"));
}

INSTANTIATE_TEST_SUITE_P(Versions, CgroupActuatorTest, testing::Values(1, 2));

}  // namespace
}  // namespace mete
