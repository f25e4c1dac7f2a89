#include "linux/tegrastats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kNano =
    "RAM 1363/3964MB (lfb 2x1MB) SWAP 34/1982MB (cached 3MB) IRAM "
    "0/252kB(lfb 252kB) CPU [21%@1224,18%@1224,off,17%@1224] EMC_FREQ "
    "11%@1600 GR3D_FREQ 35%@76 APE 25 PLL@37C CPU@40C PMIC@100C GPU@38.5C "
    "AO@46C thermal@39.25C POM_5V_IN 2532/2698 POM_5V_GPU 0/21 POM_5V_CPU "
    "478/655";
constexpr const char* kXavierNx =
    "RAM 4412/7772MB (lfb 237x4MB) CPU [9%@1190,6%@1190,6%@1190,5%@1190,off,"
    "off] EMC_FREQ 10%@1600 GR3D_FREQ 62%@306 NVDEC 793 APE 150 MTS fg 3% bg "
    "12% AO@41.5C GPU@43C PMIC@100C AUX@41.5C CPU@43.5C thermal@42.55C VDD_IN "
    "4067/4100 VDD_CPU_GPU_CV 738/738 VDD_SOC 1353/1353";
constexpr const char* kAgxXavier =
    "RAM 721/31927MB (lfb 7291x4MB) SWAP 0/15963MB (cached 0MB) CPU [2%@1190,"
    "0%@1190,off] EMC_FREQ 0%@665 GR3D_FREQ 0%@318 APE 150 MTS fg 0% bg 0% "
    "CPU@37.5C GPU 12/0 CPU 311/311 SOC 932/932 CV 0/0 VDDRQ 621/621 SYS5V "
    "1482/1482";
constexpr const char* kOrin =
    "05-11-2023 10:11:12 RAM 3140/30536MB (lfb 6153x4MB) SWAP 0/15268MB "
    "(cached 0MB) CPU [0%@729,1%@729,off,off] EMC_FREQ 0%@2133 GR3D_FREQ "
    "7%@[305,612] NVENC 79%@166 NVDEC off OFA OFF VIC_FREQ 729 APE 174 "
    "CV0@-256C CPU@45.812C Tboard@34C GPU@-256C tj@45.812C VDD_GPU_SOC "
    "2401mW/2399mW VDD_CPU_CV 400mW/400mW NC 0mW/0mW NC 0mW/0mW\n";

Tegrastats Parsed(const char* line) {
  auto sample = ParseTegrastats(line);
  EXPECT_TRUE(sample.ok());
  return sample.ok() ? *sample : Tegrastats();
}

const TegraEngine& FindEngine(const Tegrastats& sample,
                              const std::string& name) {
  static const TegraEngine kNone;
  for (const TegraEngine& engine : sample.engines) {
    if (engine.name == name) return engine;
  }
  ADD_FAILURE() << "no engine " << name;
  return kNone;
}

TEST(Tegrastats, HaveMemorySwapAndIramOfANano) {
  Tegrastats nano = Parsed(kNano);
  ASSERT_TRUE(nano.ram && nano.swap && nano.iram);
  EXPECT_EQ(nano.ram->used, Mebibytes(1363));
  EXPECT_EQ(nano.ram->total, Mebibytes(3964));
  EXPECT_EQ(nano.ram->free_blocks, 2u);
  EXPECT_EQ(nano.ram->free_block, Mebibytes(1));
  EXPECT_EQ(nano.ram->cached, std::nullopt);
  EXPECT_EQ(nano.swap->used, Mebibytes(34));
  EXPECT_EQ(nano.swap->cached, Mebibytes(3));
  EXPECT_EQ(nano.iram->total, Kibibytes(252));
  EXPECT_EQ(nano.iram->free_block, Kibibytes(252));
}

TEST(Tegrastats, MarkCoresThatAreOff) {
  Tegrastats nano = Parsed(kNano);
  ASSERT_EQ(nano.cores.size(), 4u);
  ASSERT_TRUE(nano.cores[0] && nano.cores[3]);
  EXPECT_DOUBLE_EQ(nano.cores[0]->load, 0.21);
  EXPECT_EQ(nano.cores[0]->hz, 1.224e9);
  EXPECT_FALSE(nano.cores[2].has_value());
  EXPECT_DOUBLE_EQ(nano.cores[3]->load, 0.17);
}

TEST(Tegrastats, HaveLoadAndClockOfEngines) {
  Tegrastats nano = Parsed(kNano);
  EXPECT_EQ(nano.engines.size(), 3u);
  EXPECT_THAT(*FindEngine(nano, "EMC_FREQ").load, DoubleEq(0.11));
  EXPECT_THAT(*FindEngine(nano, "GR3D_FREQ").load, DoubleEq(0.35));
  EXPECT_THAT(FindEngine(nano, "GR3D_FREQ").hz, ElementsAre(76e6));
  EXPECT_EQ(FindEngine(nano, "APE").load, std::nullopt);
  EXPECT_THAT(FindEngine(nano, "APE").hz, ElementsAre(25e6));
}

