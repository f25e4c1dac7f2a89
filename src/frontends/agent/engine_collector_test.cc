#include "agent/engine_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "agent/engine_measurer.h"
#include "agent/test_machine.h"
#include "domain/device_json.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

Device Measured() {
  Device device{.id = "0123456789abcdef", .name = "here"};
  device.micro =
      MicroMeasurements{.speeds = {{.threads = 2,
                                    .gemm_flops_per_second = 1.5e9,
                                    .conv_flops_per_second = 1e9,
                                    .depthwise_flops_per_second = 2e8,
                                    .elementwise_bytes_per_second = 3e9,
                                    .node_seconds = 1e-5}},
                        .engine = "onnxruntime 1.22.0",
                        .measured_at = std::chrono::system_clock::time_point(
                            std::chrono::seconds(1714566600))};
  return device;
}

class EngineTest : public testing::Test {
 protected:
  // A program in place of mete: it prints `output` and exits with `code`.
  std::string Program(const std::string& output, int code) {
    const auto file = folder_.path() / "fake-mete";
    CHECK(WriteFileAtomically(folder_.path() / "output", output).ok());
    CHECK(WriteFileAtomically(file, "#!/bin/sh\ncat " +
                                        (folder_.path() / "output").string() +
                                        "\necho no engine here >&2\nexit " +
                                        std::to_string(code) + "\n")
              .ok());
    CHECK(chmod(file.c_str(), 0755) == 0);
    return file.string();
  }
  Status Measure(const std::string& program) {
    return MeasureEngine({.program = program, .folder = folder_.path()}, clock_,
                         {});
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  SystemClock clock_;
};

TEST_F(EngineTest, ExportsTheMeasurementAndItsTime) {
  ASSERT_TRUE(Measure(Program(DeviceToJson(Measured()).dump(), 0)).ok());
  EngineCollector collector("edge-1", EngineSpeedsFile(folder_.path()));
  std::string page = CollectPage(collector);
  EXPECT_THAT(page,
              HasSubstr("mete_device_engine_gemm_flops_per_second{node=\"edge-"
                        "1\",threads=\"2\",engine=\"onnxruntime 1.22.0\"} "
                        "1500000000\n"));
  EXPECT_THAT(page,
              HasSubstr("mete_device_engine_measured_timestamp_seconds{node="
                        "\"edge-1\"} 1714566600\n"));
}

TEST_F(EngineTest, ExportsNothingBeforeTheFirstMeasurement) {
  EngineCollector collector("edge-1", EngineSpeedsFile(folder_.path()));
  EXPECT_EQ(CollectPage(collector), "");
}

TEST_F(EngineTest, ReportsADamagedFile) {
  EngineCollector collector("edge-1", EngineSpeedsFile(folder_.path()));
  ASSERT_TRUE(WriteFileAtomically(EngineSpeedsFile(folder_.path()), "{").ok());
  MetricBatch batch;
  EXPECT_FALSE(collector.Collect(batch).ok());
}

TEST_F(EngineTest, AFailedMeasurementKeepsTheLastOne) {
  ASSERT_TRUE(Measure(Program(DeviceToJson(Measured()).dump(), 0)).ok());
  Status failed = Measure(Program("", 1));
  ASSERT_FALSE(failed.ok());
  EXPECT_THAT(failed.error().message(), HasSubstr("no engine here"));
  EngineCollector collector("edge-1", EngineSpeedsFile(folder_.path()));
  EXPECT_THAT(CollectPage(collector), HasSubstr("threads=\"2\""));
}

TEST_F(EngineTest, FailsWithoutTheProgram) {
  Status failed = Measure("no-such-program-of-mete");
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), ErrorCode::kNotFound);
}

// One core whose busy and idle times a test sets.
class FakeCores {
 public:
  explicit FakeCores(const std::filesystem::path& root) : root_(root) {
    CHECK(MakeFolder(root / "proc").ok());
    Pass(1, 1);
  }
  // Ticks since the last call.
  void Pass(int busy, int idle) {
    busy_ += busy;
    idle_ += idle;
    std::string text = "cpu0 " + std::to_string(busy_) + " 0 0 " +
                       std::to_string(idle_) + " 0 0 0 0 0 0\n";
    // In place, because readers keep the file open.
    std::ofstream(root_ / "proc/stat") << text;
  }

 private:
  std::filesystem::path root_;
  int busy_ = 0;
  int idle_ = 0;
};

TEST_F(EngineTest, MeasuresOnceTheDeviceIsIdle) {
  FakeCores cores(folder_.path());
  const auto state = folder_.path() / "state";
  EngineMeasurer measurer(
      {.program = Program(DeviceToJson(Measured()).dump(), 0),
       .folder = state,
       .look_for = std::chrono::milliseconds(100)},
      SystemRoot(folder_.path()), clock_);
  auto pass = [&](int busy, int idle) {
    cores.Pass(busy, idle);
    clock_.SleepFor(std::chrono::milliseconds(5), {});
  };
  for (int i = 0; i < 200; ++i) pass(50, 50);
  EXPECT_FALSE(std::filesystem::exists(EngineSpeedsFile(state)))
      << "the device was half busy";
  for (int i = 0; i < 4000; ++i) {
    if (std::filesystem::exists(EngineSpeedsFile(state))) break;
    pass(1, 99);
  }
  EXPECT_TRUE(std::filesystem::exists(EngineSpeedsFile(state)));
}

}  // namespace
}  // namespace mete
