#include "predict/feature_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

const FeatureColumn& Named(const std::string& name) {
  const auto& columns = FeatureColumns(FeatureKind::kFull);
  return *std::ranges::find(columns, name, &FeatureColumn::name);
}

TEST(FeatureText, ConvertsLogarithmsAndShares) {
  EXPECT_EQ(FeatureValue(Named("node_flops"), 18), "262 k");
  EXPECT_EQ(FeatureValue(Named("node_flops"), 15), "32.8 k");
  EXPECT_EQ(FeatureValue(Named("load"), 0.472), "47 %");
  EXPECT_EQ(FeatureValue(Named("threads"), 8), "8");
  EXPECT_EQ(FeatureValue(Named("cpus"), -1), "0.50");
  EXPECT_EQ(FeatureValue(Named("batch"), std::log2(3.0F)), "3");
  EXPECT_EQ(FeatureValue(Named("gemm_nodes"), std::log2(1 + 5.0F)), "5");
  EXPECT_EQ(FeatureValue(Named("output_bytes"), std::log2(1 + 4096.0F)),
            "4.0 KiB");
  EXPECT_EQ(FeatureValue(Named("roofline"), std::log2(0.002F)), "2.00 ms");
}

TEST(FeatureText, LabelsNameTheClassOfWork) {
  EXPECT_EQ(FeatureLabel(Named("node_flops")), "operations per node");
  EXPECT_EQ(FeatureLabel(Named("gemm_work")), "gemm operations per node");
}

TEST(FeatureText, EveryColumnHasALabel) {
  for (FeatureKind kind : {FeatureKind::kFull, FeatureKind::kCounts}) {
    for (const FeatureColumn& column : FeatureColumns(kind)) {
      EXPECT_EQ(FeatureLabel(column).find('_'), std::string::npos)
          << column.name;
    }
  }
}

TEST(FeatureText, SmallCountsAreExact) {
  EXPECT_EQ(FeatureValue(Named("output_bytes"), std::log2(1 + 7.0F)), "7 B");
  EXPECT_EQ(FeatureValue(Named("output_bytes"), 0), "0 B");
  EXPECT_EQ(FeatureValue(Named("output_bytes"), -3), "0 B");
  EXPECT_EQ(FeatureValue(Named("gemm_nodes"), 0), "0");
  EXPECT_EQ(FeatureValue(Named("gemm_nodes"), 1), "1");
  EXPECT_EQ(FeatureValue(Named("gemm_nodes"), -3), "0");
}

}  // namespace
}  // namespace mete
