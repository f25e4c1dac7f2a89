// Sends arbitrary bytes to a server over a Unix socket. It must close the
// connection, and reply with HTTP or not at all.
#include "net/http_server.h"

#include "fuzz/input.h"
#include "net/spooled_body.h"
#include "support/check.h"
#include "support/file.h"
#include "tests/fakes/raw_caller.h"

namespace {

const mete::Endpoint& StartServer() {
  static const mete::ScratchFolder folder = *mete::ScratchFolder::Create();
  static const auto server = *mete::HttpServer::Start(
      {.listen = {.socket = (folder.path() / "s").string()},
       .largest_body = mete::Bytes{16384},
       .spool_folder = [](std::string_view,
                          std::string_view target) -> std::filesystem::path {
         if (!target.starts_with("/upload")) return {};
         return folder.path();
       },
       .patience = std::chrono::seconds(5)},
      [](const mete::HttpRequest& request) {
        mete::HttpReply reply{.response = {.status = 200}};
        reply.response.body = request.Content();
        return reply;
      });
  static const mete::Endpoint endpoint = server->endpoint();
  return endpoint;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const mete::Endpoint& endpoint = StartServer();
  mete::RawCaller caller(endpoint);
  caller.Send(fuzz::ToText(bytes, size));
  caller.End();
  const std::string reply = caller.ReadAll();
  CHECK(reply.empty() || reply.starts_with("HTTP/1.")) << reply;
  return 0;
}
