#include "zoo/applications.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "zoo/zoo.h"

namespace mete {
namespace {

uint64_t ParametersOf(std::string_view name) {
  return TrainableParameters(*MakeDraft(name, 0));
}

const Node& FirstNode(const NetworkDraft& draft, const std::string& op) {
  return *std::ranges::find(draft.graph.nodes, op, &Node::op);
}

TEST(Applications, AreNeurosNineInTwoSizes) {
  EXPECT_THAT(ApplicationNames(),
              testing::ElementsAre(
                  "tclf-gcn", "tclf-rf", "tstr-lstm", "kalman-gru", "iclf-mnet",
                  "text-bert", "iclf-efnet", "text-tbert", "iclf-mvit",
                  "tclf-gcn-small", "tclf-rf-small", "tstr-lstm-small",
                  "kalman-gru-small", "iclf-mnet-small", "text-bert-small",
                  "iclf-efnet-small", "text-tbert-small", "iclf-mvit-small"));
}

// torchvision's mobilenet_v3_large and efficientnet_v2_l.
TEST(Applications, ImageClassifiersHaveTheParametersOfTorchvision) {
  EXPECT_EQ(ParametersOf("iclf-mnet"), 5'483'032u);
  EXPECT_EQ(ParametersOf("iclf-efnet"), 118'515'272u);
}
// timm's mobilevit_s and mobilevit_xxs.
TEST(Applications, MobileViTHasTheParametersOfTimm) {
  EXPECT_EQ(ParametersOf("iclf-mvit"), 5'578'632u);
  EXPECT_EQ(ParametersOf("iclf-mvit-small"), 1'272'024u);
}
// Keras' EfficientNetV2B0 counts 7,200,312 with the 60,608 running statistics.
TEST(Applications, TheSmallEfficientNetHasTheParametersOfKeras) {
  EXPECT_EQ(ParametersOf("iclf-efnet-small"), 7'200'312u - 60'608u);
}
// Hugging Face's BertModel, and a classifier of 768*2+2 or 256*2+2.
TEST(Applications, BertHasThePublishedParametersAndAClassifier) {
  EXPECT_EQ(ParametersOf("text-bert"), 109'482'240u + 1'538u);
  EXPECT_EQ(ParametersOf("text-bert-small"), 11'170'560u + 514u);
}
// Hugging Face's BertModel of two layers of 128, and one score.
TEST(Applications, TinyBertHasThePublishedParametersAndAScore) {
  EXPECT_EQ(ParametersOf("text-tbert"), 4'385'920u + 129u);
  EXPECT_EQ(ParametersOf("text-tbert-small"), ParametersOf("text-tbert"));
}
// torch.nn.LSTM(100, 50) and LSTM(50, 50), then 510, 110 and 11.
TEST(Applications, TheLstmHasTheParametersOfItsTorchModules) {
  EXPECT_EQ(ParametersOf("tstr-lstm"), 30'400u + 20'400u + 631u);
}
// 784*64+64, two of 64*64, 64*20+20.
TEST(Applications, TheGraphConvolutionHasTheParametersOfItsLayers) {
  EXPECT_EQ(ParametersOf("tclf-gcn"), 50'240u + 2 * 4'096u + 1'300u);
}
// 3*3, 6*480+480, torch.nn.GRU(480, 180), 180*36+36, 36*9+9.
TEST(Applications, TheKalmanFilterSharesItsWeightsBetweenSteps) {
  EXPECT_EQ(ParametersOf("kalman-gru"), 9u + 3'360u + 357'480u + 6'516u + 333u);
  EXPECT_EQ(ParametersOf("kalman-gru-small"), ParametersOf("kalman-gru"));
}
// 1,023 splits and 1,024 leaves per tree of depth 10.
TEST(Applications, AForestHasTheNodesOfItsTrees) {
  EXPECT_EQ(ParametersOf("tclf-rf"), 100u * 2'047u);
  EXPECT_EQ(ParametersOf("tclf-rf-small"), 50u * 511u);
}

TEST(Applications, EveryListOfAForestHasAnEntryPerNodeOrLeaf) {
  const NetworkDraft draft = *MakeDraft("tclf-rf-small", 0);
  const Node& forest = FirstNode(draft, "TreeEnsembleRegressor");
  EXPECT_EQ(forest.domain, "ai.onnx.ml");
  for (const char* list : {"nodes_treeids", "nodes_nodeids", "nodes_featureids",
                           "nodes_truenodeids", "nodes_falsenodeids"}) {
    EXPECT_EQ(forest.Integers(list).size(), 50u * 511u) << list;
  }
  for (const char* list : {"target_ids", "target_nodeids", "target_treeids"})
    EXPECT_EQ(forest.Integers(list).size(), 50u * 256u) << list;
}

TEST(Applications, TheEdgesOfAGraphDependOnTheSeed) {
  auto edges = [](uint64_t seed) {
    const NetworkDraft draft = *MakeDraft("tclf-gcn-small", seed);
    return draft.graph.constants.front().integers;
  };
  EXPECT_EQ(edges(1), edges(1));
  EXPECT_NE(edges(1), edges(2));
  const std::vector<int64_t> some = edges(1);
  EXPECT_EQ(some.size(), 2'000u * 20u);
  EXPECT_EQ(*std::ranges::max_element(some), 1'999);
  EXPECT_EQ(*std::ranges::min_element(some), 0);
}

TEST(Applications, TextIsGivenAsTokenNumbers) {
  const NetworkDraft draft = *MakeDraft("text-tbert", 0);
  EXPECT_EQ(draft.graph.inputs.front().type.type, ElementType::kInt64);
  EXPECT_EQ(FormatShape(*draft.graph.inputs.front().type.shape), "batchx512");
}

}  // namespace
}  // namespace mete
