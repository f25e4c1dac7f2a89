#include "linux/interfaces.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using Interfaces = EmptyMachine;

TEST_F(Interfaces, AreAllExceptLoopback) {
  auto interfaces = InterfaceReader(Recorded("x86")).Read();
  ASSERT_EQ(interfaces.size(), 2u);
  EXPECT_EQ(interfaces[0].name, "eno1");
  EXPECT_TRUE(interfaces[0].physical);
  EXPECT_EQ(interfaces[0].received, Bytes{1341287821});
  EXPECT_EQ(interfaces[0].sent, Bytes{1528245});
  EXPECT_EQ(interfaces[1].name, "docker0");
  EXPECT_FALSE(interfaces[1].physical);
}

TEST_F(Interfaces, AreReadWhenTheirNumbersTouchTheColon) {
  Put("/proc/net/dev",
      " face |bytes\n eth0:12345678901 1 0 0 0 0 0 0 77 1 0 0 0 0 0 0\n");
  auto interfaces = InterfaceReader(root).Read();
  ASSERT_EQ(interfaces.size(), 1u);
  EXPECT_EQ(interfaces[0].received, Bytes{12345678901});
  EXPECT_EQ(interfaces[0].sent, Bytes{77});
}

TEST_F(Interfaces, OfAProcessCountIfItHasItsOwnNetwork) {
  auto link = [&](const std::string& process, const std::string& target) {
    auto file = root.Locate("/proc/" + process + "/ns/net");
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::create_symlink(target, file);
  };
  link("self", "net:[1]");
  link("7", "net:[1]");
  link("8", "net:[2]");
  const std::string counters =
      "    lo: 5 1 0 0 0 0 0 0 5 1 0 0 0 0 0 0\n"
      "  eth0: 100 1 0 0 0 0 0 0 30 1 0 0 0 0 0 0\n"
      "  eth1: 1 1 0 0 0 0 0 0 2 1 0 0 0 0 0 0\n";
  Put("/proc/7/net/dev", counters);
  Put("/proc/8/net/dev", counters);
  EXPECT_FALSE(ReadOwnTraffic(root, 7).has_value());
  ASSERT_TRUE(ReadOwnTraffic(root, 8).has_value());
  EXPECT_EQ(ReadOwnTraffic(root, 8)->received, Bytes{101});
  EXPECT_EQ(ReadOwnTraffic(root, 8)->sent, Bytes{32});
  EXPECT_FALSE(ReadOwnTraffic(root, 9).has_value());
}

TEST_F(Interfaces, ArePhysicalAfterForgettingThatTheyWereNot) {
  Put("/proc/net/dev", " eth0: 1 1 0 0 0 0 0 0 77 1 0 0 0 0 0 0\n");
  InterfaceReader reader(root);
  EXPECT_FALSE(reader.Read()[0].physical);
  Put("/sys/class/net/eth0/device/vendor", "0x8086\n");
  EXPECT_FALSE(reader.Read()[0].physical);
  reader.Forget();
  EXPECT_TRUE(reader.Read()[0].physical);
}

TEST_F(Interfaces, AreOnlyInCompleteLinesWithAColon) {
  Put("/proc/net/dev",
      "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
      "eth1: x 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "eth2: 1 2 3 4 5 6 7 8 x 10 11 12 13 14 15 16\n"
      "eth3:0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
  auto interfaces = InterfaceReader(root).Read();
  ASSERT_EQ(interfaces.size(), 1u);
  EXPECT_EQ(interfaces[0].name, "eth3:0");
}

TEST_F(Interfaces, OfAProcessAreAbsentWithoutItsCountersOrOurNetwork) {
  auto link = [&](const std::string& process, const std::string& target) {
    auto file = root.Locate("/proc/" + process + "/ns/net");
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::create_symlink(target, file);
  };
  link("7", "net:[2]");
  Put("/proc/7/net/dev", "  eth0: 100 1 0 0 0 0 0 0 30 1 0 0 0 0 0 0\n");
  EXPECT_FALSE(ReadOwnTraffic(root, 7).has_value());
  link("self", "net:[1]");
  EXPECT_TRUE(ReadOwnTraffic(root, 7).has_value());
  std::filesystem::remove(root.Locate("/proc/7/net/dev"));
  EXPECT_FALSE(ReadOwnTraffic(root, 7).has_value());
}

}  // namespace
}  // namespace mete
