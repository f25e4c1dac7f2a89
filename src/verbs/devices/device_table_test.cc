#include "devices/device_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

Device Desktop() {
  return {.id = "00112233aabbccdd",
          .name = "desk",
          .facts = {.architecture = "x86_64",
                    .cpu_model = "Intel(R) Core(TM) i7-7700 CPU @ 3.60GHz",
                    .cores = 4,
                    .max_frequency_hz = 4.2e9,
                    .caches = {{"L1d", Kibibytes(32)}, {"L3", Mebibytes(8)}},
                    .ram = Mebibytes(15927),
                    .os = "Debian GNU/Linux 12 (bookworm)",
                    .kernel = "6.1.0-18-amd64"},
          .speed = DeviceSpeed{.operations_per_second = 1.234e11,
                               .memory_bytes_per_second = 2.46e10}};
}

// Length of the longest line in characters, not bytes.
size_t LongestLine(const std::string& text) {
  std::istringstream lines(text);
  size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    size_t width = 0;
    for (char c : line) {
      if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++width;
    }
    widest = std::max(widest, width);
  }
  return widest;
}

TEST(DeviceTable, ListsADeviceOnOneLine) {
  EXPECT_EQ(DeviceList({Desktop()}),
            "name  kind     CPUs    memory  gemm      triad  processor\n"
            "desk  machine     4  15.6 GiB     -  24.6 GB/s  Intel(R) C…\n");
}

TEST(DeviceTable, ListsTheSpeedOfTheEngineWithAllThreads) {
  Device device = Desktop();
  device.micro = MicroMeasurements{
      .speeds = {{.threads = 1, .gemm_flops_per_second = 80e9},
                 {.threads = 4, .gemm_flops_per_second = 300e9}}};
  EXPECT_THAT(DeviceList({device}), HasSubstr("300 Gflop/s"));
}

TEST(DeviceTable, FitsEightyColumnsWithAnyNames) {
  Device device = Desktop();
  device.name = std::string(60, 'n');
  device.emulated = true;
  device.facts.cores = 12345;
  device.facts.ram = Bytes{1022ull << 30};
  device.facts.board = std::string(200, 'b');
  for (int i = 0; i < 30; ++i) {
    device.facts.caches.push_back({"L9", Mebibytes(512)});
  }
  EXPECT_LE(LongestLine(DeviceList({device})), 80u);
  EXPECT_LE(LongestLine(DeviceCard(device)), 80u);
}

TEST(DeviceTable, LeavesTheSpeedOfAnUnmeasuredDeviceBlank) {
  Device device = Desktop();
  device.speed.reset();
  EXPECT_THAT(DeviceList({device}), Not(HasSubstr("op/s")));
  EXPECT_THAT(DeviceCard(device), Not(HasSubstr("loop")));
}

TEST(DeviceTable, ShowsEveryKnownFact) {
  std::string card = DeviceCard(Desktop());
  EXPECT_THAT(card, HasSubstr("id               00112233aabbccdd\n"));
  EXPECT_THAT(card, HasSubstr("caches           L1d 32.0 KiB, L3 8.0 MiB\n"));
  EXPECT_THAT(card, HasSubstr("frequency        4.20 GHz\n"));
  EXPECT_THAT(card, HasSubstr("plain C++ loop   123 Gop/s\n"));
  EXPECT_THAT(card, HasSubstr("triad            24.6 GB/s\n"));
  EXPECT_THAT(card, Not(HasSubstr("board")));
}

TEST(DeviceTable, WritesCsvInBaseUnits) {
  Device unmeasured = Desktop();
  unmeasured.speed.reset();
  EXPECT_EQ(DeviceCsv({Desktop(), unmeasured}),
            "name,id,emulated,architecture,cpu_model,cores,ram_bytes,board,"
            "operations_per_second,memory_bytes_per_second,cpus,threads,"
            "delivered_ratio\n"
            "desk,00112233aabbccdd,false,x86_64,"
            "Intel(R) Core(TM) i7-7700 CPU @ 3.60GHz,4,16700669952,,1.234e+11,"
            "2.46e+10,4,4,\n"
            "desk,00112233aabbccdd,false,x86_64,"
            "Intel(R) Core(TM) i7-7700 CPU @ 3.60GHz,4,16700669952,,,,4,4,\n");
}

TEST(DeviceTable, SaysWhenADeviceIsEmulated) {
  Device device = Desktop();
  device.emulated = true;
  device.emulation =
      Emulation{.host_id = "aabb",
                .limits = {.cpus = Millicores{250}, .threads = 1},
                .period = std::chrono::microseconds(10'000),
                .delivered_ratio = 0.996};
  std::string card = DeviceCard(device);
  EXPECT_THAT(card, HasSubstr("desk (emulated)\n"));
  EXPECT_THAT(card,
              HasSubstr("0.25 CPUs, 15.6 GiB, engine threads: 1, host aabb\n"));
  EXPECT_THAT(card, HasSubstr("99.6 % delivered, in periods of 10.0 ms\n"));
  EXPECT_THAT(DeviceList({device}), HasSubstr("desk  emulated  0.25"));
  EXPECT_THAT(DeviceCsv({device}), HasSubstr(",0.25,1,0.996\n"));
}

TEST(DeviceTable, ShowsTheSpeedsOfTheEngine) {
  Device device = Desktop();
  device.micro = MicroMeasurements{.speeds = {{1, 1e10, 2e10, 3e9, 4e9, 5e-6},
                                              {4, 4e10, 8e10, 9e9, 8e9, 7e-6}},
                                   .engine = "onnxruntime 1.22.0"};
  std::string card = DeviceCard(device);
  EXPECT_THAT(card, HasSubstr("engine threads   1, 4\n"));
  EXPECT_THAT(card, HasSubstr("gemm             10.0 Gflop/s, 40.0 Gflop/s\n"));
  EXPECT_THAT(card, HasSubstr("element-wise     4.00 GB/s, 8.00 GB/s\n"));
  EXPECT_THAT(card, HasSubstr("per operator     5.00 us, 7.00 us\n"));
}

}  // namespace
}  // namespace mete
