#include "agent/engine_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
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

TEST_F(EngineTest, ExportsEverySpeed) {
  ASSERT_TRUE(Measure(Program(DeviceToJson(Measured()).dump(), 0)).ok());
  EngineCollector collector("edge-1", EngineSpeedsFile(folder_.path()));
  const std::string page = CollectPage(collector);
  for (const char* value :
       {"1000000000\n", "200000000\n", "3000000000\n", "1e-05\n"}) {
    EXPECT_THAT(page, HasSubstr(std::string("1.22.0\"} ") + value));
  }
}

TEST_F(EngineTest, ReadsAFileThatDidNotChangeOnce) {
  const auto file = EngineSpeedsFile(folder_.path());
  ASSERT_TRUE(WriteFileAtomically(file, DeviceToJson(Measured()).dump()).ok());
  EngineCollector collector("edge-1", file);
  const std::string before = CollectPage(collector);
  const auto written = std::filesystem::last_write_time(file);
  ASSERT_TRUE(WriteFileAtomically(file, "{").ok());
  std::filesystem::last_write_time(file, written);
  EXPECT_EQ(CollectPage(collector), before);
}

TEST_F(EngineTest, ExportsNothingAfterTheFileWasRemoved) {
  const auto file = EngineSpeedsFile(folder_.path());
  ASSERT_TRUE(WriteFileAtomically(file, DeviceToJson(Measured()).dump()).ok());
  EngineCollector collector("edge-1", file);
  CollectPage(collector);
  std::filesystem::remove(file);
  EXPECT_EQ(CollectPage(collector), "");
}

TEST_F(EngineTest, ReportsTheSignalThatEndedTheProgram) {
  const auto file = folder_.path() / "fake-mete";
  ASSERT_TRUE(WriteFileAtomically(file, "#!/bin/sh\nkill -9 $$\n").ok());
  ASSERT_EQ(chmod(file.c_str(), 0755), 0);
  EXPECT_EQ(Measure(file.string()).error().message(),
            "measure the engine: " + file.string() +
                " ended with code 137: it printed nothing");
}

TEST_F(EngineTest, ADeviceWithoutMeasurementsIsAFailure) {
  Device device = Measured();
  device.micro.reset();
  EXPECT_EQ(Measure(Program(DeviceToJson(device).dump(), 0)).error().message(),
            "measure the engine: no engine here");
}

TEST_F(EngineTest, ReportsAFolderThatCannotBeMade) {
  const std::string program = Program("", 0);
  Status failed = MeasureEngine(
      {.program = program, .folder = program + "/state"}, clock_, {});
  ASSERT_FALSE(failed.ok());
  EXPECT_THAT(failed.error().message(),
              testing::Not(HasSubstr("engine-speeds")));
}

TEST_F(EngineTest, OthersMayReadTheOutputOfTheProgram) {
  const mode_t mask = umask(022);
  ASSERT_TRUE(Measure(Program(DeviceToJson(Measured()).dump(), 0)).ok());
  umask(mask);
  for (const char* name : {"engine-speeds.part", "engine-speeds.log"}) {
    struct stat status {};
    ASSERT_EQ(stat((folder_.path() / name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0644u) << name;
  }
}

// A clock that passes busy and idle time whenever somebody looks for idleness,
// and stops the thread that sleeps once all loads have been seen.
class LoadedClock final : public Clock {
 public:
  LoadedClock(std::filesystem::path stat, std::vector<std::string> lines)
      : stat_(std::move(stat)), lines_(std::move(lines)) {
    Write();
  }
  std::chrono::nanoseconds Now() const override { return real_.Now(); }
  std::chrono::system_clock::time_point Wall() const override {
    return real_.Wall();
  }
  Seconds ProcessCpu() const override { return real_.ProcessCpu(); }
  bool SleepFor(std::chrono::nanoseconds wait, std::stop_token stop) override {
    if (wait < std::chrono::seconds(1)) return real_.SleepFor(wait, stop);
    if (wait == std::chrono::seconds(600)) ++long_waits_;
    if (wait != std::chrono::seconds(10)) return !stop.stop_requested();
    if (at_ + 1 < lines_.size()) {
      ++at_;
      Write();
      return !stop.stop_requested();
    }
    seen_ = true;
    seen_.notify_all();
    while (!stop.stop_requested()) {
      real_.SleepFor(std::chrono::milliseconds(1), stop);
    }
    return false;
  }
  void WaitUntilSeen() { seen_.wait(false); }
  int long_waits() const { return long_waits_; }

 private:
  void Write() { std::ofstream(stat_) << lines_[at_] << "\n"; }

  std::filesystem::path stat_;
  std::vector<std::string> lines_;
  size_t at_ = 0;
  std::atomic<bool> seen_ = false;
  std::atomic<int> long_waits_ = 0;
  mutable SystemClock real_;
};

class IdleTest : public EngineTest {
 protected:
  // What is reported while the times of a core pass; user, nice, system, idle,
  // iowait, irq, softirq, steal.
  std::vector<std::string> Reports(std::vector<std::string> lines,
                                   const std::string& program) {
    std::filesystem::create_directories(folder_.path() / "proc");
    LoadedClock clock(folder_.path() / "proc/stat", std::move(lines));
    std::vector<std::string> reported;
    {
      EngineMeasurer measurer(
          {.program = program,
           .folder = folder_.path() / "state",
           .report =
               [&](const std::string& line) { reported.push_back(line); }},
          SystemRoot(folder_.path()), clock);
      clock.WaitUntilSeen();
    }
    long_waits_ = clock.long_waits();
    return reported;
  }

  int long_waits_ = 0;
};

TEST_F(IdleTest, OneFifthBusyIsIdleAndALittleMoreIsNot) {
  const std::string program = Program("", 1);
  EXPECT_EQ(Reports({"cpu0 0 0 0 0 0 0 0 0", "cpu0 20 0 0 80 0 0 0 0"}, program)
                .size(),
            2u);
  EXPECT_EQ(long_waits_, 1) << "a failure is tried again later";
  EXPECT_TRUE(
      Reports({"cpu0 0 0 0 0 0 0 0 0", "cpu0 21 0 0 79 0 0 0 0"}, program)
          .empty());
}

TEST_F(IdleTest, CountsEveryKindOfTime) {
  const std::string program = Program("", 1);
  // 7 + 7 + 7 of 100 are busy.
  EXPECT_TRUE(
      Reports({"cpu0 0 0 0 0 0 0 0 0", "cpu0 7 0 7 70 9 0 0 7"}, program)
          .empty());
  // 18 of 100 are busy; waiting for a disk is idle.
  EXPECT_EQ(
      Reports({"cpu0 9 0 9 9 9 0 0 9", "cpu0 15 0 15 31 69 0 0 15"}, program)
          .size(),
      2u);
  // No time has passed.
  EXPECT_TRUE(Reports({"cpu0 1 0 0 9 0 0 0 0", "cpu0 1 0 0 9 0 0 0 0"}, program)
                  .empty());
}

}  // namespace
}  // namespace mete
