#include "domain/device_json.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

std::chrono::system_clock::time_point At(int64_t seconds) {
  return std::chrono::system_clock::time_point(std::chrono::seconds(seconds));
}

Device Nano() {
  return {.id = "00112233aabbccdd",
          .name = "nano",
          .emulated = true,
          .facts = {.architecture = "aarch64",
                    .cpu_model = "Arm Cortex-A57",
                    .cores = 4,
                    .max_frequency_hz = 1.479e9,
                    .caches = {{"L2", Mebibytes(2)}},
                    .ram = Gibibytes(4),
                    .gpus = {"NVIDIA GM20B (Tegra X1)"},
                    .os = "Ubuntu 18.04.6 LTS",
                    .kernel = "4.9.253-tegra",
                    .board = "NVIDIA Jetson Nano Developer Kit"},
          .speed = DeviceSpeed{.operations_per_second = 4.5e10,
                               .memory_bytes_per_second = 1.2e10,
                               .measured_at = At(1700000000)},
          .registered_at = At(1600000000)};
}

TEST(DeviceJson, RestoresEveryField) {
  auto device = DeviceFromJson(DeviceToJson(Nano()));
  ASSERT_TRUE(device.ok()) << device.error().message();
  EXPECT_EQ(device->id, "00112233aabbccdd");
  EXPECT_EQ(device->name, "nano");
  EXPECT_TRUE(device->emulated);
  EXPECT_EQ(device->facts, Nano().facts);
  ASSERT_TRUE(device->speed.has_value());
  EXPECT_EQ(device->speed->operations_per_second, 4.5e10);
  EXPECT_EQ(device->speed->memory_bytes_per_second, 1.2e10);
  EXPECT_EQ(device->speed->measured_at, At(1700000000));
  EXPECT_EQ(device->registered_at, At(1600000000));
}

TEST(DeviceJson, RestoresEmulationAndMicroMeasurements) {
  Device device = Nano();
  device.emulation = Emulation{
      .host_id = "abc",
      .limits = {.memory = Gibibytes(1), .cpus = Millicores{500}, .threads = 1},
      .period = std::chrono::microseconds(10000),
      .delivered_ratio = 0.99};
  device.micro = MicroMeasurements{.speeds = {{1, 1e10, 2e10, 3e9, 4e9, 5e-6},
                                              {4, 4e10, 8e10, 9e9, 8e9, 7e-6}},
                                   .engine = "onnxruntime 1.22.0",
                                   .measured_at = At(1700000001)};
  Device read = DeviceFromJson(DeviceToJson(device)).value();
  ASSERT_TRUE(read.emulation.has_value());
  EXPECT_EQ(read.emulation->host_id, "abc");
  EXPECT_EQ(read.emulation->limits.cpus, Millicores{500});
  EXPECT_EQ(read.emulation->period, std::chrono::microseconds(10000));
  EXPECT_EQ(read.emulation->delivered_ratio, 0.99);
  ASSERT_TRUE(read.micro.has_value());
  EXPECT_EQ(read.micro->speeds, device.micro->speeds);
  EXPECT_EQ(read.micro->engine, "onnxruntime 1.22.0");
  EXPECT_EQ(read.micro->measured_at, At(1700000001));
}

TEST(DeviceJson, OmitsUnknownValues) {
  Device device = Nano();
  device.facts.max_frequency_hz.reset();
  device.facts.board = "";
  device.speed.reset();
  Json json = DeviceToJson(device);
  EXPECT_FALSE(json["facts"].contains("max_frequency_hz"));
  EXPECT_FALSE(json["facts"].contains("board"));
  EXPECT_FALSE(json.contains("speed"));
  EXPECT_EQ(DeviceFromJson(json)->facts, device.facts);
}

TEST(DeviceJson, NamesAMissingKey) {
  Json json = DeviceToJson(Nano());
  json["facts"].erase("ram_bytes");
  auto device = DeviceFromJson(json);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code(), ErrorCode::kCorrupt);
  EXPECT_NE(device.error().message().find("ram_bytes"), std::string::npos);
}

TEST(DeviceJson, RejectsAnotherType) {
  Json json = DeviceToJson(Nano());
  json["name"] = 7;
  EXPECT_FALSE(DeviceFromJson(json).ok());
  json = DeviceToJson(Nano());
  json["facts"]["board"] = 7;
  EXPECT_FALSE(DeviceFromJson(json).ok());
  json = DeviceToJson(Nano());
  json["registered_at"] = "yesterday";
  EXPECT_FALSE(DeviceFromJson(json).ok());
}

}  // namespace
}  // namespace mete
