#include "watch/python_dict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(PythonDict, IsWrittenAsPythonPrintsIt) {
  EXPECT_EQ(PythonDictText({{"mem_used", PythonText("11GB")},
                            {"process_cnt", "1"},
                            {"cyclic_pattern", "False"}}),
            "{'mem_used': '11GB', 'process_cnt': 1, 'cyclic_pattern': False}");
  EXPECT_EQ(PythonDictText({}), "{}");
  EXPECT_EQ(PythonText("it's"), "'it\\'s'");
}

TEST(PythonDict, NumbersHaveAtMostTwoDecimals) {
  EXPECT_EQ(PythonNumber(271.823), "271.82");
  EXPECT_EQ(PythonNumber(100), "100");
  EXPECT_EQ(PythonNumber(0.5), "0.5");
  EXPECT_EQ(PythonNumber(-0.001), "0");
}

TEST(PythonDict, ReadsWhatItWrites) {
  PythonDict dict = {{"a-gpu-0_util", "100"},
                     {"node", "'it\\'s, {here}'"},
                     {"cpu_util", "271.82"}};
  EXPECT_EQ(ParsePythonDict(PythonDictText(dict)), dict);
  EXPECT_EQ(ParsePythonDict("{}"), PythonDict{});
  EXPECT_EQ(ParsePythonDict("{'a':'b','c' : 1 }"),
            (PythonDict{{"a", "'b'"}, {"c", "1"}}));
}

TEST(PythonDict, RejectsEverythingElse) {
  for (const char* text :
       {"", "{", "}", "{'a'}", "{'a': }", "{'a': 1", "{'a': 1} x", "{'a': 'b}",
        "[1]", "{a: 1}", "{'a': 1,}", "text"}) {
    EXPECT_EQ(ParsePythonDict(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace mete
