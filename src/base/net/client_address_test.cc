#include "net/client_address.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

std::string AddressOf(const char* text) {
  return ToAddress(boost::asio::ip::make_address(text));
}

// The rate limit and the shares of connections go by these addresses.
TEST(ToAddress, IsTheNetworkOfAnIpv6Client) {
  EXPECT_EQ(AddressOf("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
  EXPECT_EQ(AddressOf("2001:db8:1:2:ffff::1"), "2001:db8:1:2::");
  EXPECT_EQ(AddressOf("2001:db8:1:3:3:4:5:6"), "2001:db8:1:3::");
}

TEST(ToAddress, IsTheWholeAddressOfAnIpv4Client) {
  EXPECT_EQ(AddressOf("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(AddressOf("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(AddressOf("::1"), "::1");
}

}  // namespace
}  // namespace mete
