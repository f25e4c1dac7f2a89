#include "adapters/onnxruntime/handles.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(FirstLine, OmitsTheLinesAfterTheFirst) {
  EXPECT_EQ(FirstLine("no such operator \nStacktrace:\n  main"),
            "no such operator");
}

TEST(FirstLine, OmitsTheSourcePosition) {
  EXPECT_EQ(FirstLine("/src/core/graph/graph.cc:42 void Check(int) axis 9"),
            "axis 9");
}

TEST(FirstLine, KeepsAMessageWithoutAPosition) {
  EXPECT_EQ(FirstLine("Load failed: axis (3) is wrong"),
            "Load failed: axis (3) is wrong");
}

}  // namespace
}  // namespace mete
