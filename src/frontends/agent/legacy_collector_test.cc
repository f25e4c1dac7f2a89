#include "agent/legacy_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "agent/test_machine.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class LegacyTest : public testing::Test {
 protected:
  FakeClock clock_;
  ApplicationBook book_{
      {.origin_of = [](int) { return AppOrigin{.app = "app"}; }}, clock_};
};

TEST_F(LegacyTest, ExportsApplicationsByNumber) {
  clock_.Advance(std::chrono::seconds(5));
  book_.Take({.name = "frame-time",
              .kind = AppMetricKind::kTimer,
              .value = 0.25,
              .at = clock_.Now(),
              .sender = 7});
  clock_.Advance(std::chrono::seconds(2));
  LegacyCollector collector("nvidia-nx", RecordedMachine("x86"), &book_,
                            clock_);
  EXPECT_THAT(CollectPage(collector),
              AllOf(HasSubstr("# TYPE app1_frame_time_value gauge\n"
                              "app1_frame_time_value 0.25\n"),
                    // The event was sent 2 s before the current time.
                    HasSubstr("app1_frame_time_timestamp 1714566605\n"),
                    HasSubstr("TegraRAMUsage{testbed_device=\"nvidia-nx\"} ")));
}

TEST_F(LegacyTest, ExportsOneOfTwoMetricsWithTheSameSanitizedName) {
  for (const char* name : {"a.b", "a_b"}) {
    book_.Take({.name = name, .value = 1, .at = clock_.Now(), .sender = 7});
  }
  LegacyCollector collector("x", RecordedMachine("x86"), &book_, clock_);
  std::string page = CollectPage(collector);
  const std::string line = "\napp1_a_b_value ";
  ASSERT_THAT(page, HasSubstr(line));
  EXPECT_EQ(page.find(line), page.rfind(line));
}

TEST_F(LegacyTest, SumsTheUseOfCoresSinceTheLastCollection) {
  ScratchFolder folder = *ScratchFolder::Create();
  ASSERT_TRUE(MakeFolder(folder.path() / "proc").ok());
  auto busy = [&](int first, int second) {
    std::ofstream(folder.path() / "proc/stat")
        << "cpu0 " << first << " 0 0 9 0 0 0 0 0 0\ncpu1 " << second
        << " 0 0 9 0 0 0 0 0 0\n";
  };
  busy(100, 100);
  LegacyCollector collector("x", SystemRoot(folder.path()), nullptr, clock_);
  EXPECT_THAT(CollectPage(collector), Not(HasSubstr("TegraCPUUsage{")));
  // In one second, one core was always busy and the other a quarter of the
  // time.
  busy(200, 125);
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_THAT(CollectPage(collector),
              HasSubstr("TegraCPUUsage{testbed_device=\"x\"} 125\n"));
}

TEST_F(LegacyTest, ExportsARateOnceItIsKnown) {
  auto send = [&] {
    book_.Take({.name = "frame",
                .kind = AppMetricKind::kRate,
                .value = 6,
                .at = clock_.Now(),
                .sender = 7});
  };
  send();
  LegacyCollector collector("x", RecordedMachine("x86"), &book_, clock_);
  EXPECT_THAT(CollectPage(collector), Not(HasSubstr("app1_frame")));
  clock_.Advance(std::chrono::seconds(1));
  send();
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_THAT(CollectPage(collector), HasSubstr("app1_frame_value 6\n"));
}

TEST_F(LegacyTest, ExportsTheUsedMemoryInMebibytes) {
  LegacyCollector collector("x", RecordedMachine("x86"), nullptr, clock_);
  // (16309396 - 13350864) kB
  EXPECT_THAT(CollectPage(collector),
              HasSubstr("TegraRAMUsage{testbed_device=\"x\"} 2889.19140625\n"));
}

TEST_F(LegacyTest, ReplacesEverythingButLettersAndDigits) {
  book_.Take({.name = "azAZ09`{@[/:",
              .kind = AppMetricKind::kNumber,
              .value = 1,
              .at = clock_.Now(),
              .sender = 7});
  LegacyCollector collector("x", RecordedMachine("x86"), &book_, clock_);
  EXPECT_THAT(CollectPage(collector),
              HasSubstr("\napp1_azAZ09_______value 1\n"));
}

TEST_F(LegacyTest, ExportsNoCpuWithoutTimeOrWithFewerCores) {
  ScratchFolder folder = *ScratchFolder::Create();
  ASSERT_TRUE(MakeFolder(folder.path() / "proc").ok());
  auto put = [&](const std::string& text) {
    std::ofstream(folder.path() / "proc/stat") << text;
  };
  put("cpu0 100 0 0 9 0 0 0 0 0 0\ncpu1 100 0 0 9 0 0 0 0 0 0\n");
  LegacyCollector collector("x", SystemRoot(folder.path()), nullptr, clock_);
  CollectPage(collector);
  EXPECT_THAT(CollectPage(collector), Not(HasSubstr("TegraCPUUsage{")))
      << "no time has passed";
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_THAT(CollectPage(collector),
              HasSubstr("TegraCPUUsage{testbed_device=\"x\"} 0\n"));
  put("cpu0 110 0 0 9 0 0 0 0 0 0\n");
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_THAT(CollectPage(collector), Not(HasSubstr("TegraCPUUsage{")));
}

TEST_F(LegacyTest, ARateCoversTenSeconds) {
  auto send = [&] {
    book_.Take({.name = "frame",
                .kind = AppMetricKind::kRate,
                .value = 10,
                .at = clock_.Now(),
                .sender = 7});
  };
  send();
  clock_.Advance(std::chrono::seconds(1));
  send();
  LegacyCollector collector("x", RecordedMachine("x86"), &book_, clock_);
  clock_.Advance(std::chrono::seconds(10));
  EXPECT_THAT(CollectPage(collector), HasSubstr("app1_frame_value 1\n"));
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_THAT(CollectPage(collector), HasSubstr("app1_frame_value 0\n"));
}

TEST_F(LegacyTest, RemembersABoundedNumberOfNames) {
  ApplicationBook book{{.expiry = std::chrono::seconds(60),
                        .origin_of =
                            [](int process) {
                              return AppOrigin{.app = std::to_string(process)};
                            }},
                       clock_};
  auto send = [&](int process, const std::string& name) {
    book.Take({.name = name,
               .kind = AppMetricKind::kNumber,
               .value = 1,
               .at = clock_.Now(),
               .sender = process});
  };
  LegacyCollector collector("x", RecordedMachine("x86"), &book, clock_);
  // 4 applications with 128 metrics of two names each: 1024 names.
  for (int process = 1; process <= 4; ++process) {
    for (int i = 0; i < 128; ++i) send(process, "m" + std::to_string(i));
  }
  EXPECT_THAT(CollectPage(collector), HasSubstr("app4_m127_value 1\n"));
  clock_.Advance(std::chrono::seconds(61));
  send(1, "m0");
  send(1, "other");
  const std::string page = CollectPage(collector);
  EXPECT_THAT(page, HasSubstr("app1_m0_value 1\n"));
  EXPECT_THAT(page, Not(HasSubstr("other")));
}

}  // namespace
}  // namespace mete
