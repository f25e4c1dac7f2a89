// Identifies a client for the rate limit and for its share of the connections.
#pragma once

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <string>

namespace mete {

// The address of a client. Whoever has one IPv6 address usually has the
// whole /64.
inline std::string ToAddress(const boost::asio::ip::address& address) {
  if (address.is_v4()) return address.to_string();
  const boost::asio::ip::address_v6 six = address.to_v6();
  if (six.is_v4_mapped()) {
    return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, six)
        .to_string();
  }
  auto bytes = six.to_bytes();
  if (!six.is_loopback()) std::fill(bytes.begin() + 8, bytes.end(), 0);
  return boost::asio::ip::address_v6(bytes).to_string();
}

}  // namespace mete