TEST(Tegrastats, HaveTemperaturesAndPower) {
  Tegrastats nano = Parsed(kNano);
  ASSERT_EQ(nano.temperatures.size(), 6u);
  EXPECT_EQ(nano.temperatures[3].name, "GPU");
  EXPECT_EQ(nano.temperatures[3].celsius, 38.5);
  ASSERT_EQ(nano.rails.size(), 3u);
  EXPECT_EQ(nano.rails[0].name, "POM_5V_IN");
  EXPECT_DOUBLE_EQ(nano.rails[0].now.count, 2.532);
  EXPECT_DOUBLE_EQ(nano.rails[0].average.count, 2.698);
}

TEST(Tegrastats, HaveNoSwapWhenItIsOff) {
  Tegrastats nx = Parsed(kXavierNx);
  EXPECT_FALSE(nx.swap.has_value());
  EXPECT_FALSE(nx.iram.has_value());
  ASSERT_TRUE(nx.ram.has_value());
  EXPECT_EQ(nx.ram->free_blocks, 237u);
  EXPECT_EQ(nx.cores.size(), 6u);
}

TEST(Tegrastats, HaveTheCodeTranslationOfAXavier) {
  Tegrastats nx = Parsed(kXavierNx);
  EXPECT_EQ(nx.translation_foreground, 0.03);
  EXPECT_EQ(nx.translation_background, 0.12);
  EXPECT_THAT(FindEngine(nx, "NVDEC").hz, ElementsAre(793e6));
  EXPECT_EQ(nx.engines.size(), 4u);
  EXPECT_EQ(Parsed(kNano).translation_foreground, std::nullopt);
}

TEST(Tegrastats, DistinguishRailsNamedLikeCoresFromCores) {
  Tegrastats agx = Parsed(kAgxXavier);
  EXPECT_EQ(agx.cores.size(), 3u);
  ASSERT_EQ(agx.rails.size(), 6u);
  EXPECT_EQ(agx.rails[0].name, "GPU");
  EXPECT_EQ(agx.rails[1].name, "CPU");
  EXPECT_DOUBLE_EQ(agx.rails[1].now.count, 0.311);
}

TEST(Tegrastats, SkipTheLeadingDateOfAnOrin) {
  Tegrastats orin = Parsed(kOrin);
  ASSERT_TRUE(orin.ram.has_value());
  EXPECT_EQ(orin.ram->used, Mebibytes(3140));
  EXPECT_EQ(orin.engines.size(), 7u);
}

TEST(Tegrastats, HaveEveryClusterOfAnOrinsGpu) {
  const Tegrastats orin = Parsed(kOrin);
  EXPECT_EQ(FindEngine(orin, "GR3D_FREQ").load, 0.07);
  EXPECT_THAT(FindEngine(orin, "GR3D_FREQ").hz, ElementsAre(305e6, 612e6));
  const Tegrastats cut = Parsed("GR3D_FREQ 7%@[305,6");
  EXPECT_THAT(FindEngine(cut, "GR3D_FREQ").hz, IsEmpty());
}

TEST(Tegrastats, MarkEnginesThatAreOff) {
  const Tegrastats orin = Parsed(kOrin);
  for (const char* name : {"NVDEC", "OFA"}) {
    EXPECT_EQ(FindEngine(orin, name).load, std::nullopt);
    EXPECT_THAT(FindEngine(orin, name).hz, IsEmpty());
  }
  EXPECT_EQ(FindEngine(orin, "NVENC").load, 0.79);
}

TEST(Tegrastats, OmitSensorsWithoutPower) {
  Tegrastats orin = Parsed(kOrin);
  ASSERT_EQ(orin.temperatures.size(), 3u);
  EXPECT_EQ(orin.temperatures[0].name, "CPU");
  EXPECT_EQ(orin.temperatures[2].name, "tj");
}

TEST(Tegrastats, ParseRailsWithAUnit) {
  Tegrastats orin = Parsed(kOrin);
  ASSERT_EQ(orin.rails.size(), 4u);
  EXPECT_EQ(orin.rails[0].name, "VDD_GPU_SOC");
  EXPECT_DOUBLE_EQ(orin.rails[0].now.count, 2.401);
  EXPECT_DOUBLE_EQ(orin.rails[0].average.count, 2.399);
}

TEST(Tegrastats, ParseTheSharedClockOfOldReleases) {
  Tegrastats tx1 = Parsed(
      "RAM 2350/3983MB (lfb 17x4MB) cpu [40%,45%,off,42%]@1734 EMC 55%@1600 "
      "APE 25 GR3D 0%@76");
  ASSERT_EQ(tx1.cores.size(), 4u);
  ASSERT_TRUE(tx1.cores[1].has_value());
  EXPECT_EQ(tx1.cores[1]->load, 0.45);
  EXPECT_EQ(tx1.cores[1]->hz, 1.734e9);
  EXPECT_FALSE(tx1.cores[2].has_value());
}

