// Addresses of servers in the form that sockets need.
#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

#include "net/endpoint.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// Where a stream socket connects to: TCP or a Unix socket.
struct SocketAddress {
  sockaddr_storage bytes{};
  socklen_t length = 0;
};

// All addresses of the endpoint, at least one. Looks host names up, which may
// block. Fails with kUnavailable when there is no such host, kInvalidInput for
// a socket path that is too long.
Result<std::vector<SocketAddress>> FindAddresses(const Endpoint& endpoint);

// Starts to connect and does not wait: the socket becomes writable when it is
// connected or has failed. Small writes are sent at once. `act` begins the
// message of an error: "connect to 127.0.0.1:8000".
Result<Descriptor> StartConnecting(const SocketAddress& address,
                                   const std::string& act);

// The error of a connection that was started; 0 when it is established.
int ConnectError(const Descriptor& socket);

}  // namespace mete
