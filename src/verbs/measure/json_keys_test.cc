#include "measure/json_keys.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

std::string WholeComplaint(const std::string& text) {
  const Json json = ParseJson(text).value();
  Status checked = CheckWhole(json, "limits.", "n", 7);
  return checked.ok() ? "" : checked.error().message();
}

TEST(CheckWhole, AcceptsWholeNumbersUpToTheMost) {
  for (const char* text : {R"({})", R"({"n":0})", R"({"n":7})"}) {
    EXPECT_EQ(WholeComplaint(text), "") << text;
  }
  for (const char* text : {R"({"n":8})", R"({"n":-1})", R"({"n":1.5})",
                           R"({"n":"1"})", R"({"n":null})", R"({"n":true})"}) {
    EXPECT_EQ(WholeComplaint(text),
              "'limits.n' is not a whole number from 0 to 7")
        << text;
  }
  Json made;
  made["n"] = 0;  // signed, as programs make it
  EXPECT_TRUE(CheckWhole(made, "", "n", 7).ok());
}

TEST(CheckKeys, NamesTheUnknownKeyWithItsSection) {
  const Json json = ParseJson(R"({"memory":1,"cpu":2})").value();
  EXPECT_TRUE(CheckKeys(json, "", {"memory", "cpu"}).ok());
  EXPECT_EQ(CheckKeys(json, "limits.", {"memory", "cpus"}).error().message(),
            "unknown key 'limits.cpu'; did you mean 'limits.cpus'?");
}

TEST(CheckKeys, NamesWhatIsNoObject) {
  const Json list = Json::array();
  EXPECT_EQ(CheckKeys(list, "", {}).error().message(), "it is not an object");
  EXPECT_EQ(CheckKeys(list, "limits.", {}).error().message(),
            "'limits' is not an object");
}

}  // namespace
}  // namespace mete
