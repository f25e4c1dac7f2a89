#include "reference_networks/architecture.h"

#include <gmock/gmock.h>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// Parameters in the Edge Benchmarking Framework by number of classes: used, and
// with the layers that are unused at 1024 samples.
struct Counts {
  const char* name;
  int64_t classes;
  uint64_t used;
  uint64_t idle;
};

TEST(Architecture, HasTheParametersOfTheEdgeBenchmarkingFramework) {
  constexpr uint64_t kIdle = 2278858 - 1751498;
  const Counts all[] = {
      {"MLP", 10, 1751498, kIdle},   {"MLP", 13, 1751693, kIdle},
      {"MLP", 15, 1751823, kIdle},   {"MLP", 20, 1752148, kIdle},
      {"CNN_1d", 10, 181642, 0},     {"CNN_1d", 13, 181837, 0},
      {"CNN_1d", 15, 181967, 0},     {"CNN_1d", 20, 182292, 0},
      {"LeNet1d", 10, 3382, 0},      {"LeNet1d", 13, 3415, 0},
      {"LeNet1d", 15, 3437, 0},      {"LeNet1d", 20, 3492, 0},
      {"Alexnet1d", 10, 3409738, 0}, {"Alexnet1d", 13, 3412813, 0},
      {"Alexnet1d", 15, 3414863, 0}, {"Alexnet1d", 20, 3419988, 0},
      {"Resnet1d", 10, 3849034, 0},  {"Resnet1d", 13, 3850573, 0},
      {"Resnet1d", 15, 3851599, 0},  {"Resnet1d", 20, 3854164, 0},
      {"BiLSTM1d", 10, 971210, 0},   {"BiLSTM1d", 13, 971981, 0},
      {"BiLSTM1d", 15, 972495, 0},   {"BiLSTM1d", 20, 973780, 0}};
  for (const Counts& counts : all) {
    Architecture net = FindArchitecture(counts.name, counts.classes).value();
    EXPECT_EQ(ParameterCount(net.encoder) + ParameterCount(net.classifier),
              counts.used)
        << counts.name << " " << counts.classes;
    EXPECT_EQ(ParameterCount(net.idle_encoder), counts.idle) << counts.name;
  }
}

TEST(Architecture, AutoencodersMatchTheEdgeBenchmarkingFramework) {
  for (const char* name : {"Ae1d", "Sae1d"}) {
    for (auto [classes, head] :
         {std::pair{10, 650}, {13, 845}, {15, 975}, {20, 1300}}) {
      Architecture net = FindArchitecture(name, classes).value();
      EXPECT_TRUE(net.autoencoder());
      EXPECT_EQ(ParameterCount(net.encoder) + ParameterCount(net.idle_encoder),
                2282368u);
      EXPECT_EQ(ParameterCount(net.decoder) + ParameterCount(net.idle_decoder),
                2282816u);
      EXPECT_EQ(ParameterCount(net.classifier), static_cast<uint64_t>(head));
    }
  }
}

TEST(Architecture, SuggestsTheNearestNameForAnUnknownOne) {
  EXPECT_THAT(ArchitectureNames(), SizeIs(8));
  Result<Architecture> net = FindArchitecture("CNN1d", 10);
  ASSERT_FALSE(net.ok());
  EXPECT_THAT(net.error().message(), HasSubstr("unknown network 'CNN1d'"));
  EXPECT_THAT(net.error().message(), HasSubstr("did you mean 'CNN_1d'"));
}

}  // namespace
}  // namespace mete
