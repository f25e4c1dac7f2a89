#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report_input.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile =
    "</script><script>alert('x')</script><img src=x onerror=alert(1)>\u2028";

mete::Run HostileRun() {
  mete::Run run;
  run.id = kHostile;
  run.device_name = kHostile;
  run.outcome.detail = kHostile;
  run.environment.cpu_model = kHostile;
  run.cpu_time = Seconds(1);
  run.details = ApplicationDetails{
      .duration = Seconds(2), .accounting = kHostile, .notes = {kHostile}};
  run.application()->app_metrics[kHostile] = {
      .kind = AppMetricKind::kRate, .rate_hz = 30, .count = 60};
  return run;
}

ReportInput Hostile() {
  RunCurves curves;
  curves.samples.Add("time_seconds", {1, 2, 3});
  curves.samples.Add("memory_bytes", {1, 2, 3});
  curves.metrics[kHostile] = {.per_second = {1, 2, 3}};
  return {.title = kHostile,
          .reproduce = kHostile,
          .description = kHostile,
          .applications = {{.name = kHostile,
                            .instructions = kHostile,
                            .reproduce = kHostile,
                            .runs = {HostileRun()},
                            .curves = {curves}},
                           {.name = "other", .failure = kHostile}}};
}

TEST(ReportPage, UntrustedTextIsEscapedEverywhere) {
  std::string page = ReportPage(Hostile());
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("onerror=alert(1)>")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x onerror=alert(1)&gt;"));
  EXPECT_THAT(page, HasSubstr("\\u003c/script\\u003e"));
}

TEST(ReportPage, MakesNoRequests) {
  std::string page = ReportPage(Hostile());
  for (const char* sign :
       {"src=\"", "url(", "@import", "fetch(", "<link rel=\"s"}) {
    EXPECT_THAT(page, Not(HasSubstr(sign)));
  }
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(ReportPage, IncludesTheLicenceOfUplot) {
  EXPECT_THAT(ReportPage({}), HasSubstr("The MIT License"));
  EXPECT_THAT(ReportPage({}), HasSubstr("Leon Sorokin"));
}

TEST(ReportPage, LimitsTheNumberOfDrawnRuns) {
  ReportedApplication application{.name = "app"};
  for (int i = 0; i < 50; ++i) {
    application.runs.push_back(HostileRun());
    RunCurves curves;
    curves.samples.Add("time_seconds", {1, 2});
    curves.samples.Add("memory_bytes", {1, 2});
    application.curves.push_back(curves);
  }
  std::string page = ReportPage({.applications = {application}});
  EXPECT_THAT(page, HasSubstr("<option value=\"19\">"));
  EXPECT_THAT(page, Not(HasSubstr("<option value=\"20\">")));
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\">50</th>"));
}

TEST(ReportPage, ApplicationThatNeverRanHasNoEmptyTables) {
  std::string page = ReportPage(
      {.applications = {{.name = "app", .failure = "start app: not found"}}});
  EXPECT_THAT(page, HasSubstr("Could not be started"));
  EXPECT_THAT(page, Not(HasSubstr("<h3>Runs</h3>")));
  EXPECT_THAT(page, Not(HasSubstr("id=\"charts-0\"")));
}

}  // namespace
}  // namespace mete
