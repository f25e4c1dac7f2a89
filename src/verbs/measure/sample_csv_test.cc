#include "measure/sample_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace mete {
namespace {

using testing::Contains;
using testing::Key;
using testing::Not;

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// The cells of one row by the names of their columns.
std::map<std::string, std::string> Row(const std::vector<UsageSample>& samples,
                                       size_t number) {
  auto lines = Split(SamplesCsv(samples), '\n');
  EXPECT_EQ(lines.size(), samples.size() + 2);  // names, and the last line end
  auto names = Split(lines[0], ',');
  auto cells = Split(lines.at(number + 1), ',');
  EXPECT_EQ(names.size(), cells.size());
  std::map<std::string, std::string> row;
  for (size_t i = 0; i < names.size(); ++i) row[names[i]] = cells[i];
  return row;
}

const std::vector<UsageSample> kTwo = {
    {.at = Seconds(0.5),
     .usage = {.cpu = Seconds(0.25), .memory = Mebibytes(1)},
     .machine = {.core_busy = {{0, Seconds(10)}, {2, Seconds(20)}}}},
    {.at = Seconds(1.0),
     .usage = {.cpu = Seconds(1.25), .hardware = {.instructions = 12'000}},
     .machine = {.core_busy = {{0, Seconds(10.25)}, {2, Seconds(20.5)}},
                 .energy_joules = 7.5}}};

TEST(SamplesCsv, ReportsCoresBetweenSamples) {
  EXPECT_EQ(Row(kTwo, 0)["cpu_cores"], "0.5000");
  EXPECT_EQ(Row(kTwo, 0)["machine_cores"], "");
  EXPECT_EQ(Row(kTwo, 1)["cpu_cores"], "2.0000");
  EXPECT_EQ(Row(kTwo, 1)["machine_cores"], "1.5000");
}

TEST(SamplesCsv, LeavesUnreadableValuesEmpty) {
  EXPECT_EQ(Row(kTwo, 0)["memory_bytes"], "1048576");
  EXPECT_EQ(Row(kTwo, 1)["memory_bytes"], "");
  EXPECT_EQ(Row(kTwo, 0)["instructions"], "");
  EXPECT_EQ(Row(kTwo, 1)["instructions"], "12000");
  EXPECT_EQ(Row(kTwo, 1)["energy_joules"], "7.5");
}

TEST(SamplesCsv, HasAColumnForEveryCoreByItsNumber) {
  auto row = Row(kTwo, 1);
  EXPECT_EQ(row["machine_core0"], "0.5000");
  EXPECT_EQ(row["machine_core2"], "1.0000");
  EXPECT_THAT(row, Not(Contains(Key("machine_core1"))));
}

TEST(SamplesCsv, ReportsALateCoreFromItsSecondSampleOn) {
  std::vector<UsageSample> samples = kTwo;
  samples[0].machine.core_busy.pop_back();
  EXPECT_EQ(Row(samples, 1)["machine_cores"], "");
  EXPECT_EQ(Row(samples, 1)["machine_core0"], "0.5000");
  EXPECT_EQ(Row(samples, 1)["machine_core2"], "");
}

TEST(SamplesCsv, HasColumnsForGpusAndRailsIfThereAreAny) {
  std::vector<UsageSample> samples = kTwo;
  EXPECT_THAT(Row(samples, 0), Not(Contains(Key("gpu0_utilization"))));
  samples[1].machine.gpus = {{.utilization = 0.75,
                              .memory_used = Mebibytes(2),
                              .power = Watts{31.5},
                              .joules = 12,
                              .celsius = 60}};
  samples[1].machine.rails = {
      {.name = "hwmon3/ina3221/VDD_IN", .power = Watts{4.5}}};
  samples[1].machine.memory_bus_load = 0.25;
  EXPECT_EQ(Row(samples, 0)["gpu0_utilization"], "");
  auto row = Row(samples, 1);
  EXPECT_EQ(row["gpu0_utilization"], "0.75");
  EXPECT_EQ(row["gpu0_memory_bytes"], "2097152");
  EXPECT_EQ(row["gpu0_watts"], "31.5");
  EXPECT_EQ(row["gpu0_joules"], "12");
  EXPECT_EQ(row["gpu0_celsius"], "60");
  EXPECT_EQ(row["hwmon3/ina3221/VDD_IN_watts"], "4.5");
  EXPECT_EQ(row["memory_bus_load"], "0.25");
}

TEST(SamplesCsv, HasNoRatesOfSamplesAtTheSameTime) {
  std::vector<UsageSample> same = kTwo;
  same[1].at = same[0].at;
  EXPECT_EQ(Row(same, 1)["cpu_cores"], "");
  EXPECT_EQ(Row(same, 1)["machine_cores"], "");
  same = kTwo;
  same[0].usage.cpu.reset();
  EXPECT_EQ(Row(same, 1)["cpu_cores"], "");
  same = kTwo;
  same[1].usage.cpu.reset();
  EXPECT_EQ(Row(same, 1)["cpu_cores"], "");
}

TEST(SamplesCsv, DoesNotCompareOtherCores) {
  std::vector<UsageSample> changed = kTwo;
  changed[1].machine.core_busy[1].core = 3;
  EXPECT_EQ(Row(changed, 1)["machine_cores"], "");
}

}  // namespace
}  // namespace mete
