#include "measure/pin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_host.h"

namespace mete {
namespace {

using testing::ElementsAre;

TEST(CheckPin, NamesTheFirstCpuThatCannotBeUsed) {
  FakeHost host;
  host.cpus = {0, 1, 2, 5};
  EXPECT_TRUE(CheckPin("0-2,5", host).ok());
  Status missing = CheckPin("1-4", host);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message(),
            "CPU 3 does not exist or is not allowed here; usable: 0-2,5");
  EXPECT_FALSE(CheckPin("one", host).ok());
}

TEST(DescribePin, CountsTheCpus) {
  EXPECT_EQ(DescribePin("1"), "pinned to CPU 1");
  EXPECT_EQ(DescribePin("0-1"), "pinned to CPUs 0-1");
}

TEST(PinnedThread, RestoresTheCpusItHadBefore) {
  FakeHost host;
  {
    auto pinned = PinnedThread::Pin("1,3", host);
    ASSERT_TRUE(pinned.ok());
    EXPECT_THAT(host.pins, ElementsAre(ElementsAre(1, 3)));
  }
  EXPECT_THAT(host.pins,
              ElementsAre(ElementsAre(1, 3), ElementsAre(0, 1, 2, 3)));
}

TEST(PinnedThread, ChangesNothingWithoutAList) {
  FakeHost host;
  { EXPECT_TRUE(PinnedThread::Pin(std::nullopt, host).ok()); }
  EXPECT_TRUE(host.pins.empty());
}

TEST(PinnedThread, ReportsCpusThatTheKernelRefuses) {
  FakeHost host;
  host.pin_failure = Unsupported("not in this cpuset");
  auto pinned = PinnedThread::Pin("1", host);
  ASSERT_FALSE(pinned.ok());
  EXPECT_EQ(pinned.error().message(), "--pin: not in this cpuset");
  EXPECT_EQ(host.pins.size(), 1u);
}

}  // namespace
}  // namespace mete
