#include "service/inference_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/test_service.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

// The first run of a session is its warm-up, in the thread that opens it.
EngineScript HeldBy(Gate& gate) {
  return {.inputs = OpenBatchInput(), .on_run = [&gate](size_t iteration) {
            if (iteration > 0) gate.Pass();
          }};
}

TensorValue FourNumbers() {
  return {.name = "input",
          .type = ElementType::kFloat,
          .sizes = {1, 4},
          .bytes = std::vector<std::byte>(16)};
}

TEST(InferenceService, MeasuresQueueingAndServiceTime) {
  Gate gate;
  TestService test(HeldBy(gate));
  auto service = test.Open().value();
  Answers answers;
  ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  gate.WaitForSomebody();
  ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  gate.Open();
  const auto served = answers.Wait(2);
  EXPECT_EQ(served[0]->record.QueueingTime(), milliseconds(0));
  EXPECT_EQ(served[0]->record.ServiceTime(), milliseconds(10));
  // It arrived when the other one had just begun.
  EXPECT_EQ(served[1]->record.QueueingTime(), milliseconds(10));
  EXPECT_EQ(served[1]->record.ServiceTime(), milliseconds(10));
  EXPECT_EQ(service->records().Read().records.size(), 2u);
}

TEST(InferenceService, RecordsHowManyWaitedWhenARequestArrived) {
  Gate gate;
  TestService test(HeldBy(gate));
  auto service = test.Open().value();
  Answers answers;
  ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  gate.WaitForSomebody();
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  EXPECT_EQ(service->queue_length(), 2u);
  gate.Open();
  const auto served = answers.Wait(3);
  EXPECT_EQ(served[1]->record.queue_length, 0u);
  EXPECT_EQ(served[2]->record.queue_length, 1u);
}

