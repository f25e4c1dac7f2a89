#include "adapters/onnxruntime/session_options.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(FindProvider, AcceptsShortNamesInAnyCase) {
  const std::vector<std::string> available = {"CUDAExecutionProvider",
                                              "CPUExecutionProvider"};
  EXPECT_EQ(FindProvider("cuda", available).value(), "CUDAExecutionProvider");
  EXPECT_EQ(FindProvider("CPUExecutionProvider", available).value(),
            "CPUExecutionProvider");
}

TEST(FindProvider, ListsWhatThereIs) {
  auto none = FindProvider("CUDA", {"CPUExecutionProvider"});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(none.error().message(),
            "this ONNX Runtime has no execution provider 'CUDA'; it has CPU");
}

}  // namespace
}  // namespace mete
