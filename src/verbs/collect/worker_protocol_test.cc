#include "collect/worker_protocol.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

TEST(WorkerProtocol, OrdersRoundTrip) {
  LoadOrder load = LoadOrderFrom(ToJson(LoadOrder{.network = "a b.onnx",
                                                  .threads = 2,
                                                  .batch = 3,
                                                  .seed = 0xFFFFFFFFFFFFFFFFu,
                                                  .pictures = "cats",
                                                  .shapes = {"x=1x4"},
                                                  .inputs = {"sr=16000"}}))
                       .value();
  EXPECT_EQ(load.network, "a b.onnx");
  EXPECT_EQ(load.threads, 2);
  EXPECT_EQ(load.batch, 3);
  EXPECT_EQ(load.seed, 0xFFFFFFFFFFFFFFFFu);
  EXPECT_EQ(load.pictures, "cats");
  EXPECT_EQ(load.shapes, std::vector<std::string>{"x=1x4"});
  EXPECT_EQ(load.inputs, std::vector<std::string>{"sr=16000"});
  RunOrder run = RunOrderFrom(ToJson(RunOrder{.at_least = 10,
                                              .at_most = 100,
                                              .shortest = Seconds(0.25),
                                              .time = Seconds(1.5),
                                              .precision = 0.01}))
                     .value();
  EXPECT_EQ(run.at_least, 10u);
  EXPECT_EQ(run.at_most, 100u);
  EXPECT_EQ(run.shortest.count(), 0.25);
  EXPECT_EQ(run.time.count(), 1.5);
  EXPECT_EQ(run.precision, 0.01);
}

TEST(WorkerProtocol, RepliesRoundTrip) {
  LoadedNetwork loaded =
      LoadedFrom(ToLine(ToJson(LoadedNetwork{.seconds = 0.25,
                                             .input_shapes = {"x=1x4"},
                                             .input_origin = "random",
                                             .engine = {"fake", "1.0"}})))
          .value();
  EXPECT_EQ(loaded.seconds, 0.25);
  EXPECT_EQ(loaded.input_shapes, std::vector<std::string>{"x=1x4"});
  EXPECT_EQ(loaded.engine.version, "1.0");
  TimedRun run = TimedRunFrom(ToLine(ToJson(TimedRun{.samples = {0.1, 0.2},
                                                     .cpu_seconds = 0.3,
                                                     .peak_rss = Bytes{7}})))
                     .value();
  EXPECT_EQ(run.samples, (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(run.peak_rss, Bytes{7});
}

TEST(WorkerProtocol, ErrorsRoundTrip) {
  auto loaded = LoadedFrom(ToLine(ErrorReply(NotFound("load x: no file"))));
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(loaded.error().message(), "load x: no file");
}

TEST(WorkerProtocol, RejectsMalformedReplies) {
  for (const char* line :
       {"", "7", "[]", "{}", "{\"ran\":7}", "{\"error\":7}",
        "{\"ran\":{\"samples\":[\"x\"],\"cpu_seconds\":1}}"}) {
    EXPECT_EQ(TimedRunFrom(line).error().code(), ErrorCode::kCorrupt) << line;
  }
}

}  // namespace
}  // namespace mete