TEST(InferenceService, RefusesMoreThanTheQueueHolds) {
  Gate gate;
  TestService test(HeldBy(gate));
  auto service = test.Open({.queue = 2}).value();
  Answers answers;
  ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  gate.WaitForSomebody();
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  Status refused = service->Submit(GeneratedItems{}, answers.Take());
  EXPECT_EQ(refused.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(refused.error().message(),
            "the queue is full: 2 requests are waiting");
  EXPECT_EQ(service->meter().rejected, 1u);
  gate.Open();
  answers.Wait(3);
}

TEST(InferenceService, ServesWhatIsQueuedWhenItCloses) {
  Gate gate;
  TestService test(HeldBy(gate));
  auto service = test.Open().value();
  Answers answers;
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  service->Close();
  EXPECT_FALSE(service->accepting());
  EXPECT_EQ(service->Submit(GeneratedItems{}, answers.Take()).error().message(),
            "the service is shutting down");
  gate.Open();
  service.reset();
  EXPECT_EQ(answers.count(), 5u);
  for (const auto& served : answers.Wait(5)) EXPECT_TRUE(served.ok());
}

TEST(InferenceService, RejectQueuedAnswersAllButTheRunningRequest) {
  Gate gate;
  TestService test(HeldBy(gate));
  auto service = test.Open().value();
  Answers answers;
  ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  gate.WaitForSomebody();
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  service->Close();
  EXPECT_EQ(service->RejectQueued(), 3u);
  for (const auto& refused : answers.Wait(3))
    EXPECT_EQ(refused.error().code(), ErrorCode::kUnavailable);
  gate.Open();
  EXPECT_TRUE(answers.Wait(4)[3].ok());
}

TEST(InferenceService, ReturnsTheOutputsForGivenTensors) {
  TestService test;
  auto service = test.Open().value();
  Answers answers;
  ASSERT_TRUE(
      service->Submit(GivenTensors{FourNumbers()}, answers.Take()).ok());
  const auto served = answers.Wait(1);
  ASSERT_TRUE(served[0].ok()) << served[0].error().message();
  ASSERT_EQ(served[0]->outputs.size(), 1u);
  EXPECT_EQ(served[0]->outputs[0].name, "output");
}

TEST(InferenceService, GeneratesItsInputsAgainAfterGivenTensors) {
  TestService test;
  auto service = test.Open().value();
  Answers answers;
  ASSERT_TRUE(
      service->Submit(GivenTensors{FourNumbers()}, answers.Take()).ok());
  ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  answers.Wait(2);
  service.reset();
  const auto& fed = test.engine.log().fed;
  ASSERT_EQ(fed.size(), 3u);  // the first is the warm-up
  EXPECT_EQ(fed[2][0].bytes, fed[0][0].bytes);
  EXPECT_NE(fed[1][0].bytes, fed[0][0].bytes);
}

TEST(InferenceService, ReportsAFailureOfTheEngineAndServesTheNext) {
  TestService test({.inputs = OpenBatchInput(),
                    .run_failure = [](size_t i) -> std::optional<Error> {
                      if (i == 1) return Unavailable("no memory");
                      return std::nullopt;
                    }});
  auto service = test.Open().value();
  Answers answers;
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  const auto served = answers.Wait(2);
  EXPECT_EQ(served[0].error().message(), "no memory");
  EXPECT_TRUE(served[1].ok());
  EXPECT_EQ(service->meter().failed, 1u);
  EXPECT_EQ(service->records().Read().records.size(), 1u);
}

TEST(InferenceService, CountsOutputsThatCannotBeReadAsAFailure) {
  TestService test({.inputs = OpenBatchInput(),
                    .outputs_failure = Unavailable("a sequence")});
  auto service = test.Open().value();
  Answers answers;
  ASSERT_TRUE(
      service->Submit(GivenTensors{FourNumbers()}, answers.Take()).ok());
  EXPECT_FALSE(answers.Wait(1)[0].ok());
  service->Close();
  EXPECT_EQ(service->meter().failed, 1u);
  EXPECT_EQ(service->meter().served, 0u);
}

TEST(InferenceService, FreesOutputsThatCannotBeReadBeforeTheNextRequest) {
  TestService test({.inputs = OpenBatchInput(),
                    .release_time = milliseconds(5),
                    .outputs_failure = Unavailable("a sequence")});
  auto service = test.Open().value();
  Answers answers;
  ASSERT_TRUE(
      service->Submit(GivenTensors{FourNumbers()}, answers.Take()).ok());
  answers.Wait(1);
  ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  EXPECT_EQ(answers.Wait(2)[1]->record.ServiceTime(), milliseconds(10));
}

TEST(InferenceService, CountsInputsThatDoNotFitApartFromFailuresOfTheEngine) {
  TestService test({.inputs = OpenBatchInput(),
                    .run_failure = [](size_t i) -> std::optional<Error> {
                      if (i == 1) return InvalidInput("a token is too large");
                      return std::nullopt;
                    }});
  auto service = test.Open().value();
  Answers answers;
  ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  EXPECT_FALSE(answers.Wait(1)[0].ok());
  EXPECT_EQ(service->meter().invalid, 1u);
  EXPECT_EQ(service->meter().failed, 0u);
}

TEST(InferenceService, DoesNotOpenWithABatchTheNetworkDoesNotTake) {
  TestService test{EngineScript{}};  // its batch is fixed at 1
  auto service = test.Open({.batch = 8});
  ASSERT_FALSE(service.ok());
  EXPECT_EQ(service.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(service.error().message(),
            "serve net: the network does not take batch 8: its input 'input' "
            "has the fixed shape 1x4");
}

TEST(InferenceService, GeneratesAsManyItemsAsTheRequestAsksFor) {
  TestService test;
  auto service = test.Open({.batch = 2}).value();
  Answers answers;
  ASSERT_TRUE(service->Submit(GeneratedItems{.batch = 3}, answers.Take()).ok());
  EXPECT_EQ(answers.Wait(1)[0]->batch, 3);
  service.reset();
  const auto& fed = test.engine.log().fed;
  EXPECT_EQ(fed[0][0].sizes, (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(fed[1][0].sizes, (std::vector<int64_t>{3, 4}));
}

TEST(InferenceService, LoadsTheNetworkForEachWorker) {
  TestService test;
  auto service = test.Open({.threads = 3, .workers = 2}).value();
  ASSERT_EQ(test.engine.log().loads.size(), 2u);
  EXPECT_EQ(test.engine.log().loads[1].threads, 3);
}

TEST(InferenceService, AdvisesToRetryWhenHalfOfTheQueueIsServed) {
  TestService test;
  auto service = test.Open({.queue = 1000}).value();
  EXPECT_EQ(service->RetryAfter(), std::chrono::seconds(1));
  Answers answers;
  ASSERT_TRUE(service->Submit(GeneratedItems{}, answers.Take()).ok());
  answers.Wait(1);
  // 500 requests of 10 ms.
  EXPECT_EQ(service->RetryAfter(), std::chrono::seconds(5));
}

}  // namespace
}  // namespace mete
