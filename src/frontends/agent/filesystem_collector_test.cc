#include "agent/filesystem_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "agent/test_machine.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class FilesystemCollectorTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"proc/self", "data", "more"}) {
      std::filesystem::create_directories(scratch_.path() / folder);
    }
    Mount("30 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
  }
  void Mount(const std::string& table) {
    std::ofstream(scratch_.path() / "proc/self/mountinfo") << table;
  }

  ScratchFolder scratch_ = *ScratchFolder::Create();
  FakeClock clock_;
  FilesystemCollector collector_{"edge-1", SystemRoot(scratch_.path()), clock_};
};

TEST_F(FilesystemCollectorTest, ExportsSizeAndSpace) {
  const std::string labels =
      "{node=\"edge-1\",mountpoint=\"/\",fstype=\"ext4\"} ";
  EXPECT_THAT(
      CollectPage(collector_),
      AllOf(HasSubstr("mete_device_filesystem_size_bytes" + labels),
            HasSubstr("mete_device_filesystem_available_bytes" + labels)));
}

TEST_F(FilesystemCollectorTest, LooksForMountsEveryFifteenSeconds) {
  CollectPage(collector_);
  Mount(
      "30 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "31 1 8:2 / /data rw - xfs /dev/sda2 rw\n");
  clock_.Advance(milliseconds(14'999));
  EXPECT_THAT(CollectPage(collector_), Not(HasSubstr("/data")));
  clock_.Advance(milliseconds(1));
  EXPECT_THAT(CollectPage(collector_), HasSubstr("mountpoint=\"/data\""));
  Mount("30 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
  clock_.Advance(milliseconds(14'999));
  EXPECT_THAT(CollectPage(collector_), HasSubstr("mountpoint=\"/data\""));
}

TEST_F(FilesystemCollectorTest, OmitsAMountThatIsGone) {
  Mount(
      "31 1 8:2 / /gone rw - xfs /dev/sda2 rw\n"
      "32 1 8:3 / /data rw - xfs /dev/sda3 rw\n");
  EXPECT_THAT(CollectPage(collector_),
              AllOf(Not(HasSubstr("/gone")), HasSubstr("/data")));
}

}  // namespace
}  // namespace mete
