#include "domain/network_traits_json.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

NetworkTraits Small() {
  NetworkTraits traits;
  traits.name = "small";
  traits.sha256 = "ab";
  traits.batch = 2;
  traits.counts = {.conv_layers = 5,
                   .total_parameters = 10000000000000000000u,
                   .network_type = "CNN"};
  traits.flops = 1.5e9;
  traits.depth = 12;
  traits.work[static_cast<size_t>(WorkClass::kSpatial)] = {
      .nodes = 5, .macs = 7.5e8, .log_depth = 5.25};
  return traits;
}

TEST(NetworkTraitsJson, RestoresEveryField) {
  auto traits = NetworkTraitsFromJson(NetworkTraitsToJson(Small()));
  ASSERT_TRUE(traits.ok()) << traits.error().message();
  EXPECT_EQ(traits->name, "small");
  EXPECT_EQ(traits->batch, 2);
  EXPECT_EQ(traits->counts.total_parameters, 10000000000000000000u);
  EXPECT_EQ(traits->counts.network_type, "CNN");
  EXPECT_EQ(traits->flops, 1.5e9);
  EXPECT_EQ(traits->Of(WorkClass::kSpatial).log_depth, 5.25);
  EXPECT_EQ(NetworkTraitsToJson(*traits), NetworkTraitsToJson(Small()));
}

TEST(NetworkTraitsJson, OmitsClassesWithoutWork) {
  EXPECT_EQ(NetworkTraitsToJson(Small())["work"].size(), 1u);
}

TEST(NetworkTraitsJson, NamesAMissingKey) {
  Json json = NetworkTraitsToJson(Small());
  json.erase("flops");
  auto traits = NetworkTraitsFromJson(json);
  ASSERT_FALSE(traits.ok());
  EXPECT_EQ(traits.error().code(), ErrorCode::kCorrupt);
  EXPECT_NE(traits.error().message().find("flops"), std::string::npos);
}

}  // namespace
}  // namespace mete
