#include "reference_networks/trained_network.h"

#include <gmock/gmock.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::SizeIs;

TEST(AdaptiveWindows, OverlapByOneWhereTheLengthDoesNotDivide) {
  EXPECT_THAT(AdaptiveWindows(500, 4),
              ElementsAre(FieldsAre(0, 125), FieldsAre(125, 250),
                          FieldsAre(250, 375), FieldsAre(375, 500)));
  EXPECT_THAT(
      AdaptiveWindows(31, 6),
      ElementsAre(FieldsAre(0, 6), FieldsAre(5, 11), FieldsAre(10, 16),
                  FieldsAre(15, 21), FieldsAre(20, 26), FieldsAre(25, 31)));
}

// {in, hidden} = {1, 1}: one value per gate, which makes the order visible.
TEST(TrainedNetwork, ReordersTheGatesOfAnLstm) {
  Architecture net{.name = "lstm",
                   .classes = 1,
                   .classifier = {{LstmLayer{.in = 1, .hidden = 1}}}};
  const Weights weights = {
      {"classifier.0.lstm.weight_ih_l0", {1, 2, 3, 4}},
      {"classifier.0.lstm.weight_ih_l0_reverse", {5, 6, 7, 8}},
      {"classifier.0.lstm.weight_hh_l0", {0, 0, 0, 0}},
      {"classifier.0.lstm.weight_hh_l0_reverse", {0, 0, 0, 0}}};
  TrainedNetwork trained = MakeTrainedNetwork(net, weights);
  ASSERT_THAT(trained.arranged, SizeIs(2));
  EXPECT_THAT(trained.arranged[0], ElementsAre(1, 4, 2, 3, 5, 8, 6, 7));
}

}  // namespace
}  // namespace mete
