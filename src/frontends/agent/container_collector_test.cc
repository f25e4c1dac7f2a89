#include "agent/container_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "agent/container_metrics.h"
#include "agent/test_machine.h"
#include "cgroups/control_group.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kId(64, 'a');
const std::string kOtherId(64, 'b');
const std::string kUid = "1f0c7a52-9d3e-4b6a-8c21-0e5f4d3b2a19";

// A machine with cgroup v2, to which a test adds cgroups.
class ContainerCollectorTest : public testing::Test {
 protected:
  void SetUp() override {
    Put("/proc/self/mountinfo",
        "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    Put("/sys/fs/cgroup/cgroup.controllers", "cpu io memory pids\n");
  }
  // Writes to the same file, as the kernel does.
  void Put(const std::string& path, const std::string& content) {
    auto file = root.Locate(path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << content;
  }
  void PutIn(const std::string& group, const std::string& name,
             const std::string& content) {
    Put("/sys/fs/cgroup" + group + "/" + name, content);
  }
  std::string Page(ContainerWatchSettings settings = {}) {
    ContainerCollector collector("edge-1", root, clock, settings);
    return CollectPage(collector);
  }

  ScratchFolder scratch = *ScratchFolder::Create();
  SystemRoot root{scratch.path()};
  FakeClock clock;
  const std::string docker = "/system.slice/docker-" + kId + ".scope";
};

TEST_F(ContainerCollectorTest, ExportsTheUsageOfAContainer) {
  PutIn(docker, "cpu.stat",
        "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n"
        "nr_periods 10\nnr_throttled 3\nthrottled_usec 125000\n");
  PutIn(docker, "cpu.max", "150000 100000\n");
  PutIn(docker, "memory.current", "10000\n");
  PutIn(docker, "memory.peak", "20000\n");
  PutIn(docker, "memory.max", "536870912\n");
  PutIn(docker, "memory.swap.current", "4096\n");
  PutIn(docker, "memory.events", "oom 2\noom_kill 1\n");
  PutIn(docker, "memory.stat", "inactive_file 4000\npgfault 7\npgmajfault 2\n");
  PutIn(docker, "io.stat", "8:0 rbytes=512 wbytes=1024\n");
  PutIn(docker, "pids.current", "5\n");
  PutIn(docker, "io.pressure",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=1500000\n");
  const std::string page = Page();
  const std::string labels =
      "{node=\"edge-1\",container=\"aaaaaaaaaaaa\",runtime=\"docker\"} ";
  for (const char* sample :
       {"cpu_seconds_total# 2.5", "cpu_user_seconds_total# 2",
        "cpu_system_seconds_total# 0.5", "cpu_periods_total# 10",
        "cpu_throttled_periods_total# 3", "cpu_throttled_seconds_total# 0.125",
        "cpu_limit_cores# 1.5", "memory_bytes# 10000",
        "memory_working_set_bytes# 6000", "memory_peak_bytes# 20000",
        "memory_limit_bytes# 536870912", "memory_swap_bytes# 4096",
        "oom_kills_total# 1", "page_faults_total# 7",
        "major_page_faults_total# 2", "io_read_bytes_total# 512",
        "io_written_bytes_total# 1024", "tasks# 5"}) {
    std::string line = sample;
    line.replace(line.find("# "), 2, labels);
    EXPECT_THAT(page, HasSubstr("\nmete_container_" + line + "\n"));
  }
  EXPECT_THAT(page, HasSubstr("resource=\"io\",stalled=\"some\"} 1.5\n"));
  EXPECT_THAT(page, HasSubstr("mete_containers{node=\"edge-1\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("mete_containers_left_out{node=\"edge-1\"} 0\n"));
}

TEST_F(ContainerCollectorTest, LeavesOutLimitsThatAreNotSet) {
  PutIn(docker, "cpu.max", "max 100000\n");
  PutIn(docker, "memory.max", "max\n");
  PutIn(docker, "memory.current", "1\n");
  EXPECT_THAT(Page(), AllOf(HasSubstr("mete_container_memory_bytes{"),
                            Not(HasSubstr("limit"))));
}

TEST_F(ContainerCollectorTest, NeverExportsANegativeWorkingSet) {
  PutIn(docker, "memory.current", "1000\n");
  PutIn(docker, "memory.stat", "inactive_file 4000\n");
  EXPECT_THAT(
      Page(),
      HasSubstr("working_set_bytes{node=\"edge-1\",container=\"aaaaaaaaaaaa\","
                "runtime=\"docker\"} 0\n"));
}

TEST_F(ContainerCollectorTest, TakesTheNameOfAPodFromItsLogDirectory) {
  const std::string group = "/kubepods/burstable/pod" + kUid + "/" + kId;
  PutIn(group, "pids.current", "5\n");
  ContainerCollector collector("edge-1", root, clock);
  EXPECT_THAT(
      CollectPage(collector),
      HasSubstr(
          "mete_container_tasks{node=\"edge-1\",container=\"aaaaaaaaaaaa\","
          "runtime=\"containerd\",pod=\"" +
          kUid + "\"} 5\n"));
  Put("/var/log/pods/shop_web-0_" + kUid + "/app/0.log", "");
  clock.Advance(seconds(5));
  const std::string page = CollectPage(collector);
  EXPECT_THAT(page, HasSubstr("pod=\"" + kUid +
                              "\",namespace=\"shop\",pod_name=\"web-0\"} 5\n"));
  EXPECT_THAT(
      page,
      HasSubstr(
          "mete_container_info{node=\"edge-1\",container=\"aaaaaaaaaaaa\","
          "id=\"" +
          kId + "\",runtime=\"containerd\",pod=\"" + kUid +
          "\",pod_name=\"web-0\",namespace=\"shop\","
          "name=\"\",group=\"" +
          group + "\"} 1\n"));
}

TEST_F(ContainerCollectorTest, FindsANewContainerWithinFiveSeconds) {
  ContainerCollector collector("edge-1", root, clock);
  EXPECT_THAT(CollectPage(collector),
              HasSubstr("mete_containers{node=\"edge-1\"} 0\n"));
  PutIn(docker, "pids.current", "5\n");
  for (int i = 0; i < 5; ++i) {
    clock.Advance(seconds(1));
    MetricBatch batch;
    ASSERT_TRUE(collector.Collect(batch).ok());
  }
  EXPECT_THAT(CollectPage(collector), HasSubstr("mete_container_tasks{"));
}

TEST_F(ContainerCollectorTest, RemovesAContainerThatIsGone) {
  PutIn(docker, "pids.current", "5\n");
  ContainerCollector collector("edge-1", root, clock, {.descriptors = 0});
  EXPECT_THAT(CollectPage(collector), HasSubstr("mete_container_tasks{"));
  std::filesystem::remove_all(root.Locate("/sys/fs/cgroup" + docker));
  EXPECT_THAT(CollectPage(collector),
              AllOf(Not(HasSubstr("mete_container_")),
                    HasSubstr("mete_containers{node=\"edge-1\"} 0\n")));
}

TEST_F(ContainerCollectorTest, ReadsARunningContainerAtOnceAndItsDetailsLater) {
  PutIn(docker, "cpu.stat", "usage_usec 1000000\n");
  PutIn(docker, "pids.current", "5\n");
  ContainerCollector collector("edge-1", root, clock);
  CollectPage(collector);
  clock.Advance(std::chrono::milliseconds(10));
  PutIn(docker, "cpu.stat", "usage_usec 3000000\n");
  PutIn(docker, "pids.current", "6\n");
  EXPECT_THAT(CollectPage(collector),
              AllOf(HasSubstr("runtime=\"docker\"} 3\n"),
                    HasSubstr("runtime=\"docker\"} 5\n")));
  clock.Advance(seconds(5));
  PutIn(docker, "cpu.stat", "usage_usec 4000000\n");
  EXPECT_THAT(CollectPage(collector), HasSubstr("runtime=\"docker\"} 6\n"));
}

TEST_F(ContainerCollectorTest, ReadsAnIdleContainerAfterAWhile) {
  PutIn(docker, "cpu.stat", "usage_usec 1000000\n");
  PutIn(docker, "memory.current", "100\n");
  ContainerCollector collector("edge-1", root, clock);
  CollectPage(collector);
  clock.Advance(seconds(1));
  CollectPage(collector);
  PutIn(docker, "memory.current", "200\n");
  clock.Advance(seconds(1));
  EXPECT_THAT(CollectPage(collector), HasSubstr("runtime=\"docker\"} 100\n"));
  clock.Advance(seconds(5));
  EXPECT_THAT(CollectPage(collector), HasSubstr("runtime=\"docker\"} 200\n"));
}

TEST_F(ContainerCollectorTest, FindsOtherHierarchiesOnceACgroupHasAProcess) {
  Put("/proc/self/mountinfo",
      "31 20 0:27 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
      "32 20 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  PutIn("/memory/api/mete-app-1", "memory.usage_in_bytes", "100\n");
  PutIn("/memory/api/mete-app-1", "cgroup.procs", "");
  PutIn("/cpuacct/mete-app-1", "cpuacct.usage", "2000000000\n");
  ContainerCollector collector("edge-1", root, clock);
  EXPECT_THAT(CollectPage(collector), Not(HasSubstr("cpu_seconds")));
  PutIn("/memory/api/mete-app-1", "cgroup.procs", "77\n");
  Put("/proc/77/cgroup", "2:cpuacct:/mete-app-1\n4:memory:/api/mete-app-1\n");
  clock.Advance(seconds(1));
  EXPECT_THAT(CollectPage(collector),
              HasSubstr("mete_container_cpu_seconds_total{"
                        "node=\"edge-1\",container=\"mete-app-1\","
                        "runtime=\"mete\"} 2\n"));
}

TEST_F(ContainerCollectorTest, PrefersContainersToServices) {
  PutIn("/system.slice/a.service", "pids.current", "1\n");
  PutIn("/system.slice/b.service", "pids.current", "1\n");
  PutIn(docker, "pids.current", "5\n");
  EXPECT_THAT(
      Page({.most = 2}),
      AllOf(HasSubstr("container=\"aaaaaaaaaaaa\""),
            HasSubstr("container=\"a.service\""),
            Not(HasSubstr("container=\"b.service\"")),
            HasSubstr("mete_containers{node=\"edge-1\"} 3\n"),
            HasSubstr("mete_containers_left_out{node=\"edge-1\"} 1\n")));
}

TEST_F(ContainerCollectorTest, GivesContainersUniqueLabels) {
  std::string twin = kId;
  twin.back() = 'f';
  PutIn("/docker/" + kId, "pids.current", "1\n");
  PutIn("/docker/" + twin, "pids.current", "2\n");
  PutIn("/x/docker/" + kId, "pids.current", "3\n");
  PutIn("/y/docker/" + kId, "pids.current", "4\n");
  EXPECT_THAT(
      Page(),
      AllOf(HasSubstr(
                "tasks{node=\"edge-1\",container=\"aaaaaaaaaaaa\",runtime="),
            HasSubstr("tasks{node=\"edge-1\",container=\"" + twin +
                      "\",runtime="),
            HasSubstr("mete_containers_left_out{node=\"edge-1\"} 1\n")));
}

TEST_F(ContainerCollectorTest, SurvivesHostileNames) {
  PutIn("/system.slice/a\"} 1\nx{b=\"\\\xff.service", "pids.current", "5\n");
  EXPECT_THAT(Page(),
              HasSubstr("mete_container_tasks{node=\"edge-1\",container="
                        "\"a\\\"} 1\\nx{b=\\\"\\\\"
                        "\xEF\xBF\xBD.service\",runtime=\"systemd\"} 5\n"));
}

TEST_F(ContainerCollectorTest, FailsIfNoCgroupsAreMounted) {
  Put("/proc/self/mountinfo", "");
  ContainerCollector collector("edge-1", root, clock);
  MetricBatch batch;
  Status done = collector.Collect(batch);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kUnsupported);
}

// A process that sleeps in a real cgroup. The destructor ends it.
class Sleeper {
 public:
  explicit Sleeper(const ControlGroup& group) {
    auto entries = group.OpenEntries();
    if (!entries.ok()) return;
    pid_ = fork();
    if (pid_ != 0) return;
    for (const Descriptor& entry : *entries) {
      if (write(entry.number(), "0", 1) != 1) _exit(1);
    }
    raise(SIGSTOP);
    pause();
    _exit(0);
  }
  ~Sleeper() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  // True once it is in the cgroup.
  bool WaitUntilIn() const {
    int status = 0;
    return pid_ > 0 && waitpid(pid_, &status, WUNTRACED) == pid_ &&
           WIFSTOPPED(status);
  }

 private:
  pid_t pid_ = -1;
};

TEST(ContainerCollectorOnThisMachineTest, ExportsARealCgroupUntilItIsRemoved) {
  SystemRoot root;
  FakeClock clock;
  LimitReport report;
  auto group = ControlGroup::Create(root, {.memory = Mebibytes(64)}, report);
  if (!group.ok() || group->empty() || !group->counts()) {
    GTEST_SKIP() << "cgroups cannot be created here";
  }
  std::optional<ControlGroup> held(*std::move(group));
  const std::string name =
      std::filesystem::path(held->folders().front()).filename();
  ContainerCollector collector("edge-1", root, clock);
  {
    Sleeper sleeper(*held);
    ASSERT_TRUE(sleeper.WaitUntilIn());
#ifdef __SANITIZE_THREAD__
    const std::string tasks = "2";  // one is the sanitizer's thread
#else
    const std::string tasks = "1";
#endif
    const std::string labels =
        "{node=\"edge-1\",container=\"" + name + "\",runtime=\"mete\"} ";
    EXPECT_THAT(CollectPage(collector),
                AllOf(HasSubstr("mete_container_tasks" + labels + tasks + "\n"),
                      HasSubstr("mete_container_cpu_seconds_total" + labels),
                      HasSubstr("mete_container_memory_limit_bytes" + labels +
                                "67108864\n")));
  }
  held.reset();
  EXPECT_THAT(CollectPage(collector), Not(HasSubstr(name)));
}

TEST(ContainerMetricsTest, FollowPrometheusNaming) {
  for (const MetricFamily* family : kContainerFamilies) {
    ASSERT_NE(family, nullptr);
    EXPECT_TRUE(family->name.starts_with("mete_container")) << family->name;
    EXPECT_EQ(family->name.ends_with("_total"),
              family->kind == MetricKind::kCounter)
        << family->name;
    EXPECT_NE(family->name.find(family->unit), family->name.npos);
    EXPECT_FALSE(family->help.empty() || family->caveat.empty());
  }
}

TEST_F(ContainerCollectorTest, SearchesEveryFourSeconds) {
  ContainerCollector collector("edge-1", root, clock);
  CollectPage(collector);
  PutIn(docker, "pids.current", "5\n");
  clock.Advance(std::chrono::milliseconds(3999));
  EXPECT_THAT(CollectPage(collector), Not(HasSubstr("mete_container_tasks{")));
  clock.Advance(std::chrono::milliseconds(1));
  EXPECT_THAT(CollectPage(collector), HasSubstr("mete_container_tasks{"));
}

TEST_F(ContainerCollectorTest, CountsWhatIsLeftOutInEverySearchAlone) {
  PutIn("/system.slice/a.service", "pids.current", "1\n");
  PutIn("/system.slice/b.service", "pids.current", "1\n");
  ContainerCollector collector("edge-1", root, clock, {.most = 1});
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(CollectPage(collector),
                HasSubstr("mete_containers_left_out{node=\"edge-1\"} 1\n"));
    clock.Advance(seconds(4));
  }
}

TEST_F(ContainerCollectorTest, AContainerThatIsGoneLeavesItsLabel) {
  std::string twin = kId;
  twin.back() = 'f';
  PutIn("/docker/" + kId, "pids.current", "1\n");
  ContainerCollector collector("edge-1", root, clock, {.descriptors = 0});
  CollectPage(collector);
  std::filesystem::remove_all(root.Locate("/sys/fs/cgroup/docker/" + kId));
  CollectPage(collector);
  PutIn("/docker/" + twin, "pids.current", "2\n");
  clock.Advance(seconds(4));
  EXPECT_THAT(CollectPage(collector),
              HasSubstr("tasks{node=\"edge-1\",container=\"aaaaaaaaaaaa\","
                        "runtime=\"docker\"} 2\n"));
}

TEST_F(ContainerCollectorTest, ACgroupThatReturnsIsNamedAgain) {
  const std::string group = "/kubepods/burstable/pod" + kUid + "/" + kId;
  const std::string logs = "/var/log/pods/shop_web-0_" + kUid;
  PutIn(group, "pids.current", "5\n");
  Put(logs + "/app/0.log", "");
  ContainerCollector collector("edge-1", root, clock, {.descriptors = 0});
  EXPECT_THAT(CollectPage(collector), HasSubstr("pod_name=\"web-0\""));
  std::filesystem::remove_all(root.Locate("/sys/fs/cgroup" + group));
  std::filesystem::remove_all(root.Locate(logs));
  CollectPage(collector);
  PutIn(group, "pids.current", "5\n");
  Put("/var/log/pods/shop_web-1_" + kUid + "/app/0.log", "");
  clock.Advance(seconds(4));
  EXPECT_THAT(CollectPage(collector), HasSubstr("pod_name=\"web-1\""));
}

TEST_F(ContainerCollectorTest, ShortensLongCgroupPaths) {
  std::string group = "/docker";
  for (int i = 0; i < 5; ++i) group += "/" + std::string(60, 'x');
  group += "/docker/" + kId;
  PutIn(group, "pids.current", "5\n");
  const std::string page = Page();
  const std::string before = "group=\"";
  const size_t start = page.find(before) + before.size();
  // 256 characters, of which the ellipsis takes three bytes.
  EXPECT_EQ(page.find('"', start) - start, 258u);
}

// Deadlines of the first round are spread: the first container uses the first
// three hundredths for its details, limits and rest.
constexpr std::chrono::hours kNever{24 * 365};

TEST_F(ContainerCollectorTest, SpreadsTheFirstReadsOfIdleContainers) {
  const std::string other = "/system.slice/docker-" + kOtherId + ".scope";
  for (const std::string& group : {docker, other}) {
    PutIn(group, "cpu.stat", "usage_usec 1000000\n");
    PutIn(group, "memory.current", "100\n");
  }
  ContainerCollector collector("edge-1", root, clock, {.rest = seconds(100)});
  CollectPage(collector);
  for (const std::string& group : {docker, other}) {
    PutIn(group, "memory.current", "200\n");
  }
  auto memory = [&](char id) {
    const std::string line =
        "mete_container_memory_bytes{node=\"edge-1\","
        "container=\"" +
        std::string(12, id) + "\",runtime=\"docker\"} ";
    const std::string page = CollectPage(collector);
    return page.substr(page.find(line) + line.size(), 3);
  };
  clock.Advance(std::chrono::milliseconds(2990));
  EXPECT_EQ(memory('a'), "100");
  clock.Advance(std::chrono::milliseconds(10));
  EXPECT_EQ(memory('a'), "200");
  EXPECT_EQ(memory('b'), "100");
  clock.Advance(seconds(3));
  EXPECT_EQ(memory('b'), "200");
  // The next rest is a full one.
  PutIn(docker, "memory.current", "300\n");
  clock.Advance(std::chrono::milliseconds(96'999));
  EXPECT_EQ(memory('a'), "200");
  clock.Advance(std::chrono::milliseconds(1));
  EXPECT_EQ(memory('a'), "300");
}

TEST_F(ContainerCollectorTest, ReadsDetailsAndLimitsOfABusyContainerInTurn) {
  PutIn(docker, "pids.current", "5\n");
  PutIn(docker, "memory.max", "1000\n");
  ContainerCollector collector(
      "edge-1", root, clock,
      {.rest = kNever, .details = seconds(100), .seldom = seconds(100)});
  int time = 0;
  auto page = [&] {
    PutIn(docker, "cpu.stat",
          "usage_usec " + std::to_string(++time * 1'000'000) + "\n");
    return CollectPage(collector);
  };
  page();
  PutIn(docker, "pids.current", "6\n");
  PutIn(docker, "memory.max", "2000\n");
  clock.Advance(std::chrono::milliseconds(999));
  EXPECT_THAT(page(), Not(HasSubstr("runtime=\"docker\"} 6\n")));
  clock.Advance(std::chrono::milliseconds(1));
  EXPECT_THAT(page(), AllOf(HasSubstr("runtime=\"docker\"} 6\n"),
                            HasSubstr("runtime=\"docker\"} 1000\n")));
  clock.Advance(seconds(1));
  EXPECT_THAT(page(), HasSubstr("runtime=\"docker\"} 2000\n"));
  PutIn(docker, "pids.current", "7\n");
  clock.Advance(std::chrono::milliseconds(98'999));
  EXPECT_THAT(page(), Not(HasSubstr("runtime=\"docker\"} 7\n")));
  clock.Advance(std::chrono::milliseconds(1));
  EXPECT_THAT(page(), HasSubstr("runtime=\"docker\"} 7\n"));
}

TEST_F(ContainerCollectorTest, ReadsTheTasksOfACgroupWithoutControllersAtOnce) {
  PutIn(docker, "pids.current", "5\n");
  ContainerCollector collector("edge-1", root, clock, {.rest = kNever});
  CollectPage(collector);
  PutIn(docker, "pids.current", "6\n");
  EXPECT_THAT(CollectPage(collector), HasSubstr("runtime=\"docker\"} 6\n"));
}

TEST_F(ContainerCollectorTest, RestsLongerWithMoreThan500Containers) {
  for (int i = 0; i < 501; ++i) {
    std::string id = std::to_string(100'000 + i);
    id.resize(64, 'a');
    PutIn("/docker/" + id, "cpu.stat", "usage_usec 1\n");
    PutIn("/docker/" + id, "memory.current", "100\n");
  }
  ContainerCollector collector(
      "edge-1", root, clock,
      {.search_every = kNever, .rest = seconds(500), .seldom = kNever});
  CollectPage(collector);
  clock.Advance(seconds(600));
  CollectPage(collector);  // all are read, the next time after 501 s
  PutIn("/docker/100007" + std::string(58, 'a'), "memory.current", "200\n");
  clock.Advance(std::chrono::milliseconds(500'900));
  EXPECT_THAT(CollectPage(collector), Not(HasSubstr("} 200\n")));
  clock.Advance(std::chrono::milliseconds(100));
  EXPECT_THAT(CollectPage(collector), HasSubstr("} 200\n"));
}

TEST_F(ContainerCollectorTest,
       LooksForOtherHierarchiesAgainAtEveryTwelfthRest) {
  Put("/proc/self/mountinfo",
      "31 20 0:27 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
      "32 20 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  PutIn("/memory/api/mete-app-1", "memory.usage_in_bytes", "100\n");
  PutIn("/memory/api/mete-app-1", "cgroup.procs", "");
  PutIn("/cpuacct/mete-app-1", "cpuacct.usage", "2000000000\n");
  ContainerCollector collector("edge-1", root, clock,
                               {.search_every = kNever, .rest = seconds(100)});
  CollectPage(collector);
  clock.Advance(seconds(100));
  CollectPage(collector);  // the first rest ends: nothing to find
  PutIn("/memory/api/mete-app-1", "cgroup.procs", "77\n");
  Put("/proc/77/cgroup", "2:cpuacct:/mete-app-1\n4:memory:/api/mete-app-1\n");
  for (int rest = 2; rest <= 12; ++rest) {
    clock.Advance(seconds(100));
    EXPECT_THAT(CollectPage(collector), Not(HasSubstr("cpu_seconds"))) << rest;
  }
  clock.Advance(seconds(100));
  EXPECT_THAT(CollectPage(collector), HasSubstr("cpu_seconds"));
}

// The files below a folder that this process holds open.
std::set<std::string> OpenBelow(const std::filesystem::path& folder) {
  std::set<std::string> open;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/self/fd")) {
    const std::string target =
        std::filesystem::read_symlink(entry.path(), error).string();
    if (!error && target.starts_with(folder.string() + "/")) {
      open.insert(target.substr(folder.string().size() + 1));
    }
  }
  return open;
}

TEST_F(ContainerCollectorTest, SharesOpenFilesBetweenContainers) {
  for (const char* name : {"a", "b"}) {
    const std::string group = "/system.slice/" + std::string(name) + ".service";
    PutIn(group, "cpu.stat", "usage_usec 1\n");
    PutIn(group, "memory.current", "1\n");
    PutIn(group, "pids.current", "1\n");
  }
  const auto slice = root.Locate("/sys/fs/cgroup/system.slice");
  auto open_with = [&](size_t descriptors) {
    ContainerCollector collector("edge-1", root, clock,
                                 {.descriptors = descriptors});
    CollectPage(collector);
    return OpenBelow(slice);
  };
  EXPECT_THAT(open_with(1), testing::ElementsAre("a.service/cpu.stat"));
  EXPECT_THAT(open_with(2),
              testing::ElementsAre("a.service/cpu.stat", "b.service/cpu.stat"));
  EXPECT_EQ(open_with(3).size(), 3u);
}

// Docker's file is read once for each container.
TEST_F(ContainerCollectorTest, ACompleteNameIsNotReadAgain) {
  const std::string config =
      "/var/lib/docker/containers/" + kId + "/config.v2.json";
  PutIn(docker, "pids.current", "5\n");
  Put(config, R"({"Name": "/first"})");
  ContainerCollector collector("edge-1", root, clock);
  EXPECT_THAT(CollectPage(collector), HasSubstr("name=\"first\""));
  Put(config, R"({"Name": "/second"})");
  clock.Advance(seconds(5));
  EXPECT_THAT(CollectPage(collector), HasSubstr("name=\"first\""));
}

}  // namespace
}  // namespace mete
