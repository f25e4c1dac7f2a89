// Internal to http_server.cc: listening sockets for TCP and Unix sockets, and
// the addresses of clients.
#pragma once

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>  // before Asio, which does not include it

// clang-format off: Asio's coroutines need <utility> first.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
// clang-format on

#include "net/client_address.h"
#include "net/endpoint.h"
#include "support/result.h"
#include "support/text.h"

namespace mete {

using LocalAcceptor = boost::asio::local::stream_protocol::acceptor;
using TcpAcceptor = boost::asio::ip::tcp::acceptor;

inline Error ListenError(const Endpoint& endpoint,
                         const boost::system::error_code& error) {
  std::string why = fmt::format("listen on {}: {}", endpoint.Text(),
                                LowerFirst(error.message()));
  if (error == boost::system::errc::permission_denied) {
    return Error(ErrorCode::kPermissionDenied, why);
  }
  return Unavailable(why);
}

// Removes the socket of a server that was killed, which no longer answers.
// Leaves anything else with that name alone.
inline void RemoveDead(
    boost::asio::io_context& context,
    const boost::asio::local::stream_protocol::endpoint& place) {
  struct stat found {};
  bool socket =
      lstat(place.path().c_str(), &found) == 0 && S_ISSOCK(found.st_mode);
  if (!socket) return;
  boost::asio::local::stream_protocol::socket probe(context);
  boost::system::error_code error;
  probe.connect(place, error);
  if (error == boost::asio::error::connection_refused) {
    unlink(place.path().c_str());
  }
}

template <typename Acceptor, typename Place>
bool OpenAcceptor(Acceptor& acceptor, const Place& place,
                  boost::system::error_code& error) {
  acceptor.open(place.protocol(), error);
  if (error) return false;
  if constexpr (std::is_same_v<Acceptor, TcpAcceptor>) {
    acceptor.set_option(boost::asio::socket_base::reuse_address(true), error);
  } else {
    // Before it has a name, so that others cannot connect even for a moment.
    fchmod(acceptor.native_handle(), 0600);
  }
  acceptor.bind(place, error);
  if (error) return false;
  acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
  return !error;
}

template <typename Socket>
std::string ReadAddress(const Socket& socket) {
  if constexpr (std::is_same_v<Socket, boost::asio::ip::tcp::socket>) {
    boost::system::error_code error;
    auto peer = socket.remote_endpoint(error);
    if (!error) return ToAddress(peer.address());
  }
  return "";
}

}  // namespace mete
