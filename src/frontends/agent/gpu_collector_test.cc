#include "agent/gpu_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/nvml/nvml_source.h"
#include "agent/gpu_metrics.h"
#include "agent/test_machine.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kGpuPodUid = "1f0c7a52-9d3e-4b6a-8c21-0e5f4d3b2a19";

// Returns the same sample every time.
class FixedSource final : public MachineSource {
 public:
  explicit FixedSource(MachineSample reported)
      : reported_(std::move(reported)) {}
  void AddTo(MachineSample& sample) override {
    sample.gpus.insert(sample.gpus.end(), reported_.gpus.begin(),
                       reported_.gpus.end());
    if (reported_.memory_bus_load)
      sample.memory_bus_load = reported_.memory_bus_load;
  }

 private:
  MachineSample reported_;
};

class GpuCollectorTest : public testing::Test {
 protected:
  void Put(const std::string& path, const std::string& content) {
    auto file = root.Locate(path);
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(WriteFileAtomically(file, content).ok());
  }
  void SetSample(MachineSample sample) {
    sources.push_back(std::make_unique<FixedSource>(std::move(sample)));
  }
  std::string Page() {
    GpuCollector collector(std::move(sources), root);
    return CollectPage(collector);
  }

  ScratchFolder scratch = *ScratchFolder::Create();
  SystemRoot root{scratch.path()};
  std::vector<std::unique_ptr<MachineSource>> sources;
};

// WaAP reported the free memory under the first name.
TEST_F(GpuCollectorTest, ExportsUsedMemoryUnderTheNameOfWaap) {
  SetSample({.gpus = {{.name = "a",
                       .memory_used = Bytes{900},
                       .memory_total = Bytes{1500}},
                      {.name = "b",
                       .memory_used = Bytes{100},
                       .memory_total = Bytes{500}}}});
  GpuCollector collector(std::move(sources), root, "nvidia-nx");
  EXPECT_THAT(
      CollectPage(collector),
      AllOf(HasSubstr("GPUMemoryUsage{testbed_device=\"nvidia-nx\"} 1000\n"),
            HasSubstr("GPUMemoryTotal{testbed_device=\"nvidia-nx\"} 2000\n")));
}

TEST_F(GpuCollectorTest, ExportsTheUseOfAGpu) {
  SetSample({.gpus = {{.name = "NVIDIA A2",
                       .utilization = 0.4,
                       .memory_used = Bytes{900},
                       .memory_total = Bytes{1500},
                       .power = Watts{31.5},
                       .joules = 63,
                       .celsius = 61}}});
  const std::string labels = "{gpu=\"0\",name=\"NVIDIA A2\"} ";
  EXPECT_THAT(
      Page(),
      AllOf(HasSubstr("mete_gpus 1\n"),
            HasSubstr("mete_gpu_utilization_ratio" + labels + "0.4\n"),
            HasSubstr("mete_gpu_memory_used_bytes" + labels + "900\n"),
            HasSubstr("mete_gpu_memory_bytes" + labels + "1500\n"),
            HasSubstr("mete_gpu_power_watts" + labels + "31.5\n"),
            HasSubstr("mete_gpu_energy_joules_total" + labels + "63\n"),
            HasSubstr("mete_gpu_temperature_celsius" + labels + "61\n")));
}

TEST_F(GpuCollectorTest, OmitsWhatAJetsonDoesNotReport) {
  SetSample({.gpus = {{.name = "GR3D", .utilization = 0.25}},
             .memory_bus_load = 0.125});
  EXPECT_THAT(Page(),
              AllOf(HasSubstr("name=\"GR3D\"} 0.25\n"),
                    HasSubstr("mete_gpu_memory_bus_load_ratio 0.125\n"),
                    Not(HasSubstr("memory_used")), Not(HasSubstr("watts"))));
}

TEST_F(GpuCollectorTest, NumbersTheGpusOfAllSourcesConsecutively) {
  SetSample({.gpus = {{.name = "a", .utilization = 0}}});
  SetSample({.gpus = {{.name = "b", .utilization = 1}}});
  EXPECT_THAT(Page(), AllOf(HasSubstr("{gpu=\"0\",name=\"a\"} 0\n"),
                            HasSubstr("{gpu=\"1\",name=\"b\"} 1\n")));
}

