// The default queries of mete watch on a real metric server that scrapes a page
// in the formats that kubelet, cAdvisor and DCGM exporter document.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "net/http_server.h"
#include "support/json.h"
#include "tests/integration/mete_program.h"
#include "tests/integration/metric_server.h"
#include "watch/watch_config.h"

namespace mete {
namespace {

using std::chrono::steady_clock;
using testing::HasSubstr;

// What the containers of pod ml/train-0 do per second. Kubelets report every
// container, its pod ("") and the pause container ("POD"); only containers may
// count, and interfaces belong to the pod.
constexpr const char* kKubelet = R"(
container_cpu_usage_seconds_total{{container="main",cpu="total",namespace="ml",pod="train-0"}} {0}
container_cpu_usage_seconds_total{{container="",cpu="total",namespace="ml",pod="train-0"}} {0}
container_cpu_usage_seconds_total{{container="POD",cpu="total",namespace="ml",pod="train-0"}} {0}
container_cpu_usage_seconds_total{{container="",cpu="total",namespace="",pod=""}} {0}
container_memory_working_set_bytes{{container="main",namespace="ml",pod="train-0"}} 1e9
container_memory_working_set_bytes{{container="",namespace="ml",pod="train-0"}} 1.1e9
container_network_receive_bytes_total{{container="",interface="eth0",namespace="ml",pod="train-0"}} {1}
container_network_transmit_bytes_total{{container="",interface="eth0",namespace="ml",pod="train-0"}} {2}
container_fs_reads_bytes_total{{container="main",device="/dev/sda",namespace="ml",pod="train-0"}} {3}
container_fs_writes_bytes_total{{container="main",device="/dev/sda",namespace="ml",pod="train-0"}} {4}
container_fs_reads_seconds_total{{container="main",device="/dev/sda",namespace="ml",pod="train-0"}} {5}
container_fs_writes_seconds_total{{container="main",device="/dev/sda",namespace="ml",pod="train-0"}} {6}
)";
// cAdvisor names pods by labels of the container, and reports every CPU.
constexpr const char* kCadvisor = R"(
container_cpu_usage_seconds_total{{container_label_io_kubernetes_pod_name="train-1",container_label_io_kubernetes_pod_namespace="ml",cpu="cpu00"}} {0}
container_cpu_usage_seconds_total{{container_label_io_kubernetes_pod_name="train-1",container_label_io_kubernetes_pod_namespace="ml",cpu="cpu01"}} {0}
container_memory_working_set_bytes{{container_label_io_kubernetes_pod_name="train-1",container_label_io_kubernetes_pod_namespace="ml"}} 5e8
)";
constexpr const char* kDcgm = R"(
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",device="nvidia0",modelName="Tesla K80",Hostname="titan34",container="main",namespace="ml",pod="train-0"} 87
DCGM_FI_DEV_MEM_COPY_UTIL{gpu="0",UUID="GPU-1",device="nvidia0",modelName="Tesla K80",Hostname="titan34",container="main",namespace="ml",pod="train-0"} 42
DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-1",device="nvidia0",modelName="Tesla K80",Hostname="titan34",container="main",namespace="ml",pod="train-0"} 11094
DCGM_FI_DEV_FB_FREE{gpu="0",UUID="GPU-1",device="nvidia0",modelName="Tesla K80",Hostname="titan34",container="main",namespace="ml",pod="train-0"} 346
)";

// The counters start again at 0 after eight seconds, as when a container does.
std::string Page(double elapsed) {
  const double t = elapsed < 8 ? elapsed : elapsed - 8;
  return fmt::format(kKubelet, 0.5 * t, 2e6 * t, 1e6 * t, 3e6 * t, 4e6 * t,
                     0.1 * t, 0.2 * t) +
         fmt::format(kCadvisor, 0.2 * t) + kDcgm;
}

class WatchSourcesTest : public testing::TestWithParam<MetricServerKind> {
 protected:
  void SetUp() override {
    if (MetricServer::Program(GetParam()).empty()) {
      GTEST_SKIP() << "the metric server is not installed";
    }
    exporter_ = *HttpServer::Start(
        {.listen = {.host = "127.0.0.1"}}, [this](const HttpRequest&) {
          steady_clock::time_point never{};
          first_scrape_.compare_exchange_strong(never, steady_clock::now());
          return HttpReply{{.status = 200,
                            .fields = {{"content-type", "text/plain"}},
                            .body = Page(Elapsed())}};
        });
    server_.emplace(GetParam(), folder_.path(),
                    std::vector{Here(exporter_->endpoint().port)});
    setenv("METE_PROMETHEUS", server_->url().c_str(), 1);
  }

