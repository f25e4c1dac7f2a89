#include "zoo/zoo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace mete {
namespace {

uint64_t CountParameters(std::string_view name) {
  return TrainableParameters(*MakeDraft(name, 0));
}

// The counts that torchvision prints, or, where it has no such network, those
// of the paper or its reference implementation.
TEST(Zoo, LeNet5HasThePublishedParameters) {
  EXPECT_EQ(CountParameters("lenet5"), 61'706u);
}
TEST(Zoo, AlexNetHasThePublishedParameters) {
  EXPECT_EQ(CountParameters("alexnet"), 61'100'840u);
}
TEST(Zoo, VggHasThePublishedParameters) {
  EXPECT_EQ(CountParameters("vgg11"), 132'863'336u);
  EXPECT_EQ(CountParameters("vgg16"), 138'357'544u);
}
TEST(Zoo, ResNetHasThePublishedParameters) {
  EXPECT_EQ(CountParameters("resnet18"), 11'689'512u);
  EXPECT_EQ(CountParameters("resnet34"), 21'797'672u);
  EXPECT_EQ(CountParameters("resnet50"), 25'557'032u);
}
TEST(Zoo, DenseNetHasThePublishedParameters) {
  EXPECT_EQ(CountParameters("densenet121"), 7'978'856u);
}
TEST(Zoo, GoogLeNetHasThePublishedParametersWithoutAuxiliaryClassifiers) {
  EXPECT_EQ(CountParameters("googlenet"), 6'624'904u);
}
TEST(Zoo, SqueezeNetHasThePublishedParameters) {
  EXPECT_EQ(CountParameters("squeezenet1.0"), 1'248'424u);
  EXPECT_EQ(CountParameters("squeezenet1.1"), 1'235'496u);
}
TEST(Zoo, MobileNetHasThePublishedParameters) {
  EXPECT_EQ(CountParameters("mobilenet-v1"), 4'231'976u);
  EXPECT_EQ(CountParameters("mobilenet-v2"), 3'504'872u);
}
TEST(Zoo, EfficientNetHasThePublishedParameters) {
  EXPECT_EQ(CountParameters("efficientnet-b0"), 5'288'548u);
}
// 784*512+512, 512*512+512, 512*10+10.
TEST(Zoo, MlpHasTheParametersOfItsThreeLayers) {
  EXPECT_EQ(CountParameters("mlp"), 401'920u + 262'656u + 5'130u);
}
// PyTorch's speech command tutorial prints this for its M5.
TEST(Zoo, TheOneDimensionalNetworkHasTheParametersOfM5) {
  EXPECT_EQ(CountParameters("cnn1d"), 26'915u);
}
// torch.nn.LSTM(9, 128, 2) and torch.nn.GRU(9, 128, 2), plus 128*6+6.
TEST(Zoo, RecurrentNetworksHaveTheParametersOfTheirTorchModules) {
  EXPECT_EQ(CountParameters("lstm"), 203'264u + 774u);
  EXPECT_EQ(CountParameters("gru"), 152'448u + 774u);
}
// Six torch.nn.TransformerEncoderLayer(512, 8), 3,152,384 each.
TEST(Zoo, TheTransformerHasTheParametersOfItsTorchModule) {
  EXPECT_EQ(CountParameters("transformer"), 18'914'304u);
}

TEST(Zoo, RunningStatisticsAreNotTrainable) {
  NetworkDraft draft = *MakeDraft("mobilenet-v1", 0);
  uint64_t filled = 0;
  for (const Constant& constant : draft.graph.constants) {
    if (draft.fills.contains(constant.name))
      filled += *ElementCount(constant.sizes);
  }
  EXPECT_EQ(filled - TrainableParameters(draft), 21'888u);  // 2 x 10,944
}

TEST(Zoo, ListsNameShapeAndParameters) {
  const std::vector<ZooEntry> entries = ZooEntries();
  auto entry = std::ranges::find(entries, "cnn1d", &ZooEntry::name);
  ASSERT_NE(entry, entries.end());
  EXPECT_EQ(FormatShape(entry->input_shape), "batchx1x8000");
  EXPECT_EQ(entry->trainable_parameters, 26'915u);
  EXPECT_EQ(entry->kind, "CNN");
}

TEST(Zoo, ADraftHasTheNameItIsListedUnder) {
  for (const std::string& name : AllZooNames())
    EXPECT_EQ(MakeDraft(name, 0)->graph.name, name);
}

TEST(Zoo, ADraftCarriesItsSeed) { EXPECT_EQ(MakeDraft("gru", 42)->seed, 42u); }

TEST(Zoo, SuggestsTheNearestSpellingForAnUnknownName) {
  Result<NetworkDraft> draft = MakeDraft("mobilenetv2", 0);
  ASSERT_FALSE(draft.ok());
  EXPECT_EQ(draft.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(draft.error().message(),
            "network 'mobilenetv2' is not in the zoo; did you mean "
            "'mobilenet-v2'?");
  EXPECT_EQ(CheckZooName("nope").error().message(),
            "network 'nope' is not in the zoo; list them with mete zoo list");
  EXPECT_TRUE(CheckZooName("mobilenet-v2").ok());
}

TEST(Zoo, EveryNameInAGraphIsUnique) {
  for (const std::string& name : AllZooNames()) {
    NetworkDraft draft = *MakeDraft(name, 0);
    std::vector<std::string> given;
    for (const Node& node : draft.graph.nodes)
      given.push_back(node.outputs.back());
    for (const Constant& constant : draft.graph.constants)
      given.push_back(constant.name);
    std::ranges::sort(given);
    EXPECT_EQ(std::ranges::adjacent_find(given), given.end()) << name;
  }
}

}  // namespace
}  // namespace mete
