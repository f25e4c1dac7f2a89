#include "trial/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Result<Device> FindSmall(const std::string& name) {
  if (name != "small") return NotFound("no device '" + name + "'");
  return Device{.id = "s",
                .name = "small",
                .emulated = true,
                .emulation = Emulation{.limits = {.memory = Mebibytes(256),
                                                  .cpus = Millicores{250},
                                                  .threads = 1}}};
}

std::vector<TrialAxis> Axes(const std::vector<std::string>& texts) {
  std::vector<TrialAxis> axes;
  for (const std::string& text : texts) {
    axes.push_back(ParseTrialAxis(text).value());
  }
  return axes;
}

std::vector<TrialVariant> Variants(const std::vector<std::string>& texts,
                                   const ApplicationSpec& application = {}) {
  return MakeTrialVariants(application, Axes(texts), FindSmall).value();
}

TEST(ParseTrialAxis, ReadsTheNameAndItsValues) {
  auto axis = ParseTrialAxis("cpus=1,2,500m").value();
  EXPECT_EQ(axis.name, "cpus");
  EXPECT_THAT(axis.values, ElementsAre("1", "2", "500m"));
}

TEST(ParseTrialAxis, SaysWhatIsWrong) {
  auto complaint = [](const std::string& text) {
    auto axis = ParseTrialAxis(text);
    return axis.ok() ? "" : axis.error().message();
  };
  EXPECT_THAT(complaint("threads=1"), HasSubstr("cannot vary 'threads'"));
  EXPECT_THAT(complaint("cpus"), HasSubstr("expected NAME=VALUE,VALUE"));
  EXPECT_THAT(complaint("cpus="), HasSubstr("expected NAME=VALUE,VALUE"));
  EXPECT_THAT(complaint("cpus=1,1"), HasSubstr("cpus=1 is given twice"));
  EXPECT_NE(complaint("cpus=1,-2"), "");
  EXPECT_NE(complaint("memory=0"), "");
  EXPECT_THAT(complaint("gpu=0"), HasSubstr("expected 1 to 64 GPUs"));
  EXPECT_THAT(complaint("device=a,"), HasSubstr("expected a name"));
}

TEST(MakeTrialVariants, CombinesAllValues) {
  auto variants = Variants({"cpus=1,2", "memory=1Gi,2Gi"});
  ASSERT_THAT(variants, SizeIs(4));
  EXPECT_EQ(variants[1].label, "cpus=1 memory=2Gi");
  EXPECT_EQ(variants[1].application.limits.cpus, Millicores{1000});
  EXPECT_EQ(variants[1].application.limits.memory, Gibibytes(2));
  EXPECT_EQ(variants[2].label, "cpus=2 memory=1Gi");
}

TEST(MakeTrialVariants, TakesTheLimitsOfAnEmulatedDevice) {
  auto variants = Variants({"device=small", "cpus=2"});
  ASSERT_THAT(variants, SizeIs(1));
  const Limits& limits = variants[0].application.limits;
  EXPECT_EQ(limits.memory, Mebibytes(256));
  EXPECT_EQ(limits.cpus, Millicores{2000});  // its own
  EXPECT_EQ(limits.threads, 1);
  EXPECT_EQ(variants[0].device->name, "small");
}

TEST(MakeTrialVariants, ShowsAProcessItsShareOfTheGpus) {
  auto variants = Variants({"gpu=1,3"});
  EXPECT_EQ(variants[0].application.environment["CUDA_VISIBLE_DEVICES"], "0");
  EXPECT_EQ(variants[1].application.environment["CUDA_VISIBLE_DEVICES"],
            "0,1,2");
}

TEST(MakeTrialVariants, PassesGpusToAContainer) {
  ApplicationSpec application;
  application.container = ContainerSettings{.image = "train:1"};
  auto variants = Variants({"gpu=2"}, application);
  EXPECT_EQ(variants[0].application.container->gpus, GpuChoice{.count = 2});
  EXPECT_TRUE(variants[0].application.environment.empty());
}

TEST(MakeTrialVariants, RefusesTooManyAndAnAxisGivenTwice) {
  auto twice = MakeTrialVariants({}, Axes({"cpus=1", "cpus=2"}), FindSmall);
  ASSERT_FALSE(twice.ok());
  EXPECT_THAT(twice.error().message(), HasSubstr("cpus varies twice"));
  std::string many = "cpus=1";
  for (int i = 2; i <= 65; ++i) many += "," + std::to_string(i);
  auto too_many = MakeTrialVariants({}, Axes({many}), FindSmall);
  ASSERT_FALSE(too_many.ok());
  EXPECT_THAT(too_many.error().message(), HasSubstr("more than 64"));
}

TEST(MakeTrialVariants, FailsForAnUnknownDevice) {
  auto variants = MakeTrialVariants({}, Axes({"device=large"}), FindSmall);
  ASSERT_FALSE(variants.ok());
  EXPECT_EQ(variants.error().message(), "no device 'large'");
}

TEST(PricePerHour, AddsUpWhatTheVariantMayUse) {
  auto prices = ParseTrialPrices("cpu=0.04,memory=0.01,gpu=2").value();
  auto variants = Variants({"cpus=2", "memory=512Mi", "gpu=3"});
  EXPECT_DOUBLE_EQ(PricePerHour(variants[0], prices).value(), 0.08 + 0.005 + 6);
}

TEST(PricePerHour, FailsIfAPricedResourceHasNoLimit) {
  auto prices = ParseTrialPrices("cpu=0.04").value();
  auto price = PricePerHour(Variants({"memory=1Gi"})[0], prices);
  ASSERT_FALSE(price.ok());
  EXPECT_THAT(price.error().message(), HasSubstr("no CPU limit"));
}

TEST(ParseTrialPrices, RefusesWhatIsNoPrice) {
  for (const char* wrong :
       {"", "cpu", "cpu=", "cpu=-1", "cpu=nan", "cpu=1x", "disk=1", "cpu=0"}) {
    EXPECT_FALSE(ParseTrialPrices(wrong).ok()) << wrong;
  }
}

TEST(TrialVariants, TheDevicesOfAClusterAreItsNodes) {
  ApplicationSpec application{.launcher = "kubernetes"};
  auto variants =
      MakeTrialVariants(application, Axes({"device=edge-1,edge-2"}), FindSmall);
  ASSERT_TRUE(variants.ok()) << variants.error().message();
  ASSERT_EQ(variants->size(), 2u);
  EXPECT_EQ(variants->at(0).application.node, "edge-1");
  EXPECT_EQ(variants->at(1).application.node, "edge-2");
  EXPECT_EQ(variants->at(1).label, "device=edge-2");
  EXPECT_FALSE(variants->at(1).device.has_value());
}

}  // namespace
}  // namespace mete
