#include "control/controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "support/file.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_control.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ControllerTest : public testing::Test {
 protected:
  ControllerDependencies Needs() {
    auto open = [this](const std::string& kind) {
      return
          [this, kind](
              const std::string& url) -> Result<std::unique_ptr<SeriesSource>> {
            opened.push_back(kind + " " + url);
            auto series = std::make_unique<FakeSeries>(url);
            series->Set("load", 20);
            return std::unique_ptr<SeriesSource>(std::move(series));
          };
    };
    return {.open_agent = open("agent"),
            .open_prometheus = open("prometheus"),
            .new_actuator =
                [this] {
                  auto made = std::make_unique<FakeActuator>();
                  made->knobs[kFakeHogCpus] = std::nullopt;
                  actuator = made.get();
                  return made;
                },
            .new_notifier = [] { return std::make_unique<FakeNotifier>(); },
            .clock = clock};
  }

  // The series "load" must stay below 10.
  SloRules Rules() {
    SloRules rules;
    rules.agents = {"http://one"};
    rules.rules = {{.name = "r",
                    .series = "load",
                    .objective = {.bound = {.value = 10}, .clear = 9},
                    .violated_for = Seconds(0),
                    .actions = {LimitAction{.target = kFakeHog, .to = 0.2}}}};
    return rules;
  }

  FakeClock clock;
  std::vector<std::string> opened;
  FakeActuator* actuator = nullptr;
  ScratchFolder folder = ScratchFolder::Create().value();
  std::filesystem::path audit = folder.path() / "audit.jsonl";
};

TEST_F(ControllerTest, OpensEveryAgentAndPrometheusOfTheRules) {
  SloRules rules = Rules();
  rules.agents.push_back("http://two");
  rules.prometheus = "http://prom";
  ASSERT_TRUE(OpenSources(rules, Needs()).ok());
  EXPECT_THAT(opened, ElementsAre("agent http://one", "agent http://two",
                                  "prometheus http://prom"));
}

TEST_F(ControllerTest, RefusesASelectorThatASourceDoesNotSupport) {
  SloRules rules = Rules();
  rules.rules[0].series = "bad";
  auto sources = OpenSources(rules, Needs());
  ASSERT_FALSE(sources.ok());
  EXPECT_THAT(sources.error().message(), HasSubstr("'bad' is bad"));
}

TEST_F(ControllerTest, RecordsADecisionBeforeReportingIt) {
  std::stop_source stop;
  std::string written;
  auto controller = Controller::Open({.rules = Rules(),
                                      .audit = audit,
                                      .act = true,
                                      .report =
                                          [&](const AuditEntry& entry) {
                                            written = ReadFile(audit).value();
                                            if (entry.decision == "act")
                                              stop.request_stop();
                                          }},
                                     Needs());
  ASSERT_TRUE(controller.ok()) << controller.error().message();
  ASSERT_TRUE((*controller)->Run(stop.get_token()).ok());
  EXPECT_THAT(written, HasSubstr("\"decision\":\"act\""));
  EXPECT_THAT(actuator->calls, testing::Contains("process hog 0.20"));
  // At the end everything is restored.
  EXPECT_EQ(actuator->knobs[kFakeHogCpus], std::nullopt);
}

TEST_F(ControllerTest, OnlyOneControllerCanOpenAnAuditLog) {
  ControllerRequest request{
      .rules = Rules(), .audit = audit, .report = [](const AuditEntry&) {}};
  auto first = Controller::Open(request, Needs());
  ASSERT_TRUE(first.ok());
  auto second = Controller::Open(request, Needs());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
}

TEST_F(ControllerTest, RefusesToRunWithADamagedState) {
  auto controller = Controller::Open(
      {.rules = Rules(), .audit = audit, .report = [](const AuditEntry&) {}},
      Needs());
  ASSERT_TRUE(controller.ok());
  ASSERT_TRUE(WriteFileAtomically(audit.string() + ".state", "{").ok());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE((*controller)->Run(stop.get_token()).ok());
}

TEST_F(ControllerTest, OnlyObservesUnlessItShallAct) {
  std::stop_source stop;
  auto controller = Controller::Open({.rules = Rules(),
                                      .audit = audit,
                                      .report =
                                          [&](const AuditEntry& entry) {
                                            if (entry.decision == "act")
                                              stop.request_stop();
                                          }},
                                     Needs());
  ASSERT_TRUE(controller.ok());
  ASSERT_TRUE((*controller)->Run(stop.get_token()).ok());
  EXPECT_THAT(actuator->calls, testing::IsEmpty());
}

TEST_F(ControllerTest, ReportsNothingThatItCannotRecord) {
  std::filesystem::create_symlink("/dev/full", audit);
  std::stop_source stop;
  auto controller = Controller::Open(
      {.rules = Rules(),
       .audit = audit,
       .act = true,
       .report = [&](const AuditEntry&) { stop.request_stop(); }},
      Needs());
  ASSERT_TRUE(controller.ok()) << controller.error().message();
  EXPECT_FALSE((*controller)->Run(stop.get_token()).ok());
  EXPECT_FALSE(stop.stop_requested());
}

TEST_F(ControllerTest, AStepStartsFromTheCoresOfTheMachine) {
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  SloRules rules = Rules();
  rules.rules[0].actions = {LimitAction{.target = kFakeHog, .step = 0.5}};
  std::stop_source stop;
  std::optional<double> limit;
  auto controller = Controller::Open({.rules = rules,
                                      .audit = audit,
                                      .act = true,
                                      .report =
                                          [&](const AuditEntry& entry) {
                                            if (entry.decision != "act") return;
                                            limit = entry.to;
                                            stop.request_stop();
                                          }},
                                     Needs());
  ASSERT_TRUE(controller.ok()) << controller.error().message();
  ASSERT_TRUE((*controller)->Run(stop.get_token()).ok());
  EXPECT_EQ(limit, cores / 2);
}

TEST_F(ControllerTest, KeepsItsAuditLogInTheStateFolder) {
  EXPECT_EQ(DefaultAuditFile("/state"), "/state/control/audit.jsonl");
}

}  // namespace
}  // namespace mete
