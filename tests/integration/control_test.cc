// Tests the controller with real processes and cgroups: it changes limits, the
// application gets faster, and all limits are restored.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

#include "adapters/throttle/cgroup_actuator.h"
#include "cgroups/group_knobs.h"
#include "control/held_changes.h"
#include "linux/cgroup_facts.h"
#include "linux/cgroup_paths.h"
#include "net/http_server.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/contracts/actuator_contract.h"
#include "tests/integration/daemon.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/running_agent.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using std::chrono::steady_clock;
using testing::HasSubstr;

constexpr const char* kHog = "mete-test-hog";
// A step takes 10 ms alone, 130 ms beside the hog, and up to 40 ms beside other
// tests.
constexpr double kObjective = 0.060;

// Returns why this user cannot limit processes; "" if it can.
std::string WhyNot() {
  if (geteuid() != 0) return "needs root";
  CgroupFacts facts = ReadCgroups(SystemRoot());
  const CgroupController* cpu = facts.Find("cpu");
  if (cpu == nullptr) return "no cpu controller";
  return cpu->writable ? "" : "the cpu controller cannot be written";
}

std::unique_ptr<Daemon> StartWorkload(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), METE_CONTROL_WORKLOAD);
  return std::make_unique<Daemon>(arguments, "/dev/null");
}

// A process without its own cgroup.
ActuatorSubject BareProcess() {
  if (std::string why = WhyNot(); !why.empty()) return {.unavailable = why};
  auto hog = std::make_shared<std::unique_ptr<Daemon>>(StartWorkload({"hog"}));
  using Kind = ControlTarget::Kind;
  return {.actuator = std::make_shared<CgroupActuator>(SystemRoot(), getpid()),
          .target = {.kind = Kind::kProcess,
                     .name = std::to_string((*hog)->process())},
          .missing = {.kind = Kind::kProcess, .name = "mete-no-such-process"},
          .end = [hog] { hog->reset(); }};
}
INSTANTIATE_TEST_SUITE_P(Groups, ActuatorContract,
                         testing::Values(&BareProcess));

// With cgroup v2, both knobs share one cgroup, which the first one creates.
TEST(HeldInGroups, OneRuleRestoresItsLimitWhileTheOtherKeepsIts) {
  if (std::string why = WhyNot(); !why.empty()) GTEST_SKIP() << why;
  auto hog = StartWorkload({"hog"});
  const ControlTarget target{.kind = ControlTarget::Kind::kProcess,
                             .name = std::to_string(hog->process())};
  const SystemRoot root;
  const auto home = FindCgroupPaths(root, hog->process()).cpu->folder;
  ScratchFolder folder = *ScratchFolder::Create();
  CgroupActuator actuator(root, getpid());
  HeldChanges changes({.file = folder.path() / "state", .dry_run = false},
                      actuator);
  auto limited = changes.Tighten({.rule = "one", .target = target, .to = 0.5});
  ASSERT_TRUE(limited.status.ok()) << limited.status.error().message();
  auto paused = changes.Tighten(
      {.rule = "two", .target = target, .knob = ControlKnob::kPause, .to = 1});
  ASSERT_TRUE(paused.status.ok()) << paused.status.error().message();
  auto pause = actuator.Find(target, ControlKnob::kPause);
  ASSERT_TRUE(pause.ok()) << pause.error().message();
  EXPECT_TRUE(changes.Restore("one").at(0).status.ok());
  EXPECT_EQ(*actuator.Read(*pause), 1);
  EXPECT_TRUE(changes.Restore("two").at(0).status.ok());
  EXPECT_EQ(FindCgroupPaths(root, hog->process()).cpu->folder, home);
  EXPECT_FALSE(std::filesystem::exists(pause->place));
}

class ControlTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("METE_STATE", folder_.path().c_str(), 1);
    setenv("HOME", folder_.path().c_str(), 1);
    if (std::string why = WhyNot(); !why.empty()) {
      std::cout << "skipped: " << why << '\n';
      GTEST_SKIP() << why;
    }
  }

  std::string Path(const char* name) const {
    return (folder_.path() / name).string();
  }

  // A metric whose value is set by the test.
  struct Gauge {
    std::atomic<double> value = 0;
    std::unique_ptr<HttpServer> server = *HttpServer::Start(
        {.listen = {.host = "127.0.0.1"}}, [this](const HttpRequest&) {
          return HttpReply{
              {.status = 200, .body = fmt::format("gauge {}\n", value.load())}};
        });
    std::string url() const {
      return "http://" + server->endpoint().Authority();
    }
  };

  // Writes rules that watch the gauge and change the hog's quota.
  void WriteGaugeRules(const Gauge& gauge, const std::string& action) {
    Write(
        fmt::format("every: 100ms\nagents: [{}]\nrules:\n"
                    "  - name: gauge\n    series: gauge\n    below: 10\n"
                    "    for: 0s\n    clear_for: 200ms\n    cool_down: 0s\n"
                    "    actions:\n      - {}\n",
                    gauge.url(), action));
  }
  void Write(const std::string& rules) {
    ASSERT_TRUE(WriteFileAtomically(Path("slo.yaml"), rules).ok());
  }

  std::unique_ptr<MeteProgram> Control(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"control", "--config", Path("slo.yaml"),
                                 "--audit", Path("audit.jsonl")});
    return std::make_unique<MeteProgram>(folder_.path() / "store.db",
                                         std::move(flags));
  }

  std::unique_ptr<Daemon> Hog(const char* mood = "idle") {
    auto hog = StartWorkload({"hog", mood});
    std::string comm = fmt::format("/proc/{}/comm", hog->process());
    EXPECT_TRUE(Until([&] {
      auto name = ReadFile(comm);
      return name.ok() && *name == std::string(kHog) + "\n";
    }));
    return hog;
  }

  static std::filesystem::path FindCgroup(const Daemon& child) {
    auto paths = FindCgroupPaths(SystemRoot(), child.process());
    return paths.cpu ? paths.cpu->folder : "";
  }
  // Returns the quota in CPUs; absent without a limit.
  static std::optional<double> ReadQuota(const Daemon& child) {
    auto paths = FindCgroupPaths(SystemRoot(), child.process());
    if (!paths.cpu) return std::nullopt;
    auto quota = ReadCpuQuota(SystemRoot(), *paths.cpu);
    return quota.ok() ? *quota : std::nullopt;
  }

  // Returns the entries with this decision and result.
  std::vector<Json> Decisions(const std::string& decision,
                              const std::string& result) {
    std::vector<Json> found;
    auto text = ReadFile(Path("audit.jsonl"));
    std::istringstream lines(text.ok() ? *text : "");
    for (std::string line; std::getline(lines, line);) {
      auto json = ParseJson(line);
      if (json.ok() && json->value("decision", "") == decision &&
          json->value("result", "") == result) {
        found.push_back(*json);
      }
    }
    return found;
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
};

const char* kLimitHog = "limit: {process: mete-test-hog, cpus: 0.2}";

TEST_F(ControlTest, LowersTheQuotaOfAHogUntilTheApplicationIsFastAgain) {
  RunningAgent agent(folder_.path());
  setenv("METE_HOOK_SOCKET", agent.socket().c_str(), 1);
  auto app = StartWorkload({"app"});
  unsetenv("METE_HOOK_SOCKET");
  const std::string series_of_app =
      "mete_app_recent_duration_seconds{app=\"control_workload\","
      "quantile=\"0.95\"}";
  auto latency = [&] { return agent.Value(series_of_app).value_or(0); };
  ASSERT_TRUE(Until([&] { return latency() > 0 && latency() < kObjective; }));
  auto hog = Hog("busy");
  const auto home = FindCgroup(*hog);
  ASSERT_TRUE(Until([&] { return latency() > kObjective; }));
  Write(fmt::format(
      "every: 250ms\nagents: [{}]\nrules:\n  - name: detector latency\n"
      "    series: {}\n    below: {}ms\n    for: 1s\n    clear_for: 3s\n    "
      "cool_down: 2s\n"
      "    actions: [log, {{limit: {{process: {}, cpus: 0.1, step: 0.5, "
      "at_least: 0.02}}}}]\n",
      agent.url(), series_of_app, kObjective * 1000, kHog));
  const double hurt = latency();
  auto controller = Control({"--act"});
  ASSERT_TRUE(Until([&] { return ReadQuota(*hog).has_value(); }));
  const auto acted = steady_clock::now();
  EXPECT_LE(*ReadQuota(*hog), 0.1);
  ASSERT_TRUE(Until([&] { return latency() > 0 && latency() < kObjective; }));
  const Seconds recovery = steady_clock::now() - acted;
  std::cout << "p95 " << hurt * 1000 << " ms beside the hog, "
            << latency() * 1000 << " ms " << recovery.count()
            << " s after the act\n";
  EXPECT_LT(recovery, Seconds(5));
  kill(hog->process(), SIGUSR1);  // its load ends
  ASSERT_TRUE(Until([&] { return !Decisions("give back", "done").empty(); }));
  ASSERT_TRUE(
      Until([&] { return !ReadQuota(*hog) && FindCgroup(*hog) == home; }));
  EXPECT_EQ(controller->End(SIGINT), 0);
  auto acts = Decisions("act", "done");
  ASSERT_GE(acts.size(), 2);
  const Json& series = acts.front()["evidence"]["series"].at(0);
  EXPECT_EQ(series["labels"]["app"], "control_workload");
  EXPECT_GT(series["value"].get<double>(), kObjective);
}

