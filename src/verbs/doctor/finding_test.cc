#include "doctor/finding.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/json.h"

namespace mete {
namespace {

TEST(Finding, TableHasTheAdviceBelowTheFinding) {
  EXPECT_EQ(DoctorTable({{.subject = "system", .seen = "Debian"},
                         {.subject = "NVML",
                          .state = FindingState::kMissing,
                          .seen = "no library",
                          .advice = "install it"}}),
            "ok       system  Debian\n"
            "missing  NVML    no library\n"
            "                 -> install it\n");
}

TEST(Finding, TableWrapsAtEightyColumns) {
  std::string words;
  for (int i = 0; i < 40; ++i) words += "word ";
  std::istringstream lines(DoctorTable({{.subject = "perf counters",
                                         .state = FindingState::kLimited,
                                         .seen = words + std::string(200, 'x'),
                                         .advice = words}}));
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(line.size(), 80u) << line;
  }
  EXPECT_GT(count, 8u);
}

TEST(Finding, JsonOmitsEmptyAdvice) {
  Json json = DoctorToJson({{.subject = "system", .seen = "Debian"},
                            {.subject = "NVML",
                             .state = FindingState::kMissing,
                             .seen = "no library",
                             .advice = "install it"}});
  EXPECT_EQ(json.dump(),
            R"([{"subject":"system","state":"ok","seen":"Debian"},)"
            R"({"subject":"NVML","state":"missing","seen":"no library",)"
            R"("advice":"install it"}])");
}

TEST(Finding, CsvHasOneRowPerFinding) {
  EXPECT_EQ(DoctorCsv({{.subject = "a",
                        .state = FindingState::kLimited,
                        .seen = "b, c",
                        .advice = "d"}}),
            "subject,state,seen,advice\na,limited,\"b, c\",d\n");
}

}  // namespace
}  // namespace mete
