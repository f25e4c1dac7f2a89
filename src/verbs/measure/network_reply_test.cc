#include "measure/network_reply.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(NetworkReply, CarriesTheRunWithItsSamples) {
  mete::Run run;
  run.id = "x";
  run.started_at = std::chrono::system_clock::time_point(
      std::chrono::microseconds(1714566600123456));
  run.workload.name = "net";
  run.network()->latency = LatencySummary{.p50 = Seconds(0.01)};
  run.network()->samples = {0.01, 0.0100000000000001};
  std::string line = NetworkReply(run);
  EXPECT_EQ(line.front(), '{');
  EXPECT_EQ(line.find('\n'), std::string::npos);
  auto read = RunFromReply(line);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->started_at, run.started_at);
  EXPECT_EQ(read->network()->samples, run.network()->samples);
  EXPECT_EQ(read->network()->latency->p50, Seconds(0.01));
}

TEST(NetworkReply, CarriesTheError) {
  auto read = RunFromReply(NetworkReply(NotFound("load x.onnx: no such file")));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(read.error().message(), "load x.onnx: no such file");
}

TEST(NetworkReply, RejectsOtherLines) {
  for (const char* line : {"", "{}", "[]", "{\"run\":{}}", "hello"}) {
    auto read = RunFromReply(line);
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt) << line;
  }
}

}  // namespace
}  // namespace mete