  // Seconds since the first scrape; 0 before.
  double Elapsed() const {
    const steady_clock::time_point first = first_scrape_;
    if (first == steady_clock::time_point{}) return 0;
    return std::chrono::duration<double>(steady_clock::now() - first).count();
  }

  // The default configuration on the time scale of a test.
  std::string WriteConfig() {
    std::string text(kWatchExample);
    auto set = [&text](const std::string& key, const std::string& value) {
      const size_t at = text.find("\n" + key + ": ") + 1;
      CHECK(at > 0);
      text.replace(at, text.find('\n', at) - at, key + ": " + value);
    };
    set("window", "16s");
    set("step", "1s");
    set("range", "4s");
    auto file = folder_.path() / "watch.yaml";
    CHECK(WriteFileAtomically(file, text).ok());
    return file.string();
  }

  // The annotations of an object after one round; null if it has none.
  Json Annotations(const std::string& name) {
    auto file = folder_.path() / "profiles.json";
    std::filesystem::remove(file);
    MeteProgram mete(folder_.path() / "s.db",
                     {"watch", "--once", "--sink", "file", "--file",
                      file.string(), "--config", config_});
    if (mete.Wait() != 0) return nullptr;
    auto text = ReadFile(file);
    if (!text.ok()) return nullptr;
    const Json objects = ParseJson(*text)->at("objects");
    for (const Json& object : objects) {
      if (object.at("name") == name) return object.at("annotations");
    }
    return nullptr;
  }

  static double Number(const Json& annotations, const char* metric,
                       const char* statistic) {
    const Json& metrics = annotations.at("mete.dev/profile").at("metrics");
    if (!metrics.contains(metric)) return -1;
    return metrics.at(metric).at(statistic).get<double>();
  }

  std::atomic<steady_clock::time_point> first_scrape_{};
  ScratchFolder folder_ = *ScratchFolder::Create();
  std::string config_ = WriteConfig();
  std::unique_ptr<HttpServer> exporter_;
  std::optional<MetricServer> server_;
};

TEST_P(WatchSourcesTest, ReadsKubeletCadvisorAndDcgm) {
  // After 22 s, the window of 16 s contains the restart of the counters, and at
  // most a third of its rates span it.
  Json train;
  ASSERT_TRUE(Until([&] {
    train = Annotations("train-0");
    return !train.is_null() && Number(train, "cpu", "max") > 0.3 &&
           Elapsed() > 22;
  }));
  EXPECT_NEAR(Number(train, "cpu", "median"), 0.5, 0.1);
  EXPECT_LT(Number(train, "cpu", "max"), 0.9) << "a reset is not usage";
  EXPECT_EQ(Number(train, "memory", "max"), 1e9);
  EXPECT_NEAR(Number(train, "network_receive", "median"), 2e6, 4e5);
  EXPECT_NEAR(Number(train, "network_transmit", "median"), 1e6, 2e5);
  EXPECT_NEAR(Number(train, "disk_read", "median"), 3e6, 6e5);
  EXPECT_NEAR(Number(train, "disk_write", "median"), 4e6, 8e5);
  EXPECT_NEAR(Number(train, "disk_time", "median"), 0.3, 0.06);
  EXPECT_EQ(Number(train, "gpu_utilization", "max"), 0.87);
  EXPECT_EQ(train.at("ai.centaurus.io/cpu_mem_mb"), "1000");

  const Json other = Annotations("train-1");
  ASSERT_FALSE(other.is_null());
  EXPECT_NEAR(Number(other, "cpu", "median"), 0.4, 0.08);
  EXPECT_EQ(Number(other, "memory", "max"), 5e8);

  const Json node = Annotations("titan34");
  ASSERT_FALSE(node.is_null());
  EXPECT_EQ(node.at("ai.centaurus.io/gpu-static"),
            "{'count': '1', 'model': 'Tesla K80', 'mem_size': '12GB'}");
  EXPECT_THAT(node.at("ai.centaurus.io/gpu-0").get<std::string>(),
              HasSubstr("'mem_used': '11GB', 'mem_free': '1GB'"));
  EXPECT_THAT(node.at("ai.centaurus.io/gpu-0").get<std::string>(),
              HasSubstr("'max_mem_bw_util': 42, 'max_gpu_util': 87"));
}

INSTANTIATE_TEST_SUITE_P(Servers, WatchSourcesTest,
                         testing::Values(MetricServerKind::kPrometheus,
                                         MetricServerKind::kVictoriaMetrics),
                         MetricServerName);

}  // namespace
}  // namespace mete
