#include "support/gzip.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Gzip, RestoresTexts) {
  std::string large;
  for (int i = 0; i < 100'000; ++i) large += std::to_string(i * 7919) + ",";
  for (const std::string& text : {std::string(), std::string("a"), large}) {
    std::string bytes = Gzip(text).value();
    EXPECT_TRUE(IsGzip(bytes));
    auto back = Gunzip(bytes);
    ASSERT_TRUE(back.ok()) << back.error().message();
    EXPECT_EQ(*back, text);
  }
  EXPECT_LT(Gzip(large).value().size(), large.size());
}

TEST(Gzip, IsDeterministic) { EXPECT_EQ(*Gzip("abc"), *Gzip("abc")); }

TEST(Gzip, ReadsSeveralMembersAsOneText) {
  EXPECT_EQ(*Gunzip(*Gzip("ab") + *Gzip("cd")), "abcd");
}

TEST(Gzip, RejectsTruncatedOrOtherInput) {
  std::string bytes = Gzip("a text that is long enough to be cut").value();
  EXPECT_EQ(Gunzip(bytes.substr(0, bytes.size() - 4)).error().code(),
            ErrorCode::kCorrupt);
  EXPECT_EQ(Gunzip("network,sha256").error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(Gunzip("").error().code(), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace mete