TEST_F(GpuCollectorTest, ExportsTheContainerAndPodOfAProcess) {
  Put("/proc/77/comm", "python3\n");
  Put("/proc/77/cgroup", "0::/kubepods/burstable/pod" + kGpuPodUid + "/" +
                             std::string(64, 'a') + "\n");
  SetSample({.gpus = {{.name = "a", .processes = {{77, Bytes{4096}}}}}});
  EXPECT_THAT(Page(), HasSubstr("mete_gpu_process_memory_bytes{gpu=\"0\","
                                "pid=\"77\",process=\"python3\","
                                "container=\"aaaaaaaaaaaa\",pod=\"" +
                                kGpuPodUid + "\"} 4096\n"));
}

TEST_F(GpuCollectorTest, ExportsTheMemoryOfAnUnknownProcess) {
  SetSample({.gpus = {{.name = "a", .processes = {{78, Bytes{1}}}}}});
  EXPECT_THAT(Page(), HasSubstr("pid=\"78\",process=\"\",container=\"\","
                                "pod=\"\"} 1\n"));
}

TEST_F(GpuCollectorTest, SumsTheMemoryOfAProcessOverGpuPartitions) {
  SetSample(
      {.gpus = {{.name = "a", .processes = {{78, Bytes{1}}, {78, Bytes{2}}}}}});
  EXPECT_THAT(Page(), AllOf(HasSubstr("pod=\"\"} 3\n"),
                            Not(HasSubstr("pod=\"\"} 1\n"))));
}

TEST_F(GpuCollectorTest, ExportsEveryProcessReportedByNvml) {
  FakeClock clock;
  auto source = NvmlSource::Open(METE_TEST_FAKE_NVML, clock);
  ASSERT_TRUE(source.ok()) << source.error().message();
  sources.push_back(*std::move(source));
  Put("/proc/4001/comm", "detector\n");
  EXPECT_THAT(
      Page(),
      AllOf(HasSubstr("utilization_ratio{gpu=\"0\",name=\"NVIDIA A2\"} 0.4\n"),
            HasSubstr("pid=\"4001\",process=\"detector\""),
            HasSubstr("pid=\"4099\",")));
}

TEST_F(GpuCollectorTest, ExportsOnlyTheCountWithoutAGpu) {
  SetSample({});
  EXPECT_THAT(Page(),
              AllOf(HasSubstr("mete_gpus 0\n"), Not(HasSubstr("mete_gpu_"))));
}

TEST(GpuMetricsTest, FollowPrometheusNaming) {
  for (const MetricFamily* family : kGpuFamilies) {
    ASSERT_NE(family, nullptr);
    EXPECT_TRUE(family->name.starts_with("mete_gpu")) << family->name;
    EXPECT_EQ(family->name.ends_with("_total"),
              family->kind == MetricKind::kCounter);
    EXPECT_NE(family->name.find(family->unit), family->name.npos);
    EXPECT_FALSE(family->help.empty() || family->caveat.empty());
  }
}

TEST_F(GpuCollectorTest, ExportsTheLoadOfTheMemoryBus) {
  SetSample({.memory_bus_load = 0.25});
  EXPECT_THAT(Page(), HasSubstr("mete_gpu_memory_bus_load_ratio 0.25\n"));
}

TEST_F(GpuCollectorTest, ExportsABoundedNumberOfProcesses) {
  GpuSample gpu{.name = "a"};
  for (int pid = 1; pid <= 257; ++pid) {
    gpu.processes.push_back({pid, Bytes{1}});
  }
  gpu.processes.push_back({1, Bytes{6}});  // of another partition
  SetSample({.gpus = {gpu}});
  const std::string page = Page();
  EXPECT_THAT(page, HasSubstr("pid=\"1\",process=\"\",container=\"\","
                              "pod=\"\"} 7\n"));
  EXPECT_THAT(page, HasSubstr("pid=\"256\""));
  EXPECT_THAT(page, Not(HasSubstr("pid=\"257\"")));
}

TEST_F(GpuCollectorTest, NumbersTheGpus) {
  SetSample({.gpus = {{.name = "a", .utilization = 0.1},
                      {.name = "b", .utilization = 0.2}}});
  EXPECT_THAT(Page(), AllOf(HasSubstr("{gpu=\"0\",name=\"a\"} 0.1\n"),
                            HasSubstr("{gpu=\"1\",name=\"b\"} 0.2\n")));
}

TEST_F(GpuCollectorTest, ExportsNoMemoryOfWaapThatIsUnknown) {
  SetSample({.gpus = {{.name = "a", .utilization = 0.1}}});
  GpuCollector collector(std::move(sources), root, "nvidia-nx");
  EXPECT_THAT(CollectPage(collector), Not(HasSubstr("testbed_device")));
}

}  // namespace
}  // namespace mete
