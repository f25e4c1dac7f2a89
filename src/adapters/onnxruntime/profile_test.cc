#include "adapters/onnxruntime/profile.h"

#include <gtest/gtest.h>

#include <sstream>

namespace mete {
namespace {

// As written by ONNX Runtime 1.22, without unused fields.
constexpr const char* kTwoRuns = R"([
{"cat":"Session","dur":900,"name":"model_loading_uri","args":{}},
{"cat":"Node","dur":1,"name":"a_fence_before","args":{"op_name":"Conv"}},
{"cat":"Node","dur":50,"name":"a_kernel_time","args":{"op_name":"Conv"}},
{"cat":"Node","dur":7,"name":"b_kernel_time","args":{"op_name":"Relu"}},
{"cat":"Session","dur":60,"name":"model_run","args":{}},
{"cat":"Node","dur":40,"name":"a_kernel_time","args":{"op_name":"Conv"}},
{"cat":"Session","dur":44,"name":"model_run","args":{}}
])";

TEST(Profile, CountsRunsByTheEventThatEndsEach) {
  std::istringstream stream(kTwoRuns);
  auto times = ReadProfile(stream);
  ASSERT_TRUE(times.ok()) << times.error().message();
  ASSERT_EQ(times->size(), 3u);
  EXPECT_EQ(times->at(0).iteration, 0u);
  EXPECT_EQ(times->at(1).iteration, 0u);
  EXPECT_EQ(times->at(2).iteration, 1u);
}

TEST(Profile, TakesNameOperatorAndMicroseconds) {
  std::istringstream stream(kTwoRuns);
  auto times = ReadProfile(stream);
  ASSERT_TRUE(times.ok()) << times.error().message();
  EXPECT_EQ(times->at(1).name, "b");
  EXPECT_EQ(times->at(1).op, "Relu");
  EXPECT_DOUBLE_EQ(times->at(1).seconds, 7e-6);
}

TEST(Profile, ATruncatedFileIsCorrupt) {
  std::istringstream stream(std::string(kTwoRuns).substr(0, 100));
  auto times = ReadProfile(stream);
  ASSERT_FALSE(times.ok());
  EXPECT_EQ(times.error().code(), ErrorCode::kCorrupt);
}

TEST(Profile, AnEventWithAFieldOfAnotherTypeIsCorrupt) {
  std::istringstream stream(R"([{"cat":"Node","name":3}])");
  auto times = ReadProfile(stream);
  ASSERT_FALSE(times.ok());
  EXPECT_EQ(times.error().code(), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace mete
