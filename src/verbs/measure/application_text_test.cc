#include "measure/application_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace mete {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Run Finished(ApplicationDetails results) {
  Run run;
  run.workload = {.kind = WorkloadKind::kCommand, .name = "app"};
  run.device_name = "box";
  if (!results.duration) results.duration = Seconds(1);
  run.details = std::move(results);
  return run;
}

// The text without the line breaks added for the terminal width.
std::string FormatUnwrapped(ApplicationDetails results) {
  std::string text = ApplicationText(Finished(std::move(results)));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

TEST(ApplicationText, ShowsProcessorCounters) {
  std::string text =
      FormatUnwrapped({.usage = {.hardware = {.cycles = 2'000'000'000,
                                              .instructions = 3'000'000'000,
                                              .cache_references = 40'000'000,
                                              .cache_misses = 1'000'000,
                                              .branch_misses = 5'000'000}}});
  EXPECT_THAT(text, HasSubstr("3.00 G instructions (1.50 per cycle), 2.50 % of "
                              "40.0 M cache references missed, 5.00 M branches "
                              "mispredicted"));
}

TEST(ApplicationText, OmitsMissingCounters) {
  std::string text =
      FormatUnwrapped({.usage = {.hardware = {.branch_misses = 7}}});
  EXPECT_THAT(text, HasSubstr("7 branches mispredicted"));
  EXPECT_THAT(text, Not(HasSubstr("instructions")));
  EXPECT_THAT(FormatUnwrapped({}), Not(HasSubstr("branches")));
  EXPECT_THAT(FormatUnwrapped({}), Not(HasSubstr("GPU")));
}

TEST(ApplicationText, ShowsGpuUsage) {
  std::string text = FormatUnwrapped(
      {.gpu = GpuSummary{.names = {"NVIDIA A2"},
                         .mean_utilization = 0.4,
                         .peak_utilization = 0.6,
                         .peak_memory = Mebibytes(900),
                         .total_memory = Gibibytes(16),
                         .application_peak_memory = Mebibytes(300),
                         .energy = Joules{25}}});
  EXPECT_THAT(
      text,
      HasSubstr("GPU (NVIDIA A2) 40 % in use, at most 60 %, memory "
                "peak 900 MiB of 16.0 GiB (300 MiB by the application), 25 J"));
}

TEST(ApplicationText, ShowsTheTimeLimitBesideTheTime) {
  mete::Run run = Finished({.duration = Seconds(0.101)});
  run.outcome = {.kind = OutcomeKind::kTimedOut,
                 .detail = "limit 100 ms; ended by SIGTERM"};
  EXPECT_THAT(ApplicationText(run),
              HasSubstr("timed out after 101 ms (limit 100 ms); ended by "
                        "SIGTERM\n"));
}

TEST(ApplicationText, ShowsTheSamples) {
  EXPECT_THAT(FormatUnwrapped({.accounting = "cgroup v1",
                               .sampling = {.hertz = 10,
                                            .taken = 10,
                                            .worst_delay = Seconds(2e-4),
                                            .own_cpu = Seconds(3e-4)}}),
              HasSubstr("10 samples at 10 Hz (0 missed, max delay 200 us); "
                        "source: cgroup v1; mete used 300 us of CPU time"));
  EXPECT_THAT(FormatUnwrapped({.accounting = "cgroup v1"}),
              HasSubstr("no samples: the command ended before the first one; "
                        "source: cgroup v1"));
}

TEST(ApplicationText, ShowsThePartsOfMemory) {
  EXPECT_THAT(
      FormatUnwrapped({.usage = {.memory_peak = Mebibytes(64),
                                 .memory_anonymous = Mebibytes(50),
                                 .memory_file = Mebibytes(12),
                                 .memory_kernel = Mebibytes(1),
                                 .resident_peak = Mebibytes(70),
                                 .proportional_memory = Mebibytes(40),
                                 .proportional_at = Seconds(1.5)}}),
      HasSubstr("memory peak 64.0 MiB (at samples up to: anonymous 50.0 MiB, "
                "files 12.0 MiB, kernel 1.0 MiB), largest process 70.0 MiB, "
                "PSS 40.0 MiB at 1.50 s"));
}

TEST(ApplicationText, OmitsHalfOfTheDiskTrafficThatIsUnknown) {
  EXPECT_THAT(
      FormatUnwrapped({.usage = {.disk_written = Mebibytes(3)}}),
      AllOf(HasSubstr("disk written 3.0 MiB"), Not(HasSubstr("disk read"))));
}

TEST(ApplicationText, ShowsTheNetworkOfTheApplication) {
  EXPECT_THAT(FormatUnwrapped({.usage = {.network_received = Mebibytes(3),
                                         .network_sent = Bytes{10}}}),
              HasSubstr("network received 3.0 MiB, sent 10 B (at the last "
                        "sample)"));
}

}  // namespace
}  // namespace mete