TEST(Tegrastats, HaveNoClockWithoutRoot) {
  Tegrastats nano = Parsed("EMC_FREQ 0% GR3D_FREQ 12% PLL@32C");
  EXPECT_EQ(FindEngine(nano, "GR3D_FREQ").load, 0.12);
  EXPECT_THAT(FindEngine(nano, "GR3D_FREQ").hz, IsEmpty());
  EXPECT_EQ(nano.temperatures.size(), 1u);
}

TEST(Tegrastats, DoNotDependOnTheOrder) {
  Tegrastats nano = Parsed("POM_5V_IN 2532/2698 CPU@40C RAM 1363/3964MB");
  EXPECT_EQ(nano.rails.size(), 1u);
  EXPECT_EQ(nano.temperatures.size(), 1u);
  ASSERT_TRUE(nano.ram.has_value());
  EXPECT_EQ(nano.ram->free_block, std::nullopt);
}

TEST(Tegrastats, SurviveALineThatIsCutAnywhere) {
  for (const char* line : {kNano, kXavierNx, kOrin}) {
    const std::string_view whole = line;
    for (size_t length = 16; length < whole.size(); ++length) {
      auto sample = ParseTegrastats(whole.substr(0, length));
      EXPECT_TRUE(sample.ok() || length < 40) << whole.substr(0, length);
    }
  }
}

TEST(Tegrastats, AreCorruptWhenNoFieldIsKnown) {
  for (const char* line :
       {"", "()", "tegrastats: command not found", "lfb 2x1MB", "RAM", "@C"}) {
    auto sample = ParseTegrastats(line);
    ASSERT_FALSE(sample.ok()) << line;
    EXPECT_EQ(sample.error().code(), ErrorCode::kCorrupt);
  }
}

TEST(Tegrastats, HaveTemperaturesBetweenMinus40And150Degrees) {
  Tegrastats sample =
      Parsed("A@-40C B@150C C@-39.9C D@149.9C E@-40.5C F@0C G@150.5C");
  ASSERT_EQ(sample.temperatures.size(), 3u);
  EXPECT_EQ(sample.temperatures[0].name, "C");
  EXPECT_EQ(sample.temperatures[1].name, "D");
  EXPECT_EQ(sample.temperatures[2].name, "F");
  EXPECT_FALSE(ParseTegrastats("X@yC").ok());
}

TEST(Tegrastats, NamesOfEnginesBeginWithALetter) {
  for (const char* name : {"A", "Z", "a", "z"}) {
    EXPECT_EQ(Parsed((std::string(name) + " 5%").c_str()).engines.size(), 1u)
        << name;
  }
  for (const char* name : {"[", "`", "{", "_", "5"}) {
    EXPECT_FALSE(ParseTegrastats(std::string(name) + " 5%").ok()) << name;
  }
}

TEST(Tegrastats, HaveMemoryInEveryUnit) {
  auto total = [](const char* text) {
    return Parsed((std::string("RAM 1/") + text).c_str()).ram->total;
  };
  EXPECT_EQ(total("7B"), Bytes{7});
  EXPECT_EQ(total("7kB"), Kibibytes(7));
  EXPECT_EQ(total("7MB"), Mebibytes(7));
  EXPECT_EQ(total("7GB"), Gibibytes(7));
  for (const char* bad : {"RAM 1/7TB", "RAM 1/7", "RAM x/7MB", "RAM 1/MB"}) {
    EXPECT_FALSE(ParseTegrastats(bad).ok()) << bad;
  }
}

TEST(Tegrastats, OmitRailsWithHalfAValue) {
  for (const char* bad : {"VDD 12/x", "VDD x/12", "VDD 12mW/", "VDD /"}) {
    EXPECT_FALSE(ParseTegrastats(bad).ok()) << bad;
  }
  EXPECT_EQ(Parsed("VDD 12/34").rails.at(0).average, Watts{0.034});
}

TEST(Tegrastats, OnlyTheProcessorHasAListOfCores) {
  EXPECT_FALSE(ParseTegrastats("XYZ [1%@2]").ok());
  EXPECT_EQ(Parsed("cpu [1%@2]").cores.size(), 1u);
}

TEST(Tegrastats, CachedMemoryBelongsToTheMemoryBeforeIt) {
  EXPECT_FALSE(ParseTegrastats("cached 3MB").ok());
  EXPECT_EQ(Parsed("RAM 1/4MB cached 3MB").ram->cached, Mebibytes(3));
  // A memory that cannot be read takes what follows it along.
  EXPECT_EQ(Parsed("RAM 1/4MB SWAP x cached 3MB").ram->cached, std::nullopt);
}

TEST(Tegrastats, AnErrorShows80Characters) {
  auto sample = ParseTegrastats(std::string(81, '-'));
  ASSERT_FALSE(sample.ok());
  EXPECT_TRUE(sample.error().message().ends_with(": " + std::string(80, '-')));
}

}  // namespace
}  // namespace mete
