#include "zoo/draft_digest.h"

#include <gtest/gtest.h>

#include "zoo/zoo.h"

namespace mete {
namespace {

TEST(DraftDigest, IsTheSameForEqualDrafts) {
  const std::string digest = DraftDigest(*MakeDraft("gru", 3));
  EXPECT_EQ(digest, DraftDigest(*MakeDraft("gru", 3)));
  EXPECT_EQ(digest.size(), 16u);
}

TEST(DraftDigest, ChangesWithEverythingThatIsWritten) {
  const NetworkDraft draft = *MakeDraft("lenet5", 0);
  const std::string before = DraftDigest(draft);
  auto after = [&](auto change) {
    NetworkDraft other = draft;
    change(other);
    return DraftDigest(other);
  };
  EXPECT_NE(before, after([](NetworkDraft& d) { d.seed = 1; }));
  EXPECT_NE(before, after([](NetworkDraft& d) { d.graph.nodes.pop_back(); }));
  EXPECT_NE(before, after([](NetworkDraft& d) {
              d.graph.nodes.front().attributes.pop_back();
            }));
  EXPECT_NE(before, after([](NetworkDraft& d) {
              d.fills.begin()->second = ConstantFill{0.5};
            }));
  EXPECT_NE(before, after([](NetworkDraft& d) {
              d.graph.inputs.front().type.type = ElementType::kDouble;
            }));
  EXPECT_NE(before, after([](NetworkDraft& d) {
              d.other_operator_sets = {{.domain = "x", .version = 1}};
            }));
}

}  // namespace
}  // namespace mete
