#include "adapters/kubernetes/pod_state.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "support/json.h"

namespace mete {
namespace {

PodState Pod(const std::string& status) {
  auto json =
      ParseJson(R"({"metadata":{"name":"p","uid":"u"},"spec":{"nodeName":"n"},)"
                R"("status":)" +
                status + "}");
  EXPECT_TRUE(json.ok()) << json.error().message();
  auto pod = ParsePodState(*json);
  EXPECT_TRUE(pod.ok()) << pod.error().message();
  return *pod;
}

PodState Terminated(const std::string& state) {
  return Pod(R"({"phase":"Failed","containerStatuses":[{"name":"app",)"
             R"("state":{"terminated":)" +
             state + "}}]}");
}

TEST(PodState, AnExitCodeAbove128IsASignal) {
  ProcessEnding ending =
      PodEnding(Terminated(R"({"exitCode":143,"reason":"Error"})"));
  EXPECT_EQ(ending.signal, SIGTERM);
  EXPECT_FALSE(ending.exit_code.has_value());
  EXPECT_EQ(ending.evidence, "exit code 143 (Error) in the status of pod p");
}

TEST(PodState, OnlyTheReasonProvesAnOutOfMemoryKill) {
  EXPECT_EQ(PodEnding(Terminated(R"({"exitCode":137,"reason":"OOMKilled"})"))
                .oom_kills,
            1u);
  EXPECT_EQ(
      PodEnding(Terminated(R"({"exitCode":137,"reason":"Error"})")).oom_kills,
      0u);
}

TEST(PodState, AnExceededDeadlineIsATimeout) {
  ProcessEnding ending = PodEnding(Pod(
      R"({"phase":"Failed","reason":"DeadlineExceeded","message":"late"})"));
  ASSERT_TRUE(ending.proved.has_value());
  EXPECT_EQ(ending.proved->kind, OutcomeKind::kTimedOut);
}

TEST(PodState, HasTheSchedulersWords) {
  PodState pod = Pod(
      R"({"phase":"Pending","conditions":[{"type":"PodScheduled",)"
      R"("status":"False","reason":"Unschedulable","message":"0/3 nodes"}]})");
  EXPECT_TRUE(pod.unschedulable);
  EXPECT_EQ(pod.message, "0/3 nodes");
}

TEST(PodState, AMissingProgramIsNotFound) {
  auto failure = StartFailure(Terminated(
      R"({"exitCode":128,"reason":"StartError","message":"no such file"})"));
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->code(), ErrorCode::kNotFound);
  EXPECT_FALSE(StartFailure(Terminated(R"({"exitCode":1,"reason":"Error"})")));
}

TEST(PodState, AFirstFailedPullMayRecover) {
  auto waiting = [](const char* reason) {
    return Pod(std::string(R"({"phase":"Pending","containerStatuses":[{)"
                           R"("name":"app","state":{"waiting":{"reason":")") +
               reason + R"("}}}]})");
  };
  EXPECT_FALSE(StartProblem(waiting("ErrImagePull")).has_value());
  EXPECT_FALSE(StartProblem(waiting("ContainerCreating")).has_value());
  EXPECT_EQ(StartProblem(waiting("ImagePullBackOff"))->code(),
            ErrorCode::kNotFound);
}

TEST(PodState, RejectsWhatIsNotAPod) {
  EXPECT_FALSE(ParsePodState(Json::array()).ok());
  EXPECT_FALSE(ParsePodState(Json{{"metadata", 3}}).ok());
}

}  // namespace
}  // namespace mete