TEST_F(ControlTest, ADryRunChangesNothing) {
  auto hog = Hog();
  const auto home = FindCgroup(*hog);
  Gauge gauge;
  gauge.value = 20;
  WriteGaugeRules(gauge, kLimitHog);
  auto controller = Control({});
  ASSERT_TRUE(Until([&] { return !Decisions("act", "would").empty(); }));
  EXPECT_EQ(Decisions("act", "would").front()["value_after"], 0.2);
  EXPECT_EQ(FindCgroup(*hog), home);
  EXPECT_EQ(ReadQuota(*hog), std::nullopt);
  gauge.value = 1;
  ASSERT_TRUE(Until([&] { return !Decisions("give back", "would").empty(); }));
  EXPECT_EQ(controller->End(SIGINT), 0);
  EXPECT_FALSE(std::filesystem::exists(Path("audit.jsonl.state")));
}

TEST_F(ControlTest, RestoresLimitsWhenStopped) {
  auto hog = Hog();
  const auto home = FindCgroup(*hog);
  Gauge gauge;
  gauge.value = 20;
  WriteGaugeRules(gauge, kLimitHog);
  auto controller = Control({"--act"});
  ASSERT_TRUE(Until([&] { return ReadQuota(*hog) == 0.2; }));
  const auto made = FindCgroup(*hog);
  EXPECT_EQ(controller->End(SIGTERM), 0);
  EXPECT_EQ(FindCgroup(*hog), home);
  EXPECT_FALSE(std::filesystem::exists(made));
  EXPECT_EQ(Decisions("end", "done").size(), 1);
}

TEST_F(ControlTest, RestoresLimitsOfAKilledController) {
  auto hog = Hog();
  const auto home = FindCgroup(*hog);
  Gauge gauge;
  gauge.value = 20;
  WriteGaugeRules(gauge, kLimitHog);
  auto controller = Control({"--act"});
  ASSERT_TRUE(Until([&] { return ReadQuota(*hog) == 0.2; }));
  controller->End(SIGKILL);
  EXPECT_EQ(ReadQuota(*hog), 0.2);
  gauge.value = 1;
  controller = Control({"--act"});
  EXPECT_TRUE(Until([&] { return FindCgroup(*hog) == home; }));
  EXPECT_TRUE(Until([&] { return Decisions("recover", "done").size() == 1; }));
}

TEST_F(ControlTest, DoesNotOverwriteChangesOfOthers) {
  auto hog = Hog();
  Gauge gauge;
  gauge.value = 20;
  WriteGaugeRules(gauge, kLimitHog);
  auto controller = Control({"--act"});
  ASSERT_TRUE(Until([&] { return ReadQuota(*hog) == 0.2; }));
  auto group = *FindCgroupPaths(SystemRoot(), hog->process()).cpu;
  ASSERT_TRUE(WriteCpuQuota(SystemRoot(), group, 0.7).ok());
  EXPECT_EQ(controller->End(SIGINT), 0);
  EXPECT_EQ(ReadQuota(*hog), 0.7);
  auto ends = Decisions("end", "done");
  ASSERT_EQ(ends.size(), 1);
  EXPECT_THAT(ends.front().value("remark", ""), HasSubstr("somebody else"));
  hog.reset();
  rmdir(group.folder.c_str());
}

TEST_F(ControlTest, KeepsItsChangesOnRequest) {
  auto hog = Hog();
  Gauge gauge;
  gauge.value = 20;
  WriteGaugeRules(gauge, kLimitHog);
  auto controller = Control({"--act", "--keep"});
  ASSERT_TRUE(Until([&] { return ReadQuota(*hog) == 0.2; }));
  EXPECT_EQ(controller->End(SIGINT), 0);
  EXPECT_EQ(ReadQuota(*hog), 0.2);
  EXPECT_FALSE(std::filesystem::exists(Path("audit.jsonl.state")));
  const auto made = FindCgroup(*hog);
  hog.reset();
  rmdir(made.c_str());
}

