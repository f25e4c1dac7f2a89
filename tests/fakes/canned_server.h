// A server on a real socket that answers every request with the same bytes, in
// the given pieces. It can send what a well-behaved server never sends.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <chrono>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "net/endpoint.h"
#include "support/check.h"
#include "support/descriptor.h"
#include "support/file.h"

namespace mete {

class CannedServer {
 public:
  // With `hang` the connection stays open after the last piece.
  struct Script {
    std::vector<std::string> pieces;
    bool hang = false;
  };

  explicit CannedServer(Script script)
      : script_(std::move(script)), folder_(*ScratchFolder::Create()) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_ = (folder_.path() / "s").string();
    std::strncpy(address.sun_path, path_.c_str(), sizeof address.sun_path - 1);
    listener_ = Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    CHECK(bind(listener_.number(), generic, sizeof address) == 0);
    CHECK(listen(listener_.number(), 8) == 0);
    thread_ = std::jthread([this](std::stop_token stop) { Serve(stop); });
  }

  Endpoint endpoint() const { return {.socket = path_}; }
  std::string last_request() {
    std::lock_guard lock(mutex_);
    return request_;
  }

 private:
  static bool Readable(int descriptor) {
    pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
    return poll(&waiting, 1, 20) > 0;
  }

  void Serve(std::stop_token stop) {
    while (!stop.stop_requested()) {
      if (!Readable(listener_.number())) continue;
      Descriptor peer(accept(listener_.number(), nullptr, nullptr));
      Answer(peer.number(), stop);
    }
  }

  void Answer(int peer, std::stop_token stop) {
    std::array<char, 4096> buffer;
    ssize_t got = recv(peer, buffer.data(), buffer.size(), 0);
    {
      std::lock_guard lock(mutex_);
      request_.assign(buffer.data(), got > 0 ? static_cast<size_t>(got) : 0);
    }
    for (const std::string& piece : script_.pieces) {
      if (send(peer, piece.data(), piece.size(), MSG_NOSIGNAL) < 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    while (script_.hang && !stop.stop_requested()) {
      if (Readable(peer) && recv(peer, buffer.data(), 1, 0) <= 0) return;
    }
  }

  Script script_;
  ScratchFolder folder_;
  std::string path_;
  Descriptor listener_;
  std::mutex mutex_;
  std::string request_;
  std::jthread thread_;
};

}  // namespace mete
