// Tests the profiling service as in a cluster: with a real Prometheus, a real
// node exporter and mete-agent for this machine, an exporter that simulates
// other nodes, and the server as a separate process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "domain/device_json.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/integration/daemon.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr const char* kPrometheus = "/usr/bin/prometheus";
constexpr const char* kNodeExporter = "/usr/bin/prometheus-node-exporter";

// Keeps every core of this machine busy while it lives.
class BusyCores {
 public:
  BusyCores() {
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
      threads_.emplace_back([](std::stop_token stop) {
        std::atomic<uint64_t> count = 0;
        while (!stop.stop_requested()) ++count;
      });
    }
  }

 private:
  std::vector<std::jthread> threads_;
};

class ProfilingServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {kPrometheus, kNodeExporter}) {
      if (std::filesystem::exists(program)) continue;
      GTEST_SKIP() << program
                   << " is missing; apt-get install prometheus "
                      "prometheus-node-exporter brings it";
    }
    setenv("METE_STATE", folder_.path().c_str(), 1);
    setenv("HOME", folder_.path().c_str(), 1);
    StartExporters();
    StartPrometheus();
    setenv("PROMETHEUS_IP", Here(prometheus_port_).c_str(), 1);
    setenv("METE_PROMETHEUS_LOAD_WINDOW", "3s", 1);
    server_ = std::make_unique<MeteProgram>(
        folder_.path() / "store.db",
        std::vector<std::string>{"serve", "--no-worker", "--listen",
                                 Here(port_), "--node-ttl", "200ms"});
  }
  void TearDown() override {
    unsetenv("PROMETHEUS_IP");
    unsetenv("METE_PROMETHEUS_LOAD_WINDOW");
  }

  // "worker" is this machine, monitored by mete-agent. "dark" is described but
  // has no load metrics. This exporter provides those of "still" and
  // "stressed".
  std::string DeviceSeries() const {
    std::string text;
    for (const char* name : {"dark", "still", "stressed"}) {
      std::string node = name;
      std::string labels = "char_node_name=\"" + node +
                           "\",char_node_class=\"Computer\","
                           "char_node_uuid=\"uuid-of-" +
                           node + "\"";
      text += "char_node_device_model{" + labels +
              ",char_node_device_model_name=\"Board of " + node + "\"} 1\n";
      text += "char_node_cpu_total_cores{" + labels +
              ",char_node_arch=\"x86_64\"} 1\n";
      text += EngineSeries(node);
    }
    return text + CpuSeries("still", 0.95) + CpuSeries("stressed", 0.1);
  }

  // The engine's speed on a small board.
  static std::string EngineSeries(const std::string& node) {
    std::string text;
    auto add = [&](const char* metric, double value) {
      text += std::string("mete_device_engine_") + metric + "{node=\"" + node +
              "\",threads=\"1\"} " + std::to_string(value) + "\n";
    };
    add("gemm_flops_per_second", 1e9);
    add("conv_flops_per_second", 1e9);
    add("depthwise_flops_per_second", 2e8);
    add("elementwise_bytes_per_second", 1e9);
    add("node_seconds", 1e-5);
    return text;
  }

  // Writes the file of an earlier engine measurement for the agent: a thousand
  // times as fast as the small boards, so that this machine is always the
  // fastest.
  void KeepEngineSpeeds() const {
    mete::Device device{.id = "0123456789abcdef", .name = "worker"};
    device.micro =
        MicroMeasurements{.speeds = {{.threads = 1,
                                      .gemm_flops_per_second = 1e12,
                                      .conv_flops_per_second = 1e12,
                                      .depthwise_flops_per_second = 2e11,
                                      .elementwise_bytes_per_second = 1e12,
                                      .node_seconds = 1e-8}},
                          .engine = "onnxruntime"};
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / "engine-speeds.json",
                                    DeviceToJson(device).dump())
                    .ok());
  }

  // The eight modes of a CPU, which add up to one second per second.
  std::string CpuSeries(const std::string& node, double idle) const {
    double now = std::chrono::duration<double>(
                     std::chrono::steady_clock::now() - started_)
                     .count();
    std::string text;
    for (const char* mode : {"idle", "iowait", "irq", "nice", "softirq",
                             "steal", "system", "user"}) {
      double share = std::string(mode) == "idle" ? idle : (1 - idle) / 7;
      text += "node_cpu_seconds_total{instance=\"" + node +
              "\",cpu=\"0\",mode=\"" + mode + "\"} " +
              std::to_string(now * share) + "\n";
    }
    return text;
  }

  void StartExporters() {
    auto exporter = HttpServer::Start(
        {.listen = {.host = "127.0.0.1"}}, [this](const HttpRequest&) {
          HttpReply reply;
          reply.response.status = 200;
          reply.response.fields["content-type"] = "text/plain; version=0.0.4";
          reply.response.body = DeviceSeries();
          return reply;
        });
    ASSERT_TRUE(exporter.ok()) << exporter.error().message();
    device_exporter_ = *std::move(exporter);
    node_exporter_ = std::make_unique<Daemon>(
        std::vector<std::string>{kNodeExporter, "--collector.disable-defaults",
                                 "--collector.cpu", "--collector.meminfo",
                                 "--collector.filesystem", "--collector.uname",
                                 "--web.listen-address=" + Here(node_port_)},
        folder_.path() / "node-exporter.log");
    KeepEngineSpeeds();
    agent_ = std::make_unique<Daemon>(
        std::vector<std::string>{METE_AGENT, "--listen", Here(agent_port_),
                                 "--node", "worker", "--no-hooks", "--state",
                                 folder_.path().string(), "--user", "root"},
        folder_.path() / "agent.log");
  }

  // The node exporter's instance is the name of the node, as in clusters.
  void StartPrometheus() {
    std::string config =
        "global:\n  scrape_interval: 500ms\n  scrape_timeout: 400ms\n"
        "scrape_configs:\n"
        "- job_name: node\n  static_configs:\n  - targets: ['" +
        Here(node_port_) +
        "']\n  relabel_configs:\n  - target_label: instance\n"
        "    replacement: worker\n"
        "- job_name: devices\n  honor_labels: true\n  static_configs:\n  - "
        "targets: ['" +
        Here(device_exporter_->endpoint().port) + "', '" + Here(agent_port_) +
        "']\n";
    auto path = folder_.path() / "prometheus.yml";
    ASSERT_TRUE(WriteFileAtomically(path, config).ok());
    prometheus_ = std::make_unique<Daemon>(
        std::vector<std::string>{
            kPrometheus, "--config.file=" + path.string(),
            "--storage.tsdb.path=" + (folder_.path() / "tsdb").string(),
            "--web.listen-address=" + Here(prometheus_port_)},
        folder_.path() / "prometheus.log");
  }

  // Sends no token, like clients of the PEPPER profiler.
  HttpResponse Ask(const std::string& target, const std::string& body) {
    auto response = HttpClient({.host = "127.0.0.1", .port = port_})
                        .Send({.method = "POST",
                               .target = target,
                               .fields = {{"content-type", "application/json"}},
                               .body = body});
    return response.ok() ? *response : HttpResponse{};
  }
  std::string AgentPage() {
    auto page = HttpClient({.host = "127.0.0.1", .port = agent_port_})
                    .Send({.target = "/metrics"});
    return page.ok() ? page->body : page.error().message();
  }
  HttpResponse Profile() {
    return Ask("/api/profiling",
               R"({"model":"net","total_parameters":1000000000})");
  }
  // Returns the device of that name in the ranking; null while it is missing.
  Json Device(const std::string& name) {
    HttpResponse response =
        Ask("/api/v1/predict", R"({"networks":[{"total_parameters":1e9}]})");
    auto json = ParseJson(response.body);
    if (!json.ok() || !json->contains("networks")) return nullptr;
    for (const Json& device : json->at("networks")[0].at("devices")) {
      if (device.at("node") == name) return device;
    }
    return nullptr;
  }
  double Load(const std::string& name) {
    Json device = Device(name);
    return device.is_null() ? -1 : device.value("load", -1.0);
  }

  std::chrono::steady_clock::time_point started_ =
      std::chrono::steady_clock::now();
  ScratchFolder folder_ = *ScratchFolder::Create();
  uint16_t port_ = FreePort();
  uint16_t node_port_ = FreePort();
  uint16_t agent_port_ = FreePort();
  uint16_t prometheus_port_ = FreePort();
  std::unique_ptr<HttpServer> device_exporter_;
  std::unique_ptr<Daemon> node_exporter_;
  std::unique_ptr<Daemon> agent_;
  std::unique_ptr<Daemon> prometheus_;
  std::unique_ptr<MeteProgram> server_;
};

