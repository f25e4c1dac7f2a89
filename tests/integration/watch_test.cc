// mete watch without Kubernetes: a real metric server, node exporter and
// mete-agent see a periodic load on this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include <thread>

#include "support/json.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/metric_server.h"
#include "tests/integration/running_agent.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::HasSubstr;

constexpr seconds kLoadPeriod{8};

// Holds 2 GiB of memory for half of each period: a load that other programs on
// a busy machine do not hide.
class PeriodicMemory {
 public:
  PeriodicMemory() : thread_([](std::stop_token stop) { Repeat(stop); }) {}

  static constexpr uint64_t kBytes = Gibibytes(2).count;

 private:
  static bool InUse() {
    auto phase = steady_clock::now().time_since_epoch() % kLoadPeriod;
    return phase < kLoadPeriod / 2;
  }
  static void Repeat(std::stop_token stop) {
    while (!stop.stop_requested()) {
      if (InUse()) Hold(stop);
      std::this_thread::sleep_for(milliseconds(20));
    }
  }
  static void Hold(std::stop_token stop) {
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    CHECK(memory != MAP_FAILED);
    while (InUse() && !stop.stop_requested()) {
      std::this_thread::sleep_for(milliseconds(20));
    }
    munmap(memory, kBytes);
  }

  std::jthread thread_;
};

std::string Config(const std::string& query, const std::string& labels) {
  return "period: 1s\nwindow: 64s\nstep: 1s\nrange: 3s\ntolerance: 30%\n"
         "metrics:\n"
         "- {name: memory, of: node, kind: gauge, unit: bytes, sources: "
         "[{query: '" +
         query + "', labels: " + labels + "}]}\n";
}

const std::string kAgentConfig = Config(
    "max by (exported_node, node) (mete_device_memory_bytes) - max by "
    "(exported_node, node) (last_over_time(mete_device_memory_available_bytes"
    "[$range]))",
    "{node: exported_node|node}");
const std::string kExporterConfig = Config(
    "max by (nodename) ((node_memory_MemTotal_bytes - "
    "last_over_time(node_memory_MemAvailable_bytes[$range])) * on (instance, "
    "job) group_left (nodename) node_uname_info)",
    "{node: nodename}");

class WatchTest : public testing::TestWithParam<MetricServerKind> {
 protected:
  void SetUp() override {
    if (MetricServer::Program(GetParam()).empty()) {
      GTEST_SKIP() << "the metric server is not installed";
    }
    if (!std::filesystem::exists(kExporter)) {
      GTEST_SKIP() << "prometheus-node-exporter is not installed";
    }
    struct sysinfo machine {};
    if (sysinfo(&machine) != 0 ||
        machine.freeram * machine.mem_unit < 2 * PeriodicMemory::kBytes) {
      GTEST_SKIP() << "less than 4 GiB of memory are free";
    }
    if (geteuid() != 0) GTEST_SKIP() << "mete-agent --user root requires root";
    uint16_t port = FreePort();
    exporter_.emplace(
        std::vector<std::string>{kExporter,
                                 "--web.listen-address=" + Here(port)},
        folder_.path() / "exporter.log");
    agent_.emplace(folder_.path());
    server_.emplace(GetParam(), folder_.path(),
                    std::vector<std::string>{
                        Here(port), agent_->url().substr(strlen("http://"))});
    load_.emplace();
  }

  std::filesystem::path Write(const std::string& name,
                              const std::string& content) {
    auto path = folder_.path() / name;
    CHECK(WriteFileAtomically(path, content).ok());
    return path;
  }

  // Runs one round and returns the profile of this node; null while it has no
  // period.
  Json ProfileWithPeriod(const std::string& config) {
    auto file = folder_.path() / "profiles.json";
    std::filesystem::remove(file);
    MeteProgram mete(folder_.path() / "s.db",
                     {"watch", "--once", "--sink", "file", "--file",
                      file.string(), "--config", config});
    if (mete.Wait() != 0) return nullptr;
    auto text = ReadFile(file);
    if (!text.ok()) return nullptr;
    Json objects = ParseJson(*text)->at("objects");
    for (const Json& object : objects) {
      const Json& metric = object.at("annotations")
                               .at("mete.dev/profile")
                               .at("metrics")
                               .at("memory");
      if (metric.contains("period")) return metric;
    }
    return nullptr;
  }

  // At most three minutes: 64 s of history, then a few rounds.
  void ExpectPeriod(const std::string& config) {
    setenv("METE_PROMETHEUS", server_->url().c_str(), 1);
    auto path = Write("watch.yaml", config);
    const auto end = steady_clock::now() + seconds(180);
    Json metric;
    while (metric.is_null() && steady_clock::now() < end) {
      metric = ProfileWithPeriod(path.string());
      if (metric.is_null()) std::this_thread::sleep_for(seconds(2));
    }
    ASSERT_FALSE(metric.is_null()) << "no period was found";
    EXPECT_NEAR(metric.at("period").at("seconds").get<double>(),
                static_cast<double>(kLoadPeriod.count()), 0.8);
    EXPECT_GT(metric.at("max").get<double>(),
              static_cast<double>(PeriodicMemory::kBytes));
    EXPECT_EQ(metric.at("unit"), "bytes");
  }

  static constexpr const char* kExporter = "/usr/bin/prometheus-node-exporter";
  ScratchFolder folder_ = *ScratchFolder::Create();
  std::optional<Daemon> exporter_;
  std::optional<RunningAgent> agent_;
  std::optional<MetricServer> server_;
  std::optional<PeriodicMemory> load_;
};

TEST_P(WatchTest, FindsThePeriodOfALoadOnThisMachine) {
  ASSERT_NO_FATAL_FAILURE(ExpectPeriod(kAgentConfig));
  ASSERT_NO_FATAL_FAILURE(ExpectPeriod(kExporterConfig));
}

TEST_P(WatchTest, RecoversWhenTheServerReturns) {
  setenv("METE_PROMETHEUS", server_->url().c_str(), 1);
  auto config = Write("watch.yaml", kAgentConfig);
  auto log = folder_.path() / "watch.log";
  auto file = folder_.path() / "profiles.json";
  setenv("METE_STATE", folder_.path().c_str(), 1);
  Daemon mete({METE_PROGRAM, "watch", "--sink", "file", "--file", file.string(),
               "--config", config.string()},
              log);
  auto has = [&](const std::string& text) {
    return ReadFile(log).ok() && ReadFile(log)->find(text) != std::string::npos;
  };
  ASSERT_TRUE(Until([&] { return has("1 object, 1 changed"); }))
      << *ReadFile(log);
  server_->Kill();
  ASSERT_TRUE(Until([&] { return has("retrying in"); })) << *ReadFile(log);
  std::string before = *ReadFile(file);
  server_->Start();
  const size_t lost = ReadFile(log)->size();
  ASSERT_TRUE(Until([&] {
    return ReadFile(log)->find(" changed, ", lost) != std::string::npos;
  })) << *ReadFile(log);
  EXPECT_FALSE(before.empty());
  kill(mete.process(), SIGHUP);
  ASSERT_TRUE(Until([&] { return has("read the configuration again"); }));
  int status = mete.End(SIGTERM);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

INSTANTIATE_TEST_SUITE_P(Servers, WatchTest,
                         testing::Values(MetricServerKind::kPrometheus,
                                         MetricServerKind::kVictoriaMetrics),
                         MetricServerName);

}  // namespace
}  // namespace mete