TEST_F(ControlTest, LimitsMemoryAndRestoresIt) {
  auto hog = Hog();
  auto limit = [&]() -> std::optional<double> {
    auto paths = FindCgroupPaths(SystemRoot(), hog->process());
    if (!paths.memory) return std::nullopt;
    auto read = ReadMemoryMax(SystemRoot(), *paths.memory);
    return read.ok() ? *read : std::nullopt;
  };
  const auto before = limit();
  Gauge gauge;
  gauge.value = 20;
  WriteGaugeRules(gauge, "limit: {process: mete-test-hog, memory: 200Mi}");
  auto controller = Control({"--act"});
  EXPECT_TRUE(Until([&] { return limit() == 200 * 1048576.0; }));
  gauge.value = 1;
  EXPECT_TRUE(Until([&] { return limit() == before; }));
  EXPECT_EQ(controller->End(SIGINT), 0);
}

TEST_F(ControlTest, PausesAndResumes) {
  auto hog = Hog("busy");
  Gauge gauge;
  gauge.value = 20;
  WriteGaugeRules(gauge, "pause: {process: mete-test-hog}");
  auto controller = Control({"--act"});
  ASSERT_TRUE(Until([&] { return !Decisions("act", "done").empty(); }));
  auto ticks = [&] {  // of CPU time
    return *ReadFile(fmt::format("/proc/{}/schedstat", hog->process()));
  };
  EXPECT_TRUE(Until([&] {
    std::string before = ticks();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return ticks() == before;
  }));
  const std::string frozen = ticks();
  gauge.value = 1;
  EXPECT_TRUE(Until([&] { return ticks() != frozen; }));
  EXPECT_EQ(controller->End(SIGINT), 0);
}

TEST_F(ControlTest, ASecondControllerOnTheSameLogIsRejected) {
  Gauge gauge;
  WriteGaugeRules(gauge, "log");
  auto first = Control({});
  ASSERT_TRUE(
      Until([&] { return std::filesystem::exists(Path("audit.jsonl")); }));
  EXPECT_EQ(Control({})->Wait(), 1);
}

TEST_F(ControlTest, OnceReportsByItsExitCode) {
  Gauge gauge;
  WriteGaugeRules(gauge, "log");
  gauge.value = 1;
  EXPECT_EQ(Control({"--once"})->Wait(), 0);
  gauge.value = 20;
  EXPECT_EQ(Control({"--once"})->Wait(), 3);
  EXPECT_EQ(Control({"--check"})->Wait(), 0);
  EXPECT_FALSE(std::filesystem::exists(Path("audit.jsonl")));
}

TEST_F(ControlTest, PostsItsDecisionsToAWebhook) {
  std::mutex mutex;
  std::string body;
  auto listener = *HttpServer::Start({.listen = {.host = "127.0.0.1"}},
                                     [&](const HttpRequest& request) {
                                       std::lock_guard lock(mutex);
                                       body = request.body;
                                       return HttpReply{{.status = 204}};
                                     });
  Gauge gauge;
  gauge.value = 20;
  WriteGaugeRules(gauge, fmt::format("webhook: http://{}/x",
                                     listener->endpoint().Authority()));
  auto controller = Control({"--act"});
  EXPECT_TRUE(
      Until([&] { return !Decisions("delivery", "delivered").empty(); }));
  std::lock_guard lock(mutex);
  EXPECT_EQ(ParseJson(body)->at("rule"), "gauge");
  EXPECT_EQ(ParseJson(body)->at("evidence")["series"][0]["value"], 20);
}

TEST_F(ControlTest, RunsInsideTheServer) {
  auto hog = Hog();
  Gauge gauge;
  gauge.value = 20;
  WriteGaugeRules(gauge, kLimitHog);
  MeteProgram server(folder_.path() / "store.db",
                     {"serve", "--no-worker", "--listen", "unix://" + Path("s"),
                      "--control", Path("slo.yaml"), "--control-act"});
  EXPECT_TRUE(Until([&] { return ReadQuota(*hog) == 0.2; }));
  EXPECT_EQ(server.End(SIGINT), 0);
  EXPECT_EQ(ReadQuota(*hog), std::nullopt);
}

}  // namespace
}  // namespace mete
