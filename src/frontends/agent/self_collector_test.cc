#include "agent/self_collector.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "agent/test_machine.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::HasSubstr;

// The number after a name at the beginning of a line.
double ValueOf(const std::string& page, const std::string& name) {
  size_t at = page.find("\n" + name + " ");
  if (at == std::string::npos) return -1;
  return std::stod(page.substr(at + name.size() + 2));
}

TEST(SelfCollector, ExportsTheBuildAndTheStart) {
  FakeClock clock;
  SelfCollector collector("1.2", "arm64", clock);
  clock.Advance(std::chrono::seconds(9), std::chrono::seconds(2));
  const std::string page = CollectPage(collector);
  EXPECT_THAT(page, HasSubstr("version=\"1.2\""));
  EXPECT_THAT(page, HasSubstr("architecture=\"arm64\"} 1\n"));
  EXPECT_EQ(ValueOf(page, "process_cpu_seconds_total"), 2);
  EXPECT_EQ(ValueOf(page, "process_start_time_seconds"), 1714566600);
}

TEST(SelfCollector, ExportsItsMemoryInBytes) {
  FakeClock clock;
  SelfCollector collector("1", "x", clock);
  const double memory =
      ValueOf(CollectPage(collector), "process_resident_memory_bytes");
  EXPECT_GT(memory, 1 << 20);
  EXPECT_LT(memory, 4e9);
}

TEST(SelfCollector, CountsOpenFilesWithinAMinute) {
  FakeClock clock;
  SelfCollector collector("1", "x", clock);
  const double before = ValueOf(CollectPage(collector), "process_open_fds");
  ASSERT_GE(before, 3);
  std::vector<Descriptor> more;
  for (int i = 0; i < 5; ++i) {
    more.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  clock.Advance(std::chrono::seconds(60));
  EXPECT_EQ(ValueOf(CollectPage(collector), "process_open_fds"), before + 5);
}

TEST(SelfCollector, MemoryIsWhatIsResident) {
  FakeClock clock;
  SelfCollector collector("1", "x", clock);
  std::vector<char> held(size_t{256} << 20, 'x');
  const double memory =
      ValueOf(CollectPage(collector), "process_resident_memory_bytes");
  EXPECT_GT(memory, 256 << 20) << held.back();
}

TEST(SelfCollector, CountsEveryOpenFile) {
  FakeClock clock;
  SelfCollector collector("1", "x", clock);
  CollectPage(collector);  // opens what stays open
  clock.Advance(std::chrono::seconds(60));
  const double counted = ValueOf(CollectPage(collector), "process_open_fds");
  // The folder itself is open while it is listed.
  const auto listed =
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  EXPECT_EQ(counted, static_cast<double>(listed - 1));
}

// A machine whose /proc/self/fd has no size, as before Linux 6.2. Its fdinfo
// has the same names.
class OlderMachine : public testing::Test {
 protected:
  OlderMachine() {
    std::filesystem::create_directories(folder_.path() / "proc/self");
    std::filesystem::create_symlink("/proc/self/fdinfo",
                                    folder_.path() / "proc/self/fd");
  }
  double Counted() { return ValueOf(CollectPage(collector_), kName); }

  static constexpr const char* kName = "process_open_fds";
  ScratchFolder folder_ = *ScratchFolder::Create();
  FakeClock clock_;
  SelfCollector collector_{"1", "x", clock_, SystemRoot(folder_.path())};
};

TEST_F(OlderMachine, CountsTheNamesButNotTheFolderItself) {
  const auto listed =
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  EXPECT_EQ(Counted(), static_cast<double>(listed - 1));
}

TEST_F(OlderMachine, CountsOnceAMinute) {
  const double before = Counted();
  Descriptor more(open("/dev/null", O_RDONLY | O_CLOEXEC));
  clock_.Advance(std::chrono::milliseconds(59'999));
  EXPECT_EQ(Counted(), before);
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_EQ(Counted(), before + 1);
}

TEST_F(OlderMachine, WithoutProcItsOpenFilesAreUnknown) {
  std::filesystem::remove(folder_.path() / "proc/self/fd");
  EXPECT_EQ(CollectPage(collector_).find(kName), std::string::npos);
}

TEST_F(OlderMachine, WithoutTheResidentPagesItsMemoryIsUnknown) {
  constexpr const char* kMemory = "process_resident_memory_bytes";
  const auto file = folder_.path() / "proc/self/statm";
  ASSERT_TRUE(WriteFileAtomically(file, "100\n").ok());
  EXPECT_EQ(CollectPage(collector_).find(kMemory), std::string::npos);
  ASSERT_TRUE(WriteFileAtomically(file, "100 7 3\n").ok());
  SelfCollector other("1", "x", clock_, SystemRoot(folder_.path()));
  EXPECT_EQ(ValueOf(CollectPage(other), kMemory),
            7.0 * static_cast<double>(sysconf(_SC_PAGESIZE)));
}

}  // namespace
}  // namespace mete