TEST_F(ProfilingServiceTest, ReportsTheNodeWithItsRealLoad) {
  ASSERT_TRUE(Until([this] { return Load("worker") >= 0; })) << Profile().body;
  Json best = ParseJson(Profile().body)->at("profiling_prediction");
  EXPECT_EQ(best.at("node"), "worker");
  // Reported by mete-agent for this machine.
  const std::string page = AgentPage();
  EXPECT_THAT(page, HasSubstr("uuid=\"" +
                              best.at("node_uuid").get<std::string>() + "\""));
  EXPECT_THAT(page, HasSubstr(best.at("device_model").get<std::string>()));
  EXPECT_THAT(
      page, HasSubstr("class=\"" + best.at("class").get<std::string>() + "\""));

  Json dark = Device("dark");
  ASSERT_FALSE(dark.is_null());
  EXPECT_EQ(dark.at("state"), "unknown");
  EXPECT_THAT(dark.at("reasons").at(0), HasSubstr("CPU load"));
  EXPECT_EQ(dark.at("node_uuid"), "uuid-of-dark");

  // Reported by the real node exporter. Others may use this machine too, so
  // only "busy" is certain.
  BusyCores busy;
  EXPECT_TRUE(Until([this] { return Load("worker") > 0.9; })) << Load("worker");
}

