// The tests that every ClusterServices must pass: the fake and each adapter.
//
//   struct FakeClusterServicesMaker {
//     ClusterServices& services();
//     // An object of this name that mete did not create.
//     void AddForeign(const std::string& name);
//     // Returns when all instances of the service serve.
//     void MakeReady(const std::string& name);
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Fake, ClusterServicesContract,
//                                  FakeClusterServicesMaker);
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ports/cluster_services.h"

namespace mete {

template <typename Maker>
class ClusterServicesContract : public testing::Test {
 protected:
  ClusterServices& services() { return maker_.services(); }
  static ClusterServiceOrder Order(const std::string& name) {
    return {.name = name,
            .image = "example.com/app:1",
            .arguments = {"serve", "$HOME"},
            .instances = 2,
            .limits = {.memory = Mebibytes(64), .cpus = Millicores{100}},
            .labels = {{"mete.dev/plan", "plan-1"}}};
  }
  void Apply(const ClusterServiceOrder& order) {
    Status applied = services().Apply(order, {});
    ASSERT_TRUE(applied.ok()) << applied.error().message();
  }
  std::vector<std::string> Names(const LabelMap& labels) {
    auto found = services().List(labels, {});
    EXPECT_TRUE(found.ok()) << found.error().message();
    std::vector<std::string> names;
    if (!found.ok()) return names;
    for (const ClusterServiceStatus& one : *found) names.push_back(one.name);
    return names;
  }

  Maker maker_;
};
TYPED_TEST_SUITE_P(ClusterServicesContract);

TYPED_TEST_P(ClusterServicesContract, AnAppliedServiceIsKnown) {
  this->Apply(this->Order("web"));
  auto status = this->services().Get("web", {});
  ASSERT_TRUE(status.ok()) << status.error().message();
  EXPECT_EQ(status->name, "web");
  EXPECT_EQ(status->image, "example.com/app:1");
  EXPECT_EQ(status->port, 8000);
  EXPECT_EQ(status->instances, 2);
  EXPECT_EQ(status->labels.at("mete.dev/plan"), "plan-1");
  EXPECT_FALSE(status->Available());
}

TYPED_TEST_P(ClusterServicesContract, ServicesAreFoundByTheirLabels) {
  this->Apply(this->Order("web"));
  ClusterServiceOrder other = this->Order("api");
  other.labels = {{"mete.dev/plan", "plan-2"}};
  this->Apply(other);
  using Names = std::vector<std::string>;
  EXPECT_EQ(this->Names({}), (Names{"api", "web"}));
  EXPECT_EQ(this->Names({{"mete.dev/plan", "plan-2"}}), Names{"api"});
  EXPECT_EQ(this->Names({{"mete.dev/plan", "plan-3"}}), Names{});
}

TYPED_TEST_P(ClusterServicesContract, ASecondOrderChangesTheService) {
  this->Apply(this->Order("web"));
  ClusterServiceOrder order = this->Order("web");
  order.image = "example.com/app:2";
  order.instances = 1;
  this->Apply(order);
  auto found = this->services().List({}, {});
  ASSERT_TRUE(found.ok()) << found.error().message();
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->at(0).image, "example.com/app:2");
  EXPECT_EQ(found->at(0).instances, 1);
}

TYPED_TEST_P(ClusterServicesContract, AServiceBecomesAvailable) {
  this->Apply(this->Order("web"));
  this->maker_.MakeReady("web");
  auto status = this->services().Get("web", {});
  ASSERT_TRUE(status.ok()) << status.error().message();
  EXPECT_TRUE(status->Available());
  ASSERT_EQ(status->pods.size(), 2u);
  EXPECT_TRUE(status->pods[0].ready);
  EXPECT_FALSE(status->pods[0].address.empty());
}

TYPED_TEST_P(ClusterServicesContract, ARemovedServiceIsGone) {
  this->Apply(this->Order("web"));
  Status removed = this->services().Remove("web", {});
  ASSERT_TRUE(removed.ok()) << removed.error().message();
  EXPECT_EQ(this->services().Get("web", {}).error().code(),
            ErrorCode::kNotFound);
  EXPECT_TRUE(this->services().Remove("web", {}).ok());
}

TYPED_TEST_P(ClusterServicesContract, ObjectsOfOthersStayAsTheyAre) {
  this->maker_.AddForeign("web");
  Status applied = this->services().Apply(this->Order("web"), {});
  ASSERT_FALSE(applied.ok());
  EXPECT_EQ(applied.error().code(), ErrorCode::kInvalidInput);
  Status removed = this->services().Remove("web", {});
  ASSERT_FALSE(removed.ok());
  EXPECT_EQ(removed.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(this->Names({}), std::vector<std::string>{});
}

TYPED_TEST_P(ClusterServicesContract, InvalidOrdersLeaveNothingBehind) {
  ClusterServiceOrder order = this->Order("web");
  order.image = "";
  EXPECT_EQ(this->services().Apply(order, {}).error().code(),
            ErrorCode::kInvalidInput);
  order = this->Order("web");
  order.instances = 0;
  EXPECT_EQ(this->services().Apply(order, {}).error().code(),
            ErrorCode::kInvalidInput);
  order = this->Order("web");
  order.limits.cpuset = "0";
  EXPECT_EQ(this->services().Apply(order, {}).error().code(),
            ErrorCode::kUnsupported);
  EXPECT_EQ(this->Names({}), std::vector<std::string>{});
}

REGISTER_TYPED_TEST_SUITE_P(ClusterServicesContract, AnAppliedServiceIsKnown,
                            ServicesAreFoundByTheirLabels,
                            ASecondOrderChangesTheService,
                            AServiceBecomesAvailable, ARemovedServiceIsGone,
                            ObjectsOfOthersStayAsTheyAre,
                            InvalidOrdersLeaveNothingBehind);

}  // namespace mete
