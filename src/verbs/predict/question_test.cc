#include "predict/question.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(ToNetworkCounts, TakesEachCountFromItsField) {
  NetworkTraits traits;
  traits.counts.conv_layers = 1;
  traits.counts.pool_layers = 2;
  traits.counts.fc_layers = 3;
  traits.counts.filter_details = 4;
  traits.counts.total_parameters = 5;
  traits.input_bytes = 6;
  traits.output_bytes = 7;
  const NetworkCounts counts = ToNetworkCounts(traits);
  EXPECT_EQ(counts.conv_layers, 1);
  EXPECT_EQ(counts.pool_layers, 2);
  EXPECT_EQ(counts.fc_layers, 3);
  EXPECT_EQ(counts.filter_details, 4);
  EXPECT_EQ(counts.total_parameters, 5);
  EXPECT_EQ(counts.input_bytes, 6);
  EXPECT_EQ(counts.output_bytes, 7);
}

TEST(ToQuestion, HasTheNetworkOfTheRow) {
  LatencyRow row;
  row.network.name = "net";
  row.network.nodes = 9;
  row.network.output_bytes = 7;
  const NetworkQuestion question = ToQuestion(row);
  EXPECT_EQ(question.name, "net");
  EXPECT_EQ(question.traits->nodes, 9);
  EXPECT_EQ(question.counts.output_bytes, 7);
}

}  // namespace
}  // namespace mete