// mete-agent is sufficient.
TEST_F(ProfilingServiceTest, ReportsTheLoadWithoutNodeExporter) {
  node_exporter_.reset();
  ASSERT_TRUE(Until([this] { return Load("worker") >= 0; })) << Profile().body;
  BusyCores busy;
  EXPECT_TRUE(Until([this] { return Load("worker") > 0.9; })) << Load("worker");
}

// PEPPER's query always returned a load of 87 %.
TEST_F(ProfilingServiceTest, AnIdleAndALoadedMachineHaveDifferentLoads) {
  auto near = [this](const char* name, double expected) {
    return Until([&] { return std::abs(Load(name) - expected) < 0.03; });
  };
  EXPECT_TRUE(near("still", 0.05)) << Load("still");
  EXPECT_TRUE(near("stressed", 0.9)) << Load("stressed");
  // A tenth of the CPU is idle there.
  EXPECT_GT(Device("stressed").at("seconds").get<double>(),
            3 * Device("still").at("seconds").get<double>());
}

TEST_F(ProfilingServiceTest, KeepsAnsweringWhenPrometheusIsKilled) {
  ASSERT_TRUE(Until([this] { return Profile().status == 200; }))
      << Profile().body;
  // The warning about bundled predictors is always there.
  auto stale = [this] {
    return Profile().fields.at("warning").find("stale") != std::string::npos;
  };
  EXPECT_FALSE(stale());
  prometheus_.reset();
  ASSERT_TRUE(Until(stale));
  EXPECT_EQ(Profile().status, 200);
  auto json = ParseJson(
      Ask("/api/v1/predict", R"({"networks":[{"total_parameters":1e9}]})")
          .body);
  ASSERT_TRUE(json.ok());
  EXPECT_TRUE(json->at("nodes").at("stale"));
  EXPECT_THAT(json->at("nodes").at("reason"), HasSubstr("query Prometheus"));
}

}  // namespace
}  // namespace mete
