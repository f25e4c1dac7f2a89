// Answers a request with arbitrary bytes over a Unix socket. The client must
// return, and a response must have a valid status and a bounded body.
#include "net/http_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <mutex>
#include <thread>

#include "fuzz/input.h"
#include "support/check.h"
#include "support/descriptor.h"
#include "support/file.h"

namespace {

// Answers every connection with the current bytes and closes it.
class AnyServer {
 public:
  AnyServer() : folder_(*mete::ScratchFolder::Create()) {
    path_ = (folder_.path() / "s").string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path_.c_str(), sizeof address.sun_path - 1);
    listener_ =
        mete::Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    CHECK(bind(listener_.number(), reinterpret_cast<sockaddr*>(&address),
               sizeof address) == 0);
    CHECK(listen(listener_.number(), 8) == 0);
    thread_ = std::jthread([this](std::stop_token stop) { Serve(stop); });
  }

  mete::Endpoint endpoint() const { return {.socket = path_}; }
  void Set(std::string_view bytes) {
    std::lock_guard lock(mutex_);
    answer_ = bytes;
  }

 private:
  void Serve(std::stop_token stop) {
    while (!stop.stop_requested()) {
      pollfd waiting{.fd = listener_.number(), .events = POLLIN, .revents = 0};
      if (poll(&waiting, 1, 100) <= 0) continue;
      mete::Descriptor peer(accept(listener_.number(), nullptr, nullptr));
      char request[4096];
      static_cast<void>(recv(peer.number(), request, sizeof request, 0));
      std::string answer;
      {
        std::lock_guard lock(mutex_);
        answer = answer_;
      }
      // The client may have closed the connection.
      static_cast<void>(
          send(peer.number(), answer.data(), answer.size(), MSG_NOSIGNAL));
    }
  }

  mete::ScratchFolder folder_;
  std::string path_;
  mete::Descriptor listener_;
  std::mutex mutex_;
  std::string answer_;
  std::jthread thread_;  // last: it uses all of the above
};

void CheckResponse(const mete::Result<mete::HttpResponse>& response,
                   size_t size) {
  if (!response.ok()) {
    CHECK(!response.error().message().empty());
    return;
  }
  CHECK(response->status >= 0 && response->status <= 999);
  CHECK(response->body.size() <= size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static AnyServer server;
  server.Set(fuzz::ToText(bytes, size));
  const mete::HttpClient client(server.endpoint());
  const mete::HttpPatience patience{.silence = std::chrono::seconds(10),
                                    .whole = std::chrono::seconds(10)};
  CheckResponse(client.Send({}, patience), size);
  size_t streamed = 0;
  auto sink = [&](std::string_view piece) {
    streamed += piece.size();
    return true;
  };
  CheckResponse(client.Stream({}, sink, patience), size);
  CHECK(streamed <= size);
  return 0;
}
