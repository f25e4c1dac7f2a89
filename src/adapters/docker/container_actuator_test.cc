#include "adapters/docker/container_actuator.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

std::string Update(ControlKnob knob, std::optional<double> value,
                   const char* config) {
  auto update = UpdateOf(knob, value, *ParseJson(config));
  return update.ok() ? update->dump() : update.error().message();
}

TEST(UpdateOf, TellsCpusInTheWordsTheyWereToldInBefore) {
  EXPECT_EQ(Update(ControlKnob::kCpus, 0.5, R"({"NanoCpus":2000000000})"),
            R"({"NanoCpus":500000000})");
  EXPECT_EQ(Update(ControlKnob::kCpus, 0.5,
                   R"({"CpuQuota":40000,"CpuPeriod":50000})"),
            R"({"CpuPeriod":50000,"CpuQuota":25000})");
  EXPECT_EQ(Update(ControlKnob::kCpus, 0.5, R"({"NanoCpus":0,"CpuQuota":0})"),
            R"({"CpuPeriod":100000,"CpuQuota":50000})");
}

TEST(UpdateOf, TakesAQuotaAway) {
  EXPECT_EQ(Update(ControlKnob::kCpus, std::nullopt,
                   R"({"CpuQuota":50000,"CpuPeriod":100000})"),
            R"({"CpuPeriod":100000,"CpuQuota":-1})");
}

TEST(UpdateOf, MemoryKeepsItsShareOfSwap) {
  EXPECT_EQ(
      Update(ControlKnob::kMemory, 100, R"({"Memory":300,"MemorySwap":400})"),
      R"({"Memory":100,"MemorySwap":200})");
  EXPECT_EQ(
      Update(ControlKnob::kMemory, 100, R"({"Memory":300,"MemorySwap":-1})"),
      R"({"Memory":100,"MemorySwap":-1})");
}

TEST(UpdateOf, AMemoryLimitCannotBeTakenAway) {
  EXPECT_FALSE(
      UpdateOf(ControlKnob::kMemory, std::nullopt, Json::object()).ok());
}

}  // namespace
}  // namespace mete
